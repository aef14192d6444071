import type { ReasoningLevel } from '../../experts/expert.ts';
import type { ToolCategory } from '../../experts/tool-categories.ts';

/** Before or after a line. */
export type Side = 'BEFORE' | 'AFTER';

/** Where in the instructions something goes; lines count from 1. */
export type Place =
  | { readonly at: 'START' | 'END' }
  | { readonly at: 'LINE'; readonly line: number; readonly side: Side }
  /** The line that contains the text. */
  | { readonly at: 'TEXT'; readonly text: string; readonly side: Side }
  /** Last in the section of this title. */
  | { readonly at: 'SECTION'; readonly title: string };

/** What can be asked about. */
export const TOPICS = ['TEMPERATURE', 'REASONING', 'MODEL', 'TOOLS', 'DESCRIPTION', 'INSTRUCTIONS'] as const;
export type Topic = (typeof TOPICS)[number];

/** One thing that a user explicitly asks for, in whatever language. */
export type Request =
  | { readonly type: 'temperature'; readonly value: number }
  | { readonly type: 'reasoning'; readonly level: ReasoningLevel }
  | { readonly type: 'model'; readonly name: string }
  | { readonly type: 'describe'; readonly text: string }
  | { readonly type: 'switch'; readonly category: ToolCategory; readonly isOn: boolean }
  | {
      readonly type: 'replace';
      readonly old: string;
      readonly by: string;
      readonly everywhere: boolean;
    }
  | { readonly type: 'insert'; readonly text: string; readonly place: Place }
  /** Lines `from` to `to`, both of them; `by` null removes them. */
  | { readonly type: 'lines'; readonly from: number; readonly to: number; readonly by: string | null }
  | { readonly type: 'add-section'; readonly title: string; readonly body: string }
  | { readonly type: 'remove-section'; readonly title: string }
  | { readonly type: 'rewrite-section'; readonly title: string; readonly body: string }
  | { readonly type: 'rename-section'; readonly title: string; readonly to: string }
  | { readonly type: 'undo' }
  | { readonly type: 'ask'; readonly about: readonly Topic[] };
