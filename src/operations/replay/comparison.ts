import type { Attempt, AttemptCall } from './attempt.ts';

/** The differences between two attempts at a turn. */
export type Comparison = {
  readonly sameText: boolean;
  readonly callsOnlyRecorded: readonly string[];
  readonly callsOnlyReplayed: readonly string[];
  /** Numbers as written in the texts. */
  readonly numbersOnlyRecorded: readonly string[];
  readonly numbersOnlyReplayed: readonly string[];
  /** Replayed less recorded. */
  readonly tokens: { readonly input: number; readonly output: number };
  /** Null where a model has no price. */
  readonly costUsd: number | null;
};

/** Compares what was answered then with what is answered now. */
export function compareAttempts(recorded: Attempt, replayed: Attempt): Comparison {
  const [callsThen, callsNow] = [recorded.calls.map(callText), replayed.calls.map(callText)];
  const [numbersThen, numbersNow] = [numbersIn(recorded.text), numbersIn(replayed.text)];
  return {
    sameText: recorded.text === replayed.text,
    callsOnlyRecorded: without(callsThen, callsNow),
    callsOnlyReplayed: without(callsNow, callsThen),
    numbersOnlyRecorded: without(numbersThen, numbersNow),
    numbersOnlyReplayed: without(numbersNow, numbersThen),
    tokens: {
      input: replayed.usage.inputTokens - recorded.usage.inputTokens,
      output: replayed.usage.outputTokens - recorded.usage.outputTokens,
    },
    costUsd:
      replayed.costUsd === null || recorded.costUsd === null ? null : replayed.costUsd - recorded.costUsd,
  };
}

/** Arguments as they are compared and shown: without space, keys in their order. */
export function callText({ name, arguments: given }: AttemptCall): string {
  try {
    const parsed: unknown = JSON.parse(given === '' ? '{}' : given);
    return `${name} ${JSON.stringify(inOrder(parsed))}`;
  } catch {
    return `${name} ${given}`;
  }
}

const inOrder = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;

const numbersIn = (text: string): readonly string[] => text.match(/\d+(?:[.,]\d+)*/gu) ?? [];

/** The items that occur more often in `items` than in `others`. */
function without(items: readonly string[], others: readonly string[]): readonly string[] {
  const left = [...others];
  return items.filter((item) => {
    const index = left.indexOf(item);
    if (index !== -1) left.splice(index, 1);
    return index === -1;
  });
}
