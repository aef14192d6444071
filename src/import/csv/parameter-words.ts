/** How laboratories write the names of parameters in their tables. */
import type { MetricCatalog } from '../../domain/values/metric.ts';

/** A parameter by its name here; `isError` where the table lists its error rate, one minus the fidelity. */
export type ParameterWord = { readonly parameter: string; readonly isError: boolean };

/** What a text may mean. An unknown plain name is the laboratory's own parameter. */
export type ParameterReading =
  | { readonly type: 'known'; readonly word: ParameterWord }
  | { readonly type: 'own'; readonly word: ParameterWord }
  /** Ambiguous between two known parameters; the message names what to write. */
  | { readonly type: 'ambiguous'; readonly message: string }
  /** No name of anything. */
  | { readonly type: 'invalid'; readonly message: string };

/** Our name, and others that mean the same. */
const OTHER_NAMES: readonly (readonly [parameter: string, ...names: string[]])[] = [
  ['qubit_frequency', 'frequency', 'freq', 'qubit_freq', 'f01', 'f_01', 'fq', 'f_q'],
  ['readout_frequency', 'readout_freq'],
  ['anharmonicity', 'anharm', 'alpha'],
  ['t2_echo', 't2e', 't2echo', 't2_hahn', 't2_hahn_echo', 't2_spin_echo'],
  ['t2_star', 't2*', 't2star', 't2_ramsey'],
  ['average_readout_fidelity', 'readout_fidelity', 'assignment_fidelity', 'readout_assignment_fidelity'],
  ['x90_gate_fidelity', 'x90_fidelity', 'sx_fidelity', 'sx_gate_fidelity'],
  ['x180_gate_fidelity', 'x180_fidelity'],
  [
    'zx90_gate_fidelity',
    'zx90_fidelity',
    'ecr_fidelity',
    'ecr_gate_fidelity',
    'cx_fidelity',
    'cx_gate_fidelity',
    'cnot_fidelity',
    'cnot_gate_fidelity',
  ],
  ['cz_gate_fidelity', 'cz_fidelity'],
  ['average_gate_fidelity', 'gate_fidelity', 'rb_fidelity'],
  ['bell_state_fidelity', 'bell_fidelity'],
  ['static_zz_interaction', 'static_zz', 'zz'],
];

/** Names of errors: of each, one minus the value is the parameter. */
const ERROR_NAMES: readonly (readonly [parameter: string, ...names: string[]])[] = [
  ['average_readout_fidelity', 'readout_error', 'assignment_error', 'readout_assignment_error'],
  ['x90_gate_fidelity', 'x90_error', 'x90_gate_error', 'sx_error', 'sx_gate_error', '√x_sx_error'],
  ['x180_gate_fidelity', 'x180_error', 'x180_gate_error', 'pauli_x_error'],
  [
    'zx90_gate_fidelity',
    'zx90_error',
    'zx90_gate_error',
    'ecr_error',
    'ecr_gate_error',
    'cx_error',
    'cx_gate_error',
    'cnot_error',
    'cnot_gate_error',
  ],
  ['cz_gate_fidelity', 'cz_error', 'cz_gate_error'],
  ['average_gate_fidelity', 'average_gate_error', 'gate_error', 'rb_error'],
];

const byName = (lists: typeof OTHER_NAMES): ReadonlyMap<string, string> =>
  new Map(lists.flatMap(([parameter, ...names]) => names.map((name) => [name, parameter] as const)));

const PARAMETERS = byName(OTHER_NAMES);
const ERRORS = byName(ERROR_NAMES);

/** Names that mean two things in two laboratories. */
const AMBIGUOUS: ReadonlyMap<string, string> = new Map([
  ['t2', 'T2 may be the echo time or the Ramsey time: write t2_echo or t2_star'],
]);

/** Names become field names in the database. */
const PLAIN_NAME = /^[a-z][a-z0-9_]{0,99}$/u;

/** Reads the name of a parameter, however it is spelled. */
export function readParameter(text: string, metrics: MetricCatalog): ParameterReading {
  const key = wordKey(text);
  const choices = AMBIGUOUS.get(key);
  if (choices !== undefined) return { type: 'ambiguous', message: choices };
  const metric = metrics.metrics.find(({ name, title }) => name === key || wordKey(title) === key);
  const parameter = metric?.name ?? PARAMETERS.get(key);
  if (parameter !== undefined) return { type: 'known', word: { parameter, isError: false } };
  const failing = ERRORS.get(key);
  if (failing !== undefined) return { type: 'known', word: { parameter: failing, isError: true } };
  if (PLAIN_NAME.test(key)) return { type: 'own', word: { parameter: key, isError: false } };
  return {
    type: 'invalid',
    message: `${JSON.stringify(text)} cannot be a parameter: use a letter, then letters, digits and _`,
  };
}

/**
 * Every parameter that a text mentions, each by the longest words that name it: `T2 echo times` mentions T2 Echo only.
 * Ambiguous names are among them, unknown words are not.
 */
export function mentionedParameters(text: string, metrics: MetricCatalog): readonly ParameterReading[] {
  const words = wordKey(text).split('_');
  const found: ParameterReading[] = [];
  for (let start = 0; start < words.length;) {
    let end = words.length;
    for (; end > start; end -= 1) {
      const reading = readParameter(words.slice(start, end).join('_'), metrics);
      if (reading.type === 'own' || reading.type === 'invalid') continue;
      if (!found.some((other) => JSON.stringify(other) === JSON.stringify(reading))) found.push(reading);
      break;
    }
    start = Math.max(end, start + 1);
  }
  return found;
}

/** `Readout assignment error`, `readout-assignment-error` and `READOUT_ASSIGNMENT_ERROR` are one. */
export const wordKey = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[()[\]]/gu, ' ')
    .trim()
    .replaceAll(/[\s\-./_]+/gu, '_');
