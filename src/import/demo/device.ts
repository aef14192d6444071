/**
 * True properties of the demo chip: 64 transmons on a square lattice, read out in groups of four, as a perfect
 * measurement would find them on a day; `tasks.ts` adds the measurement.
 */
import { between, noise } from './random.ts';

/** Days of history. Day 0 is the oldest. */
export const DEMO_DAYS = 60;
/** First day of the second cool-down; frequencies moved a little when the chip warmed up in between. */
export const SECOND_COOLDOWN_DAY = 22;

/** A qubit that never worked well: a two-level defect sits at its frequency. */
export const BAD_QID = '45';
/** A qubit whose T1 falls over the last weeks. */
export const DEGRADING_QID = '27';
const DEGRADING_SINCE_DAY = 35;

/** Side of the lattice. */
const SIDE = 8;

/** One qubit of the demo chip. */
export type DemoQubit = { readonly qid: string; readonly row: number; readonly column: number };

/** A coupling with the direction in which the cross-resonance drive works. */
export type DemoCoupling = { readonly control: DemoQubit; readonly target: DemoQubit };

/** Qubit n is in readout group n div 4; groups go row by row, and so do the four qubits of one. */
export const DEMO_QUBITS: readonly DemoQubit[] = Array.from({ length: SIDE * SIDE }, (_, n) => {
  const group = Math.floor(n / 4);
  const groupsInRow = SIDE / 2;
  return {
    qid: String(n),
    row: 2 * Math.floor(group / groupsInRow) + Math.floor((n % 4) / 2),
    column: 2 * (group % groupsInRow) + (n % 2),
  };
});

/** Nearest neighbours. Control qubits are on the even fields of a checkerboard. */
export const DEMO_COUPLINGS: readonly DemoCoupling[] = DEMO_QUBITS.flatMap((qubit) =>
  DEMO_QUBITS.filter(
    (other) => other.row - qubit.row + other.column - qubit.column === 1 && near(qubit, other),
  ).map((other) =>
    (qubit.row + qubit.column) % 2 === 0
      ? { control: qubit, target: other }
      : { control: other, target: qubit },
  ),
);

function near(a: DemoQubit, b: DemoQubit): boolean {
  return Math.abs(a.row - b.row) + Math.abs(a.column - b.column) === 1;
}

/** Relaxation time. Slow sway of a few per cent; T2 stays below twice this with room for noise. */
export function t1Us({ qid }: DemoQubit, day: number): number {
  const base = qid === BAD_QID ? 9 : between(48, 115, 't1', qid);
  const sway = 1 + 0.05 * Math.sin((2 * Math.PI * day) / between(18, 40, 'period', qid) + Number(qid));
  return base * sway * (qid === DEGRADING_QID ? decline(day) : 1);
}

const decline = (day: number): number =>
  day < DEGRADING_SINCE_DAY
    ? 1
    : 1 - (0.6 * (day - DEGRADING_SINCE_DAY)) / (DEMO_DAYS - 1 - DEGRADING_SINCE_DAY);

/** Hahn-echo coherence time. */
export const t2EchoUs = (qubit: DemoQubit, day: number): number =>
  between(0.9, 1.6, 't2', qubit.qid) * t1Us(qubit, day);

/** Coherence time without echo, shortened by slow frequency noise. */
export const t2StarUs = (qubit: DemoQubit, day: number): number =>
  between(0.25, 0.5, 't2*', qubit.qid) * t2EchoUs(qubit, day);

/** Four interleaved frequencies keep neighbours apart. */
export function frequencyGhz({ qid, row, column }: DemoQubit, day: number): number {
  const sublattice = [4.42, 4.78, 4.96, 4.6][(row % 2) * 2 + (column % 2)] ?? 4.7;
  const warmedUp = day < SECOND_COOLDOWN_DAY ? 0 : 0.0015 * noise('warm-up', qid);
  return sublattice + between(-0.03, 0.03, 'frequency', qid) + warmedUp;
}

/** Distance of the second transition; negative for transmons. */
export const anharmonicityGhz = ({ qid }: DemoQubit): number => -between(0.27, 0.33, 'anharmonicity', qid);

/** Mean of both assignment fidelities. */
export const readoutFidelity = ({ qid }: DemoQubit): number =>
  qid === BAD_QID ? 0.77 : between(0.945, 0.991, 'readout', qid);

/** X90 gate: the limit that coherence sets, and what control adds. */
export const x90Fidelity = (qubit: DemoQubit, day: number): number =>
  1 - coherenceLimit(qubit, day, 32) - between(2e-4, 22e-4, 'x90', qubit.qid);

/** ZX90 gate of 300 ns. */
export function zx90Fidelity({ control, target }: DemoCoupling, day: number): number {
  const limit = coherenceLimit(control, day, 300) + coherenceLimit(target, day, 300);
  return 1 - limit - between(0.008, 0.035, 'zx90', control.qid, target.qid);
}

/** A Bell state takes one ZX90, and its tomography suffers from readout. */
export const bellFidelity = (coupling: DemoCoupling, day: number): number =>
  zx90Fidelity(coupling, day) - between(0.01, 0.04, 'bell', coupling.control.qid, coupling.target.qid);

/**
 * Error of one qubit idling for a gate: (1 − ⅔·exp(−t/T2) − ⅓·exp(−t/T1)) / 2, the coherence limit as Qiskit
 * Experiments computes it (`qiskit_experiments.library.randomized_benchmarking.RBUtils.coherence_limit`).
 */
function coherenceLimit(qubit: DemoQubit, day: number, gateNs: number): number {
  const gateUs = gateNs / 1000;
  const t1 = t1Us(qubit, day);
  const t2 = t2EchoUs(qubit, day);
  return (1 - (2 / 3) * Math.exp(-gateUs / t2) - (1 / 3) * Math.exp(-gateUs / t1)) / 2;
}
