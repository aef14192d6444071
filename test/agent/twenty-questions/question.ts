import type { LabRecord } from './lab-record.ts';

/** Plain JSON; `null` inside where something is not stored. */
export type Answer = unknown;

/** One way of asking through GraphQL; `$chip` is the chip's name. */
export type GraphqlWay = { readonly query: string; readonly answer: (data: unknown) => Answer };

/** What a model has after a call: what it read, and what was kept for analysis. */
export type ToolReading<Data, Kept> = {
  readonly data: Data;
  readonly formattedSummary: string;
  readonly freshness: { readonly oldestAt: string; readonly newestAt: string };
  readonly kept: Kept;
};

/** One way of asking through a tool. */
export type ToolWay = {
  readonly tool: string;
  readonly args: object;
  readonly answer: (read: ToolReading<unknown, unknown>) => Answer;
};

/** A question of a lab, and the three ways to its answer. */
export type Question = {
  readonly asked: string;
  readonly expected: (lab: LabRecord) => Answer;
  readonly overGraphql: (lab: LabRecord) => GraphqlWay;
  readonly byTool: (lab: LabRecord) => ToolWay;
};

/** Asks the chip for `fields`. */
export const ofChip = <Chip>(fields: string, answer: (chip: Chip) => Answer): GraphqlWay => ({
  query: `query ($chip: String!) { chip(chipId: $chip) { ${fields} } }`,
  answer: (data) => answer((data as { chip: Chip }).chip),
});

/** Asks one qubit of the chip for `fields`. */
export const ofQubit = <Qubit>(qid: string, fields: string, answer: (qubit: Qubit) => Answer): GraphqlWay =>
  ofChip<{ qubits: Qubit[] }>(`qubits(qids: ["${qid}"]) { ${fields} }`, ({ qubits }) => answer(qubits[0]!));

/** Calls a tool; arguments that are left out are null. */
export const byTool = <Data, Kept = never>(
  tool: string,
  args: object,
  answer: (read: ToolReading<Data, Kept>) => Answer,
): ToolWay => ({ tool, args, answer: (read) => answer(read as ToolReading<Data, Kept>) });

/** The same answer with numbers of so many significant digits: a model reads four, and sums differ in their last. */
export function rounded(answer: Answer, digits: number): Answer {
  if (typeof answer === 'number') return Number(answer.toPrecision(digits));
  if (Array.isArray(answer)) return answer.map((each: Answer) => rounded(each, digits));
  if (typeof answer !== 'object' || answer === null) return answer;
  return Object.fromEntries(Object.entries(answer).map(([key, each]) => [key, rounded(each, digits)]));
}
