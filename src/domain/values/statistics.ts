/**
 * Figures over a set of numbers. All but `count` are null for no numbers; `stdev` is the sample deviation, null below
 * two.
 */
export type Statistics = {
  readonly count: number;
  readonly mean: number | null;
  readonly median: number | null;
  readonly stdev: number | null;
  readonly min: number | null;
  readonly max: number | null;
};

/** Figures of one parameter over qubits or over couplings: one reduced value each, never one a run. */
export type ParameterStatistics = {
  readonly name: string;
  readonly title: string;
  /** Unit of `stored`. */
  readonly unit: string;
  /** Unit of `display`. */
  readonly displayUnit: string;
  /** Factor from stored to display scale. */
  readonly scale: number;
  /** Requested entities without a usable value. */
  readonly missing: number;
  readonly stored: Statistics;
  readonly display: Statistics;
};

/**
 * Statistics of finite numbers. They are sorted first, so that the order of the rows cannot change a
 * digit, and scaled down where squares or sums of huge ones would overflow.
 */
export function statisticsOf(numbers: readonly number[]): Statistics {
  const sorted = new Float64Array(numbers).map(plainZero).sort();
  const [min, max] = [sorted.at(0), sorted.at(-1)];
  const median = medianOfSorted(sorted);
  if (min === undefined || max === undefined) {
    return { count: 0, mean: null, median: null, stdev: null, min: null, max: null };
  }
  const largest = Math.max(Math.abs(min), Math.abs(max));
  const scale = largest > 1e150 ? largest : 1;
  const scaled = sorted.map((value) => value / scale);
  const mean = sum(scaled) / scaled.length;
  const variance =
    scaled.length < 2 ? null : sum(scaled.map((value) => (value - mean) ** 2)) / (scaled.length - 1);
  return {
    count: sorted.length,
    mean: clamp(mean * scale, min, max),
    median,
    stdev: variance === null ? null : Math.min(Math.sqrt(variance) * scale, Number.MAX_VALUE),
    min,
    max,
  };
}

/** Median of finite numbers in any order, null for none. */
export function medianOf(numbers: readonly number[]): number | null {
  return medianOfSorted(Float64Array.from(numbers).sort());
}

function medianOfSorted(sorted: ArrayLike<number>): number | null {
  const low = sorted[Math.floor((sorted.length - 1) / 2)];
  const high = sorted[Math.floor(sorted.length / 2)];
  if (low === undefined || high === undefined) return null;
  const middle = (low + high) / 2;
  return Number.isFinite(middle) ? middle : low / 2 + high / 2;
}

/** Makes 0 of -0, which would sort before it. */
const plainZero = (value: number): number => value + 0;
const sum = (numbers: Float64Array): number => numbers.reduce((total, value) => total + value, 0);
/** Rounding of a sum must not put a mean outside its own numbers. */
const clamp = (value: number, min: number, max: number): number => Math.min(Math.max(value, min), max);
