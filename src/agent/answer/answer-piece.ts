import type { Assessment } from '../../domain/conversation/assessment.ts';

/** What a model's words turn out to be, piece by piece. */
export type AnswerPiece =
  /** Markdown, continuing the text before it. */
  | { readonly type: 'text'; readonly text: string }
  /** The text that follows stands in a paragraph of its own. */
  | { readonly type: 'break' }
  /** A chart as the model wrote it, whole but not checked. */
  | { readonly type: 'chart'; readonly figure: unknown }
  | { readonly type: 'assessment'; readonly assessment: Assessment | null }
  /** The answer goes on, but no further words of it can be read; `what` in words for the log. */
  | { readonly type: 'unreadable'; readonly what: string }
  /** Something that is not shown and that nobody misses, in words for the log. */
  | { readonly type: 'dropped'; readonly what: string };
