/**
 * What is known of one chip, as plain lists read straight from documents or files. Expected answers are computed from
 * these lists by code that shares nothing with the tools, so that a mistake of theirs cannot hide in both.
 */

/** One usable measurement: completed, not excluded, a finite number; `value` is as shown to people. */
export type Reading = {
  readonly qid: string;
  readonly parameter: string;
  readonly value: number;
  readonly at: Date;
};

/** One run of a task, whatever came of it. */
export type RunRecord = {
  readonly task: string;
  readonly qid: string;
  readonly status: string;
  readonly excludedReason: string | null;
  readonly message: string;
  readonly at: Date;
};

/** One execution of a workflow. */
export type ExecutionRecord = {
  readonly executionId: string;
  readonly status: string;
  readonly message: string;
  readonly at: Date;
};

/** What somebody wrote; `about` is a qubit, or null for the chip. */
export type Remark = { readonly about: string | null; readonly text: string };

/** How often a parameter of a qubit was set since versions are kept. */
export type VersionRecord = {
  readonly parameter: string;
  readonly qid: string;
  readonly version: number;
  readonly executionId: string;
};

/** Everything about one chip that questions ask for. Ids of couplings are as stored. */
export type ChipRecord = {
  readonly chipId: string;
  readonly qids: readonly string[];
  readonly readings: readonly Reading[];
  readonly runs: readonly RunRecord[];
  readonly executions: readonly ExecutionRecord[];
  readonly remarks: readonly Remark[];
  readonly versions: readonly VersionRecord[];
  /** By qubit, in numeric order. */
  readonly neighbours: ReadonlyMap<string, readonly string[]>;
};

/** The newest reading of each qubit or coupling that has one. */
export function newestOf({ readings }: ChipRecord, parameter: string): readonly Reading[] {
  const newest = new Map<string, Reading>();
  for (const reading of readings) {
    if (reading.parameter !== parameter) continue;
    const known = newest.get(reading.qid);
    if (known === undefined || known.at < reading.at) newest.set(reading.qid, reading);
  }
  return [...newest.values()];
}

/** All readings of one qubit or coupling, oldest first. */
export const seriesOf = ({ readings }: ChipRecord, parameter: string, qid: string): readonly Reading[] =>
  readings
    .filter((reading) => reading.parameter === parameter && reading.qid === qid)
    .toSorted((a, b) => a.at.getTime() - b.at.getTime());

/** Every pair of neighbours once. */
export const pairsOf = ({ neighbours }: ChipRecord): readonly (readonly [string, string])[] =>
  [...neighbours].flatMap(([qid, others]) =>
    others.filter((other) => Number(other) > Number(qid)).map((other) => [qid, other] as const),
  );
