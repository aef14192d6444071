/** Selects which values of a disputed answer are compared, and makes the calls for it. */
import type { AnswerValue } from '../../domain/conversation/answer-values.ts';
import type { ModelCall } from '../model.ts';
import { readSlots } from '../../domain/questions/slots.ts';
import { verifyAgainstLive } from '../tools/verify-against-live.ts';

/** Bounds of one comparison; an answer about a whole chip may be based on thousands of values. */
const MAX_VALUES = 100;
const MAX_CALLS = 4;

/** The values to compare, the number that qualified, and the calls. */
export type Comparison = {
  readonly values: readonly AnswerValue[];
  readonly of: number;
  readonly calls: readonly ModelCall[];
};

/**
 * Parameters named in `doubt` take precedence over those named in the answer; if either names any, others are left
 * out. Of too many values, those of qubits named in the answer come first.
 */
export function planComparison(
  values: readonly AnswerValue[],
  { answer, doubt }: { readonly answer: string; readonly doubt: string },
): Comparison {
  const doubted = readSlots(doubt);
  const answered = readSlots(answer);
  const byParameter = narrowed(values, [doubted.metrics, answered.metrics], ({ parameter }) => [parameter]);
  const wanted = narrowed(byParameter, [doubted.qids], ({ qid }) => [qid, ...qid.split('-')]);
  const named = new Set(answered.qids);
  const first = wanted.filter(({ qid }) => named.has(qid));
  const ordered = [...first, ...wanted.filter((value) => !first.includes(value))];
  const calls = callsFor(ordered.slice(0, MAX_VALUES)).slice(0, MAX_CALLS);
  return {
    values: calls.flatMap((call) => call.values),
    of: wanted.length,
    calls: calls.map(({ call }) => call),
  };
}

/** The values named by the first list that names any; all if none does. */
function narrowed(
  values: readonly AnswerValue[],
  lists: readonly (readonly string[])[],
  namesOf: (value: AnswerValue) => readonly string[],
): readonly AnswerValue[] {
  for (const list of lists) {
    const names = new Set(list);
    const fitting = values.filter((value) => namesOf(value).some((name) => names.has(name)));
    if (fitting.length > 0) return fitting;
  }
  return values;
}

type PlannedComparison = { readonly call: ModelCall; readonly values: readonly AnswerValue[] };

/** As few calls as possible for exactly these values: parameters of the same qubits share one. Largest first. */
function callsFor(values: readonly AnswerValue[]): readonly PlannedComparison[] {
  const perParameter = [
    ...Map.groupBy(values, (value) => JSON.stringify([value.chipId, value.parameter])).values(),
  ];
  const perQubits = Map.groupBy(perParameter, (ofOne) =>
    JSON.stringify([ofOne[0]?.chipId ?? null, ofOne.map(({ qid }) => qid).toSorted()]),
  );
  return [...perQubits.values()]
    .map((parameters) => parameters.flat())
    .toSorted((a, b) => b.length - a.length)
    .map((group, index) => ({ call: callFor(group, index + 1), values: group }));
}

function callFor(values: readonly AnswerValue[], number: number): ModelCall {
  const args = {
    chip_id: values[0]?.chipId ?? null,
    qids: [...new Set(values.map(({ qid }) => qid))],
    param_names: [...new Set(values.map(({ parameter }) => parameter))],
  };
  return { callId: `server_${number}`, name: verifyAgainstLive.name, arguments: JSON.stringify(args) };
}
