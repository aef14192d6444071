import type { DocumentNode, ExecutionArgs, ExecutionResult } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { LRUCache } from 'lru-cache';
import { chipIdsOf } from './chip-documents.ts';
import type { OperationContext } from './operation-context.ts';

/** Bounds of what is held. */
export type HeldAnswersOptions = {
  /** Memory of all answers together, at two bytes a character. */
  readonly maxBytes: number;
  /** Age at which an answer is made again, whatever its version: bounds what a version may miss, and "stale by now". */
  readonly maxAgeMs: number;
  /** Where a version is costly, answers that took less time are made each time. */
  readonly dearMs: number;
  readonly nowMs: () => number;
};

/** The bounds in production. */
export const HELD_ANSWERS: HeldAnswersOptions = {
  maxBytes: 64_000_000,
  maxAgeMs: 5_000,
  dearMs: 25,
  nowMs: () => performance.now(),
};

/** An answer or one that is being made. */
type Held = {
  /** What was read before. */
  readonly version: string;
  readonly sinceMs: number;
  /** Null if it cannot be held. */
  readonly text: Promise<string | null>;
  /** Fires when the client goes for whom it is made, and with whom its making ends. */
  readonly gone: AbortSignal | null;
};

/** Most answers, however short. */
const MAX_ANSWERS = 2_000;

/**
 * Answers queries about chips that were answered before from memory, as long as the chips have the same version
 * (`chip-versions.ts`), which is read anew for each request. Those who ask for the same at the same time share one execution.
 *
 * A request gets this far after its project was resolved and its document checked, and only shares the answers to the
 * same viewer. Answers over WebSockets, with errors, or in parts are not held.
 */
export function useHeldAnswers(options: HeldAnswersOptions): Plugin<OperationContext> {
  const { maxBytes, maxAgeMs, dearMs, nowMs } = options;
  const held = new LRUCache<string, Held>({
    max: MAX_ANSWERS,
    maxSize: maxBytes,
    maxEntrySize: Math.floor(maxBytes / 4),
    ttl: maxAgeMs,
    ttlAutopurge: true,
  });
  /** How long each took to make. */
  const tookMs = new LRUCache<string, number>({ max: MAX_ANSWERS });
  const keyOf = documentKeys();

  type Execute = (args: ExecutionArgs) => unknown;
  const answer = async (args: ExecutionArgs, chipIds: readonly string[], execute: Execute) => {
    const { viewer, services, gone } = args.contextValue as OperationContext;
    const key = keyOf(args, viewer);
    const scope = { projectId: viewer.projectId, chipIds };
    const version = await services.chipVersions.of(scope, (tookMs.get(key) ?? 0) >= dearMs);
    const sinceMs = nowMs();
    for (;;) {
      const found = held.get(key);
      if (found?.version !== version || sinceMs - found.sinceMs >= maxAgeMs) break;
      const text = await found.text;
      if (text !== null) return { data: null, stringify: () => text };
      // Its client left: of those who waited, the first makes it anew, and the others wait for that.
      if (!found.gone?.aborted) break;
    }
    const { promise, resolve } = Promise.withResolvers<string | null>();
    const own = version === null ? null : { version, sinceMs, text: promise, gone };
    if (own !== null) held.set(key, own, { size: 1 });
    let text: string | null = null;
    try {
      const result = (await execute(args)) as ExecutionResult;
      if (!isHoldable(result)) return result;
      text = JSON.stringify({ data: result.data });
      return { ...result, stringify: () => text };
    } finally {
      tookMs.set(key, nowMs() - sinceMs);
      resolve(text);
      if (own !== null && held.peek(key) === own) {
        if (text === null) held.delete(key);
        else held.set(key, { ...own }, { size: 2 * text.length }); // a new value: else it keeps its size
      }
    }
  };

  return {
    onExecute({ executeFn, setExecuteFn }) {
      const execute: Execute = executeFn;
      setExecuteFn((args: ExecutionArgs) => {
        const isHttp = 'request' in (args.contextValue as OperationContext);
        const chipIds = isHttp ? chipIdsOf(args.document, args.variableValues ?? {}) : null;
        return chipIds === null ? execute(args) : answer(args, chipIds, execute);
      });
    },
  };
}

/** Not with errors, which have details of their request, nor in parts. */
function isHoldable(result: ExecutionResult): boolean {
  return (
    !(Symbol.asyncIterator in result) && result.data != null && !result.errors?.length && !result.extensions
  );
}

/** Keys of operations. The parser returns the same document for the same text, as long as it remembers it. */
function documentKeys() {
  const numbers = new WeakMap<DocumentNode, number>();
  let count = 0;
  return ({ document, variableValues }: ExecutionArgs, viewer: OperationContext['viewer']): string => {
    const number = numbers.get(document) ?? (count += 1);
    numbers.set(document, number);
    return JSON.stringify([number, variableValues ?? null, viewer]);
  };
}
