/** Picks from the values of a doubted answer those that are to be compared, and makes the calls that compare them. */
import type { AnswerValue } from '../../domain/conversation/answer-values.ts';
import type { ModelCall } from '../model.ts';
import { readSlots } from '../../domain/questions/slots.ts';
import { verifyAgainstLive } from '../tools/verify-against-live.ts';

/** Most values and most calls of one comparison; an answer about a whole chip may stand on thousands. */
const MAX_VALUES = 100;
const MAX_CALLS = 4;

/** The values to compare, of how many, and the calls that do it. */
export type Comparison = {
  readonly values: readonly AnswerValue[];
  readonly of: number;
  readonly calls: readonly ModelCall[];
};

/**
 * What `doubt` names goes before what the answer's text names: parameters that neither names are left out where one
 * names any. Of too many values those of qubits named in the text come first.
 */
export function planComparison(
  values: readonly AnswerValue[],
  { answer, doubt }: { readonly answer: string; readonly doubt: string },
): Comparison {
  const doubted = readSlots(doubt);
  const told = readSlots(answer);
  const byParameter = narrowed(values, [doubted.metrics, told.metrics], ({ parameter }) => [parameter]);
  const wanted = narrowed(byParameter, [doubted.qids], ({ qid }) => [qid, ...qid.split('-')]);
  const named = new Set(told.qids);
  const first = wanted.filter(({ qid }) => named.has(qid));
  const ordered = [...first, ...wanted.filter((value) => !first.includes(value))];
  const calls = callsFor(ordered.slice(0, MAX_VALUES)).slice(0, MAX_CALLS);
  return {
    values: calls.flatMap((call) => call.values),
    of: wanted.length,
    calls: calls.map(({ call }) => call),
  };
}

/** The values of the first list that names any of them; all where none does. */
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

/** As few calls as compare exactly these values: parameters of the same qubits share one. Largest first. */
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
