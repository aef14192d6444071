/** The calibration tasks of the demo laboratory: when each runs, what it needs and what it measures. */
import {
  anharmonicityGhz,
  bellFidelity,
  frequencyGhz,
  readoutFidelity,
  t1Us,
  t2EchoUs,
  t2StarUs,
  x90Fidelity,
  zx90Fidelity,
  type DemoCoupling,
  type DemoQubit,
} from './device.ts';
import { between, noise, uniform } from './random.ts';

/** One value that a task measured; `error` is one standard deviation in `unit`. */
export type Measured = {
  readonly name: string;
  readonly value: number;
  readonly error: number;
  readonly unit: string;
};

/** A task and its habits. */
export type DemoTask<Subject> = {
  readonly name: string;
  /** It runs on the newest day and every so many days before. */
  readonly everyDays: number;
  /** Start within its execution. */
  readonly atMinute: number;
  /** Parameters of the same subject that must be known before. */
  readonly needs: readonly string[];
  readonly measure: (subject: Subject, day: number) => readonly Measured[];
};

const US = '\u03bcs';

/** `value` as a measurement with a relative error would give it. */
const relative = (
  name: string,
  value: number,
  spread: number,
  unit: string,
  ...labels: (string | number)[]
) => ({
  name,
  value: value * (1 + spread * noise(name, ...labels)),
  error: value * spread,
  unit,
});

/** As {@link relative}, with an absolute error. */
const absolute = (
  name: string,
  value: number,
  error: number,
  unit: string,
  ...labels: (string | number)[]
) => ({
  name,
  value: value + error * noise(name, ...labels),
  error,
  unit,
});

const fidelity = (name: string, value: number, error: number, ...labels: (string | number)[]) =>
  absolute(name, value, Math.min(error, (1 - value) / 4), 'a.u.', ...labels);

/** Tasks on single qubits, in the order in which they run. */
export const QUBIT_TASKS: readonly DemoTask<DemoQubit>[] = [
  {
    name: 'CheckQubitSpectroscopy',
    everyDays: 7,
    atMinute: 0,
    needs: [],
    measure: (qubit, day) => [
      absolute('coarse_qubit_frequency', frequencyGhz(qubit, day), 5e-4, 'GHz', qubit.qid, day),
      absolute('anharmonicity', anharmonicityGhz(qubit), 6e-4, 'GHz', qubit.qid, day),
    ],
  },
  {
    name: 'CheckRamsey',
    everyDays: 2,
    atMinute: 6,
    needs: [],
    measure: (qubit, day) => [
      absolute('qubit_frequency', frequencyGhz(qubit, day), 1.5e-5, 'GHz', qubit.qid, day),
      absolute('ramsey_frequency', 0.2, 0.004, 'MHz', qubit.qid, day),
      relative('t2_star', t2StarUs(qubit, day), 0.03, US, qubit.qid, day),
    ],
  },
  {
    name: 'CheckRabi',
    everyDays: 4,
    atMinute: 12,
    needs: ['qubit_frequency'],
    measure: (qubit, day) => [
      relative('rabi_frequency', 12.5, 0.004, 'MHz', qubit.qid, day),
      relative('rabi_amplitude', between(0.35, 0.48, 'rabi', qubit.qid), 0.01, 'a.u.', qubit.qid, day),
      relative('control_amplitude', between(0.02, 0.06, 'drive', qubit.qid), 0.004, 'a.u.', qubit.qid, day),
    ],
  },
  {
    name: 'CheckT1',
    everyDays: 1,
    atMinute: 18,
    needs: ['qubit_frequency'],
    measure: (qubit, day) => [relative('t1', t1Us(qubit, day), 0.03, US, qubit.qid, day)],
  },
  {
    name: 'CheckT2Echo',
    everyDays: 2,
    atMinute: 24,
    needs: ['qubit_frequency'],
    measure: (qubit, day) => [relative('t2_echo', t2EchoUs(qubit, day), 0.03, US, qubit.qid, day)],
  },
  {
    name: 'ReadoutClassification',
    everyDays: 2,
    atMinute: 30,
    needs: ['qubit_frequency'],
    measure: (qubit, day) => {
      const average = fidelity('average_readout_fidelity', readoutFidelity(qubit), 0.0015, qubit.qid, day);
      const skew = Math.min(0.01, 1 - average.value) * uniform('skew', qubit.qid);
      return [
        average,
        { ...average, name: 'readout_fidelity_0', value: average.value + skew },
        { ...average, name: 'readout_fidelity_1', value: average.value - skew },
      ];
    },
  },
  {
    name: 'X90InterleavedRandomizedBenchmarking',
    everyDays: 3,
    atMinute: 36,
    needs: ['qubit_frequency', 'control_amplitude'],
    measure: (qubit, day) => [fidelity('x90_gate_fidelity', x90Fidelity(qubit, day), 8e-5, qubit.qid, day)],
  },
];

/** Tasks on couplings. */
export const COUPLING_TASKS: readonly DemoTask<DemoCoupling>[] = [
  {
    name: 'ZX90InterleavedRandomizedBenchmarking',
    everyDays: 4,
    atMinute: 0,
    needs: [],
    measure: (coupling, day) => [
      fidelity('zx90_gate_fidelity', zx90Fidelity(coupling, day), 0.0012, ...labelsOf(coupling), day),
    ],
  },
  {
    name: 'CheckBellStateTomography',
    everyDays: 8,
    atMinute: 30,
    needs: ['zx90_gate_fidelity'],
    measure: (coupling, day) => [
      fidelity('bell_state_fidelity', bellFidelity(coupling, day), 0.002, ...labelsOf(coupling), day),
    ],
  },
];

const labelsOf = ({ control, target }: DemoCoupling): [string, string] => [control.qid, target.qid];
