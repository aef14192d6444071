/** What the fake control server answers, in both shapes that a live source may have. */
import { uniform } from '../random.ts';
import type { DriftedValue } from './drift.ts';

const MINUTE_MS = 60_000;
const TASKS = ['CheckT1', 'CheckRamsey', 'CheckT2Echo', 'ReadoutClassification'];

/** The small shape, with everything that was measured. */
export function smallAnswer(chip: string, values: readonly DriftedValue[], seed: number, now: Date): object {
  const minute = Math.floor(now.getTime() / MINUTE_MS);
  return {
    chip,
    at: now.toISOString(),
    values: values.map(({ qid, parameter, value, unit, error, at }) => ({
      [qid.includes('-') ? 'coupling' : 'qid']: qid,
      parameter,
      value,
      unit,
      error,
      at: at.toISOString(),
    })),
    state: {
      running: TASKS[minute % TASKS.length],
      queue: Math.floor(4 * uniform(seed, 'queue', minute)),
      fridgeTemperatureMk: 11 + 0.8 * uniform(seed, 'fridge', minute),
    },
  };
}

type IbmRule = { readonly name: string; readonly unit: string; readonly convert: (value: number) => number };

const same = (value: number): number => value;
const errorOf = (fidelity: number): number => 1 - fidelity;

const QUBIT_RECORDS: ReadonlyMap<string, IbmRule> = new Map([
  ['t1', { name: 'T1', unit: 'us', convert: same }],
  ['t2_echo', { name: 'T2', unit: 'us', convert: same }],
  ['qubit_frequency', { name: 'frequency', unit: 'GHz', convert: same }],
  ['anharmonicity', { name: 'anharmonicity', unit: 'GHz', convert: same }],
  ['average_readout_fidelity', { name: 'readout_error', unit: '', convert: errorOf }],
]);

const GATES: ReadonlyMap<string, string> = new Map([
  ['x90_gate_fidelity', 'sx'],
  ['zx90_gate_fidelity', 'ecr'],
]);

/** The backend-properties shape, with what it has names for. `qubits` is the number of qubits. */
export function backendProperties(
  chip: string,
  qubits: number,
  values: readonly DriftedValue[],
  now: Date,
): object {
  return {
    backend_name: `fake_${chip}`,
    backend_version: '1.0.0',
    last_update_date: now.toISOString(),
    qubits: Array.from({ length: qubits }, (_, index) =>
      values
        .filter(({ qid }) => qid === String(index))
        .flatMap(({ parameter, value, at }) => {
          const rule = QUBIT_RECORDS.get(parameter);
          if (rule === undefined) return [];
          const { name, unit, convert } = rule;
          return [{ date: at.toISOString(), name, unit, value: convert(value) }];
        }),
    ),
    gates: values.flatMap(({ qid, parameter, value, at }) => {
      const gate = GATES.get(parameter);
      if (gate === undefined) return [];
      const ends = qid.split('-').map(Number);
      const error = { date: at.toISOString(), name: 'gate_error', unit: '', value: errorOf(value) };
      return [{ gate, name: `${gate}${ends.join('_')}`, qubits: ends, parameters: [error] }];
    }),
    general: [],
  };
}
