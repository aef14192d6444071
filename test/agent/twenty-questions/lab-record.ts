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

/** Limits in shown units, from the better to the worse: excellent, good. */
const RATED: Readonly<Record<string, readonly [excellent: number, good: number]>> = {
  t1: [100, 50],
  t2_echo: [150, 80],
  average_readout_fidelity: [99, 95],
  x90_gate_fidelity: [99.9, 99.5],
  x180_gate_fidelity: [99.9, 99.5],
  anharmonicity: [-320, -280],
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

/** How many current values are excellent, good, and neither, and the mean of 3, 2 and 1 points for them. */
export function healthOf(lab: LabRecord): object {
  const points = Object.entries(RATED).flatMap(([parameter, limits]) => {
    const sign = parameter === 'anharmonicity' ? -1 : 1;
    const pointsOf = ({ value }: Reading): number =>
      1 + limits.filter((limit) => sign * value >= sign * limit).length;
    return newestOf(lab, parameter).map(pointsOf);
  });
  const count = (wanted: number): number => points.filter((each) => each === wanted).length;
  return { score: average(points), excellent: count(3), good: count(2), poor: count(1) };
}
