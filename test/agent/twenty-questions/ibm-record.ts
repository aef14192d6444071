import { readFile } from 'node:fs/promises';
import { sharedPath } from '../../support/shared-data.ts';
import { SHOWN_TIMES, type LabRecord, type Reading } from './lab-record.ts';

type IbmValue = { name: string; value: number; unit: string; date: string };
type Properties = {
  qubits: IbmValue[][];
  gates: { gate: string; qubits: number[]; parameters: IbmValue[] }[];
};
type Configuration = { coupling_map: [number, number][] };

/** Which of our parameters a record of a qubit is, and how its number becomes ours. */
const QUBIT_RECORDS: Readonly<Record<string, readonly [parameter: string, ours: (value: number) => number]>> =
  {
    T1: ['t1', (value) => value],
    T2: ['t2_echo', (value) => value],
    frequency: ['qubit_frequency', (value) => value],
    anharmonicity: ['anharmonicity', (value) => value],
    readout_error: ['average_readout_fidelity', (value) => 1 - value],
  };
const GATE_PARAMETERS: Readonly<Record<string, string>> = {
  sx: 'x90_gate_fidelity',
  ecr: 'zx90_gate_fidelity',
  cx: 'zx90_gate_fidelity',
};

/** One of the given devices, read from its two files. `now` is when it is asked about. */
export async function readIbmRecord(device: string, now: Date): Promise<LabRecord> {
  const { qubits, gates } = await readJson<Properties>(`props_${device}`);
  const { coupling_map: pairs } = await readJson<Configuration>(`conf_${device}`);
  const all = [...qubits.flatMap(readingsOfQubit), ...gates.flatMap(readingsOfGate)];
  // A gate error of 1 and an anharmonicity of 0 mean that there is no measurement.
  const readings = all.filter(({ value, parameter }) => value !== 0 || parameter === 't1');
  const t1OfQubit = new Map(readings.filter(({ parameter }) => parameter === 't1').map((r) => [r.qid, r]));
  const isTooLong = ({ parameter, qid, value }: Reading): boolean =>
    parameter === 't2_echo' && value > 2 * (t1OfQubit.get(qid)?.value ?? Number.POSITIVE_INFINITY);
  const isCoin = ({ parameter, value }: Reading): boolean =>
    parameter === 'average_readout_fidelity' && value <= 50;
  return {
    chipId: device,
    projectId: device,
    now,
    subject: '3',
    qids: qubits.map((_, index) => `${index}`),
    readings,
    runs: readings
      .filter(({ parameter }) => parameter === 't1')
      .map(({ qid, value, at }) => ({
        taskId: '',
        task: 'CheckT1',
        qid,
        status: 'completed',
        excluded: false,
        endAt: at,
        t1: value,
      })),
    // A snapshot is one execution.
    executionStatuses: ['completed'],
    remarks: all.filter((each) => isTooLong(each) || isCoin(each)).map(({ qid }) => qid),
    versions: [],
    neighbours: Object.fromEntries(
      qubits.map((_, index) => [
        `${index}`,
        [...new Set(pairs.flatMap(([a, b]) => (a === index ? [b] : b === index ? [a] : [])))]
          .toSorted((a, b) => a - b)
          .map(String),
      ]),
    ),
    parameters: [...new Set(readings.map(({ parameter }) => parameter))].toSorted(),
  };
}

const readJson = async <Content>(name: string): Promise<Content> =>
  JSON.parse(await readFile(sharedPath(`data/ibm-backends/${name}.json`), 'utf8')) as Content;

const shown = (parameter: string, value: number): number => value * (SHOWN_TIMES[parameter] ?? 1);

const readingsOfQubit = (records: readonly IbmValue[], index: number): readonly Reading[] =>
  records.flatMap(({ name, value, date }) => {
    const known = QUBIT_RECORDS[name];
    if (known === undefined) return [];
    const [parameter, ours] = known;
    return [{ qid: `${index}`, parameter, value: shown(parameter, ours(value)), at: new Date(date) }];
  });

const readingsOfGate = ({ gate, qubits, parameters }: Properties['gates'][number]): readonly Reading[] =>
  parameters.flatMap(({ name, value, date }) => {
    const parameter = GATE_PARAMETERS[gate];
    if (parameter === undefined || name !== 'gate_error') return [];
    return [{ qid: qubits.join('-'), parameter, value: shown(parameter, 1 - value), at: new Date(date) }];
  });
