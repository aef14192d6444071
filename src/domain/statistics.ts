/** Figures over a set of numbers. All but `count` are null for no numbers; `stdev` is the sample deviation, null below two. */
export type Statistics = {
  readonly count: number;
  readonly mean: number | null;
  readonly median: number | null;
  readonly stdev: number | null;
  readonly min: number | null;
  readonly max: number | null;
};

/** Figures of one parameter over the qubits of a chip: one reduced value a qubit, never one a run. */
export type ParameterStatistics = {
  readonly name: string;
  readonly title: string;
  /** Unit of `stored`. */
  readonly unit: string;
  /** Unit of `display`. */
  readonly displayUnit: string;
  /** Factor from stored to display scale. */
  readonly scale: number;
  /** Qubits asked for that have no usable value. */
  readonly missing: number;
  readonly stored: Statistics;
  readonly display: Statistics;
};
