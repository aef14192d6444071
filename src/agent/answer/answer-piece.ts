import type { Assessment } from '../../domain/conversation/session.ts';

/** A piece of an answer, decoded from a model's words. */
export type AnswerPiece =
  /** Markdown, continuing the text before it. */
  | { readonly type: 'text'; readonly text: string }
  /** The text that follows starts a new paragraph. */
  | { readonly type: 'break' }
  /** A complete chart as the model wrote it, not validated yet. */
  | { readonly type: 'chart'; readonly figure: unknown }
  | { readonly type: 'assessment'; readonly assessment: Assessment | null }
  /** The rest of the answer cannot be read; `what` is for the log. */
  | { readonly type: 'unreadable'; readonly what: string }
  /** Left out without loss for the reader; `what` is for the log. */
  | { readonly type: 'dropped'; readonly what: string };
