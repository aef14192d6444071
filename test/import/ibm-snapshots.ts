import { parseIbmSnapshot, type IbmSnapshot } from '../../src/sources/ibm/ibm-json.ts';

/** One value as an IBM file has it. */
export const record = (name: string, value: unknown, unit = '', date = '2026-01-10T08:00:00-05:00') => ({
  name,
  value,
  unit,
  date,
});

/** A two-qubit gate's entry. */
export const gate = (name: string, qubits: readonly number[], error: unknown, date?: string) => ({
  gate: name,
  name: `${name}${qubits.join('_')}`,
  qubits,
  parameters: [record('gate_error', error, '', date), record('gate_length', 300, 'ns', date)],
});

/** A small made-up device; parts may be replaced. */
export function snapshotOf(parts: {
  readonly at?: string;
  readonly qubits: readonly (readonly ReturnType<typeof record>[])[];
  readonly gates?: readonly ReturnType<typeof gate>[];
  readonly configuration?: Readonly<Record<string, unknown>>;
}): IbmSnapshot {
  const props = {
    backend_name: 'ibm_tiny',
    last_update_date: parts.at ?? '2026-01-10T12:00:00-05:00',
    qubits: parts.qubits,
    gates: parts.gates ?? [],
  };
  const conf = { backend_name: 'ibm_tiny', n_qubits: parts.qubits.length, ...parts.configuration };
  return parseIbmSnapshot(
    { name: 'props.json', text: JSON.stringify(props) },
    { name: 'conf.json', text: JSON.stringify(conf) },
  );
}
