import {
  joinIbmFiles,
  parseIbmFile,
  type IbmFile,
  type IbmSnapshot,
} from '../../src/sources/ibm/ibm-json.ts';

/** Later than all snapshots of the tests. */
export const NOW = new Date('2026-06-01T00:00:00Z');

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
  readonly general?: readonly ReturnType<typeof record>[];
  readonly lists?: readonly { readonly name: string; readonly qubits: readonly number[] }[];
  readonly configuration?: Readonly<Record<string, unknown>>;
}): IbmSnapshot {
  const props = {
    backend_name: 'ibm_tiny',
    last_update_date: parts.at ?? '2026-01-10T12:00:00-05:00',
    qubits: parts.qubits,
    gates: parts.gates ?? [],
    general: parts.general,
    general_qlists: parts.lists,
  };
  const conf = { backend_name: 'ibm_tiny', n_qubits: parts.qubits.length, ...parts.configuration };
  return joined(
    { name: 'props.json', text: JSON.stringify(props) },
    { name: 'conf.json', text: JSON.stringify(conf) },
  );
}

/** A snapshot of two texts. */
export function joined(
  properties: { readonly name: string; readonly text: string },
  configuration: { readonly name: string; readonly text: string },
): IbmSnapshot {
  return joinIbmFiles(
    parseIbmFile(properties) as IbmFile<'properties'>,
    parseIbmFile(configuration) as IbmFile<'configuration'>,
    NOW,
  );
}
