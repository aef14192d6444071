import { setTimeout as sleep } from 'node:timers/promises';
import type { Model, ModelEvent } from '../src/agent/model.ts';
import { nowMs } from './cpu.ts';

/** Text of every token; about as long as those of language models. */
export const TOKEN = 'qubit';

/** A stream of tokens as a model would send it. */
export type Pace = {
  readonly tokens: number;
  readonly intervalMs: number;
  /** When to begin, by {@link nowMs}. Resolved late, so that all streams of a run can wait for each other. */
  readonly startAtMs: Promise<number>;
};

/**
 * Yields {@link TOKEN} at its times, at once when it is late. Calls `onToken` with each token's index just
 * before.
 */
export async function* pacedTokens(
  { tokens, intervalMs, startAtMs }: Pace,
  onToken: (index: number) => void,
): AsyncGenerator<string> {
  const start = await startAtMs;
  for (let index = 0; index < tokens; index += 1) {
    const waitMs = start + index * intervalMs - nowMs();
    if (waitMs > 0) await sleep(waitMs);
    onToken(index);
    yield TOKEN;
  }
}

/** A planned stream and its callbacks. */
export type PlannedStream = {
  readonly pace: Pace;
  readonly onAsked: () => void;
  readonly onToken: (index: number) => void;
};

/** A model that answers as planned for a session, always on time. */
export type PacedModel = Model & { plan(sessionId: string, stream: PlannedStream): void };

/** Makes one; asked in a session without a plan, it fails. */
export function createPacedModel(): PacedModel {
  const planned = new Map<string, PlannedStream>();
  async function* answer(sessionId: string): AsyncGenerator<ModelEvent> {
    const stream = planned.get(sessionId);
    if (stream === undefined) throw new Error(`no stream was planned for session ${sessionId}`);
    planned.delete(sessionId);
    stream.onAsked();
    for await (const text of pacedTokens(stream.pace, stream.onToken)) yield { type: 'text', text };
    yield { type: 'finished', reason: 'stop', usage: null, items: [] };
  }
  return {
    name: 'paced',
    provider: 'paced',
    isProgram: true, // long conversations are not summarised by it
    plan: (sessionId, stream) => void planned.set(sessionId, stream),
    stream: ({ sessionId }) => answer(sessionId),
  };
}
