/** One measurement under our parameter names. */
export type MeasuredValue = {
  /** Qubit `12` or coupling `control-target`. */
  readonly qid: string;
  readonly kind: 'qubit' | 'coupling';
  readonly parameter: string;
  /** The QDash task that measures this parameter. */
  readonly task: string;
  readonly value: number;
  readonly unit: string;
  /** One standard deviation in `unit`; 0 where the source gives none. */
  readonly error: number;
  readonly measuredAt: Date;
  /** Why the value is doubtful; it counts nevertheless. */
  readonly doubt: string | null;
  /** Why the value is not a measurement; it is kept, but excluded from all statistics. */
  readonly unusable: string | null;
};

/** QDash's task for each parameter that one is known to measure. */
const TASKS: ReadonlyMap<string, string> = new Map([
  ['qubit_frequency', 'CheckQubitFrequency'],
  ['anharmonicity', 'CheckQubitSpectroscopy'],
  ['t1', 'CheckT1'],
  ['t2_echo', 'CheckT2Echo'],
  ['t2_star', 'CheckRamsey'],
  ['average_readout_fidelity', 'ReadoutClassification'],
  ['x90_gate_fidelity', 'X90InterleavedRandomizedBenchmarking'],
  ['x180_gate_fidelity', 'X180InterleavedRandomizedBenchmarking'],
  ['zx90_gate_fidelity', 'ZX90InterleavedRandomizedBenchmarking'],
  ['cz_gate_fidelity', 'CZInterleavedRandomizedBenchmarking'],
  ['bell_state_fidelity', 'CheckBellStateTomography'],
]);

/**
 * The task that a value is filed under when its source names none. Each parameter has its own: reads take it that all
 * runs of one task put out the same parameters.
 */
export const taskFor = (parameter: string): string => TASKS.get(parameter) ?? `Import_${parameter}`;
