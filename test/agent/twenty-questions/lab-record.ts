/**
 * What a source of the twenty questions holds, in a form of its own: plain lists, read from files or documents by
 * code that shares nothing with `src/`, and the few lines of arithmetic that answers need.
 */

/** One usable measurement: completed, not excluded, a finite number; `value` is as shown to people. */
export type Reading = {
  readonly qid: string;
  readonly parameter: string;
  readonly value: number;
  readonly at: Date;
};

/** One run of a task, whatever came of it. `t1` is as shown; null where it measured none. */
export type RunRecord = {
  readonly taskId: string;
  readonly task: string;
  readonly qid: string;
  readonly status: string;
  readonly excluded: boolean;
  readonly endAt: Date;
  readonly t1: number | null;
};

/** A version of T1. */
export type VersionRecord = {
  readonly qid: string;
  readonly version: number;
  readonly value: number;
  readonly isCurrent: boolean;
};

/** Everything about one chip that the questions ask for. */
export type LabRecord = {
  readonly chipId: string;
  readonly projectId: string;
  /** When the questions are asked. */
  readonly now: Date;
  /** The qubit that questions about one qubit are about. */
  readonly subject: string;
  readonly qids: readonly string[];
  readonly readings: readonly Reading[];
  readonly runs: readonly RunRecord[];
  readonly executionStatuses: readonly string[];
  /** Qubit or coupling of each remark; null for remarks on the chip. */
  readonly remarks: readonly (string | null)[];
  readonly versions: readonly VersionRecord[];
  readonly neighbours: Readonly<Record<string, readonly string[]>>;
  /** Names of every parameter that has a value, sorted. */
  readonly parameters: readonly string[];
};

/** Stored values times this are as shown; 1 where none is said. */
export const SHOWN_TIMES: Readonly<Record<string, number>> = {
  anharmonicity: 1000,
  average_readout_fidelity: 100,
  x90_gate_fidelity: 100,
  zx90_gate_fidelity: 100,
  x180_gate_fidelity: 100,
  id_gate_fidelity: 100,
  readout_fidelity_0: 100,
  readout_fidelity_1: 100,
  coupling_strength: 1000,
  static_zz_interaction: 1000,
};

/** The newest reading of each qubit or coupling, in numeric order of their ids. */
export function newestOf({ readings }: LabRecord, parameter: string): readonly Reading[] {
  const newest = new Map<string, Reading>();
  for (const reading of readings.filter((each) => each.parameter === parameter)) {
    const known = newest.get(reading.qid);
    if (known === undefined || known.at < reading.at) newest.set(reading.qid, reading);
  }
  return [...newest.values()].toSorted((a, b) => byQid(a.qid, b.qid));
}

/** Numbers by their value, names behind them. */
export const byQid = (a: string, b: string): number =>
  Number(Number.isNaN(Number(a))) - Number(Number.isNaN(Number(b))) ||
  a.localeCompare(b, 'en', { numeric: true });

/** Middle value; null of nothing. */
export function middle(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  if (sorted.length === 0) return null;
  return ((sorted[Math.ceil(half) - 1] ?? 0) + (sorted[Math.floor(half)] ?? 0)) / 2;
}

/** Arithmetic mean; null of nothing. */
export const average = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

/** Ids whose modified z-score, by the median of distances from the median, is above 3.5. */
export function standingApart(
  values: readonly { readonly qid: string; readonly value: number }[],
): readonly string[] {
  const centre = middle(values.map(({ value }) => value)) ?? 0;
  const spread = middle(values.map(({ value }) => Math.abs(value - centre))) ?? 0;
  return values
    .filter(({ value }) => spread > 0 && (0.6745 * Math.abs(value - centre)) / spread > 3.5)
    .map(({ qid }) => qid)
    .toSorted(byQid);
}

/**
 * How many current T1 are excellent, good, and neither, and the mean worth of them: 3, 2, 1 and 0 points, past 48 hours
 * less with the square root of age, and nothing for a qubit without one.
 */
export function healthOf(lab: LabRecord): object {
  const limits = [20, 50, 100];
  const newest = newestOf(lab, 't1');
  const points = newest.map(({ value }) => limits.filter((limit) => value >= limit).length);
  const worth = newest.map(({ at }, index) => {
    const hours = (lab.now.getTime() - at.getTime()) / 3_600_000;
    return (points[index] ?? 0) * Math.min(1, Math.sqrt(48 / hours));
  });
  const count = (wanted: readonly number[]): number => points.filter((each) => wanted.includes(each)).length;
  const missing = lab.qids.length - newest.length;
  const counted =
    newest.length >= lab.qids.length / 2 ? [...worth, ...Array<number>(missing).fill(0)] : worth;
  return { score: average(counted), excellent: count([3]), good: count([2]), poor: count([0, 1]) };
}
