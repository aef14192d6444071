import type { SessionEvent, ThinkingKind } from './session-event.ts';

/** What a model thought between two things that it said or did. */
export type Thought = {
  /** Counts the thoughts of its turn, from 1. */
  readonly number: number;
  readonly kind: ThinkingKind;
  readonly text: string;
  /** Null while it lasts, and where it was broken off. */
  readonly durationMs: number | null;
};

/** Folds the thinking in the events of one turn, in the order of the log. */
export function foldThoughts(events: Iterable<SessionEvent>): readonly Thought[] {
  const thoughts = new Map<number, Thought>();
  for (const { type, payload } of events) {
    if (type !== 'ThinkingEvent') continue;
    const { thought: number, kind, text, durationMs } = payload;
    const before = thoughts.get(number);
    thoughts.set(number, {
      number,
      kind: before?.kind ?? kind,
      text: (before?.text ?? '') + text,
      durationMs,
    });
  }
  return [...thoughts.values()];
}
