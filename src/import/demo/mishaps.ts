/** Everything that goes wrong in the demo laboratory, so that it shows the cases of a real one. */
import { DEMO_DAYS, type DemoCoupling } from './device.ts';
import type { Measured } from './tasks.ts';
import { uniform } from './random.ts';

const NEWEST = DEMO_DAYS - 1;

/** What a mishap does to one run of a task. */
export type Mishap =
  | { readonly kind: 'failed'; readonly message: string; readonly r2: number }
  | { readonly kind: 'excluded'; readonly reason: string; readonly factor: number };

/** A qubit whose readout line is broken: it never had a readout result. */
const NO_READOUT_QID = '58';

/** A run of the whole chip that broke off: only its first so many qubits were measured. */
const BROKEN_OFF = { day: 41, qubits: 10, message: 'Stopped: mixing chamber above 30 mK' };

/** Whether `task` was run on `qid` at all on `day`. */
export const wasRun = (task: string, qid: string, day: number): boolean =>
  !(task === 'ReadoutClassification' && qid === NO_READOUT_QID) &&
  !(isBrokenOff(day) && Number(qid) >= BROKEN_OFF.qubits);

/** Whether the one-qubit execution of `day` failed. */
export const isBrokenOff = (day: number): boolean => day === BROKEN_OFF.day;
/** Why it failed. */
export const BROKEN_OFF_MESSAGE = BROKEN_OFF.message;

const PLANNED: ReadonlyMap<string, Mishap> = new Map([
  // The newest run of Q12 failed: its value of the day before still holds and must not be hidden by it.
  [`CheckT1/12/${NEWEST}`, failedFit(0.31)],
  [
    `CheckT1/18/${NEWEST}`,
    { kind: 'excluded', reason: 'Pulse tube was vibrating during this run', factor: 0.4 },
  ],
  [
    `CheckT1/5/${NEWEST - 9}`,
    { kind: 'excluded', reason: 'Fit ran away: decay longer than the window', factor: 4.7 },
  ],
  [
    `ReadoutClassification/33/${NEWEST - 2}`,
    { kind: 'excluded', reason: 'Local oscillator unlocked', factor: 0.62 },
  ],
]);

/** What happened to one run, null for most. One in two hundred fits fails by chance. */
export function mishapOf(task: string, qid: string, day: number): Mishap | null {
  const planned = PLANNED.get(`${task}/${qid}/${day}`);
  if (planned !== undefined) return planned;
  return day < NEWEST && uniform('failure', task, qid, day) < 0.005
    ? failedFit(0.4 + 0.3 * uniform('r2', task, qid, day))
    : null;
}

function failedFit(r2: number): Mishap {
  return { kind: 'failed', r2, message: `R² of ${r2.toFixed(2)} is not above 0.70: outputs discarded` };
}

/** The measured values as the mishap left them. */
export const afterMishap = (values: readonly Measured[], mishap: Mishap | null): readonly Measured[] => {
  switch (mishap?.kind) {
    case undefined:
      return values;
    case 'failed':
      return [];
    case 'excluded':
      return values.map((measured) => ({ ...measured, value: measured.value * mishap.factor }));
  }
};

const OUT_OF_ORDER = new Set(['0-1', '36-38']);

/**
 * The coupling's id. Two couplings are operated against the checkerboard: their values are stored under the
 * direction in which the gate works, and the twin is empty.
 */
export function couplingIdOf({ control, target }: DemoCoupling): string {
  const planned = `${control.qid}-${target.qid}`;
  return OUT_OF_ORDER.has(planned) ? `${target.qid}-${control.qid}` : planned;
}

/** Remarks of people on qubits. */
export const QUBIT_NOTES: ReadonlyMap<string, string> = new Map([
  ['45', 'Two-level defect at 4.6 GHz; not to be used for experiments in this cool-down.'],
  ['27', 'T1 has been falling for three weeks. Watch it; thermal cycle planned.'],
  ['58', 'Readout line open since assembly.'],
]);

/** Remark on the chip. */
export const CHIP_NOTE = 'Second cool-down. Q45 is known to be bad, the readout of Q58 is not connected.';
