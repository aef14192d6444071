/**
 * Which parameter each record of a snapshot becomes. Fidelities are 1 - error; the mark of a disabled gate, an error of
 * 1 or more, thereby stays visible as a fidelity of 0 or less.
 */
import { unitFactor } from '../../domain/values/units.ts';

/** How a record is read; numbers in the functions are those of the file. */
export type Rule = {
  readonly parameter: string;
  /** As stored. */
  readonly unit: string;
  /** Null for a unit that does not fit. */
  readonly convert: (value: number, unit: string) => number | null;
  /** Why the number is a placeholder and not taken. */
  readonly placeholder: (raw: number) => string | null;
  /** Why the number is no measurement; taken, but excluded. */
  readonly unusable: (raw: number) => string | null;
  readonly doubt: (raw: number) => string | null;
  /** Why the number says that the gate is disabled. */
  readonly mark: (raw: number) => string | null;
};

const never = () => null;
const PLAIN = { placeholder: never, unusable: never, doubt: never, mark: never };

const inUnit = (unit: string) => ({
  unit,
  convert: (value: number, from: string) => {
    const factor = unitFactor(from, unit);
    return factor === null ? null : value * factor;
  },
});
const fidelity = {
  unit: 'a.u.',
  convert: (error: number, unit: string) => (unit === '' ? 1 - error : null),
};

const notProbability = (raw: number) =>
  raw >= 0 && raw <= 1 ? null : `an error of ${raw} is not a probability`;
const zeroIsNoMeasurement = (raw: number) => (raw === 0 ? 'exactly 0: not measured' : null);

const MICROSECONDS = { ...PLAIN, ...inUnit('\u03bcs') };
const NANOSECONDS = { ...PLAIN, ...inUnit('ns') };
const GIGAHERTZ = { ...PLAIN, ...inUnit('GHz') };
const ASSIGNMENT = {
  ...PLAIN,
  ...fidelity,
  unusable: notProbability,
  doubt: (raw: number) =>
    raw >= 0.5 ? `the state is read wrongly with a probability of ${raw}, no better than a coin toss` : null,
};

/** IBM's T2 is a Hahn echo: https://quantum.cloud.ibm.com/docs/guides/qpu-information */
export const QUBIT_RULES: ReadonlyMap<string, Rule> = new Map([
  ['T1', { ...MICROSECONDS, parameter: 't1' }],
  ['T2', { ...MICROSECONDS, parameter: 't2_echo' }],
  ['frequency', { ...GIGAHERTZ, parameter: 'qubit_frequency' }],
  ['anharmonicity', { ...GIGAHERTZ, parameter: 'anharmonicity' }],
  [
    'readout_error',
    {
      ...ASSIGNMENT,
      parameter: 'average_readout_fidelity',
      // Where it is 1, both probabilities are missing.
      unusable: (raw: number) =>
        raw === 1 ? 'a readout error of exactly 1 means that none was measured' : notProbability(raw),
      doubt: (raw: number) =>
        raw >= 0.5 && raw < 1
          ? `a readout error of ${raw} distinguishes the states no better than a coin toss`
          : null,
    },
  ],
  ['prob_meas1_prep0', { ...ASSIGNMENT, parameter: 'readout_fidelity_0' }],
  ['prob_meas0_prep1', { ...ASSIGNMENT, parameter: 'readout_fidelity_1' }],
  ['readout_length', { ...NANOSECONDS, parameter: 'readout_length' }],
]);

/** Records of a pair of qubits in `general`, by the first part of their names. Devices without them write 0. */
export const PAIR_RULES: ReadonlyMap<string, Rule> = new Map([
  ['jq', { ...GIGAHERTZ, parameter: 'coupling_strength', placeholder: zeroIsNoMeasurement }],
  ['zz', { ...GIGAHERTZ, parameter: 'static_zz_interaction', placeholder: zeroIsNoMeasurement }],
]);

/** Gates whose parameters have names of QDash; of all others the gate's own name is taken. */
const GATE_NAMES: ReadonlyMap<string, string> = new Map([
  ['sx', 'x90'],
  ['x', 'x180'],
  ['ecr', 'zx90'],
  ['cx', 'zx90'],
]);

/** The name of a gate in its parameters. */
export const gateName = (gate: string): string => GATE_NAMES.get(gate) ?? gate.toLowerCase();

export const isGateName = (name: string): boolean => /^[a-z]\w{0,30}$/u.test(name);

/** The rule for a record of a gate; null for a name that cannot become a parameter, and for other records. */
export function gateRule(gate: string, record: string, isVirtual: boolean): Rule | null {
  const name = gateName(gate);
  if (!isGateName(name)) return null;
  if (record === 'gate_error') {
    return {
      ...PLAIN,
      ...fidelity,
      parameter: `${name}_gate_fidelity`,
      placeholder: (raw) =>
        raw !== 0 ? null : isVirtual ? 'a virtual gate has no error' : 'exactly 0: not measured',
      unusable: (raw) => (raw >= 0 ? null : notProbability(raw)),
      mark: (raw) => (raw >= 1 ? `a gate error of ${raw} is the vendor's mark for a disabled gate` : null),
    };
  }
  if (record === 'gate_length') {
    return {
      ...NANOSECONDS,
      parameter: gate === 'reset' ? 'reset_time' : `${name}_gate_time`,
      placeholder: (raw) => (raw === 0 && isVirtual ? 'a virtual gate takes no time' : null),
    };
  }
  return null;
}
