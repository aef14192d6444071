/** Reads the record of an IBM device from its two files. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { ChipRecord, Reading } from './chip-record.ts';
import { shownValue } from './parameters.ts';

const record = z.object({ name: z.string(), value: z.number(), date: z.iso.datetime({ offset: true }) });
type IbmRecord = z.infer<typeof record>;
const properties = z.object({
  qubits: z.array(z.array(record)),
  gates: z.array(z.object({ gate: z.string(), qubits: z.array(z.number()), parameters: z.array(record) })),
});
const configuration = z.object({ coupling_map: z.array(z.tuple([z.number(), z.number()])) });

/** Which of our parameters a record of a qubit is, and how its number becomes ours. */
const OF_QUBITS: ReadonlyMap<string, readonly [parameter: string, ours: (value: number) => number]> = new Map(
  [
    ['T1', ['t1', (value: number) => value]],
    ['T2', ['t2_echo', (value: number) => value]],
    ['frequency', ['qubit_frequency', (value: number) => value]],
    ['anharmonicity', ['anharmonicity', (value: number) => value]],
    ['readout_error', ['average_readout_fidelity', (value: number) => 1 - value]],
  ] as const,
);
const OF_GATES: ReadonlyMap<string, string> = new Map([
  ['sx', 'x90_gate_fidelity'],
  ['ecr', 'zx90_gate_fidelity'],
  ['cx', 'zx90_gate_fidelity'],
]);

/** The files of a device below `folder`, as IBM names them. */
export const ibmFiles = (folder: string, device: string): readonly string[] => [
  join(folder, `props_${device}.json`),
  join(folder, `conf_${device}.json`),
];

/** Reads one device; its chip is named as the device. */
export async function readIbmRecord(folder: string, device: string): Promise<ChipRecord> {
  const [propsFile = '', confFile = ''] = ibmFiles(folder, device);
  const { qubits, gates } = properties.parse(JSON.parse(await readFile(propsFile, 'utf8')));
  const { coupling_map: pairs } = configuration.parse(JSON.parse(await readFile(confFile, 'utf8')));
  const all = [
    ...qubits.flatMap((records, index) => ofQubit(String(index), records)),
    ...gates.flatMap(({ gate, qubits: ends, parameters }) =>
      parameters
        .filter(({ name }) => name === 'gate_error')
        .flatMap((error) => reading(ends.join('-'), OF_GATES.get(gate), 1 - error.value, error.date)),
    ),
  ];
  const qids = qubits.map((_, index) => String(index));
  return {
    chipId: device,
    qids,
    // A gate error of 1 and an anharmonicity of 0 mean that there is no measurement.
    readings: all.filter(({ value }) => value !== 0),
    runs: [],
    executions: [],
    remarks: [],
    versions: [],
    neighbours: new Map(qids.map((qid) => [qid, neighboursIn(pairs, Number(qid))])),
  };
}

const ofQubit = (qid: string, records: readonly IbmRecord[]): readonly Reading[] =>
  records.flatMap(({ name, value, date }) => {
    const [parameter, ours] = OF_QUBITS.get(name) ?? [];
    return ours === undefined ? [] : reading(qid, parameter, ours(value), date);
  });

const reading = (qid: string, parameter: string | undefined, value: number, date: string): Reading[] =>
  parameter === undefined
    ? []
    : [{ qid, parameter, value: shownValue(parameter, value), at: new Date(date) }];

const neighboursIn = (pairs: readonly (readonly [number, number])[], qubit: number): readonly string[] =>
  [...new Set(pairs.flatMap(([a, b]) => (a === qubit ? [b] : b === qubit ? [a] : [])))]
    .toSorted((a, b) => a - b)
    .map(String);
