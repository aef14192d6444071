import { readFile } from 'node:fs/promises';
import { sharedPath } from '../../support/shared-data.ts';
import { SHOWN_TIMES, type LabRecord, type Reading } from './lab-record.ts';

type IbmValue = { name: string; value: number; unit: string; date: string };
type Properties = {
  qubits: IbmValue[][];
  gates: { gate: string; qubits: number[]; parameters: IbmValue[] }[];
  general: IbmValue[];
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
    prob_meas1_prep0: ['readout_fidelity_0', (value) => 1 - value],
    prob_meas0_prep1: ['readout_fidelity_1', (value) => 1 - value],
    readout_length: ['readout_length', (value) => value],
  };
const GATES: Readonly<Record<string, string>> = { sx: 'x90', x: 'x180', id: 'id', ecr: 'zx90', cx: 'zx90' };
const PAIRS: Readonly<Record<string, string>> = { jq: 'coupling_strength', zz: 'static_zz_interaction' };

/** One of the given devices, read from its two files. `now` is when it is asked about. */
export async function readIbmRecord(device: string, now: Date): Promise<LabRecord> {
  const { qubits, gates, general } = await readJson<Properties>(`props_${device}`);
  const { coupling_map: pairs } = await readJson<Configuration>(`conf_${device}`);
  const readingsOfPair = ({ name, value, date }: IbmValue): readonly Reading[] => {
    const [kind = '', digits = ''] = name.split('_');
    const parameter = PAIRS[kind];
    const pair = pairs.find(([a, b]) => `${a}${b}` === digits);
    if (parameter === undefined || pair === undefined) return [];
    return [{ qid: pair.join('-'), parameter, value: shown(parameter, value), at: new Date(date) }];
  };
  const all = [
    ...qubits.flatMap(readingsOfQubit),
    ...gates.flatMap(readingsOfGate),
    ...general.flatMap(readingsOfPair),
  ];
  // A gate error of 1 and an anharmonicity of 0 mean that there is no measurement.
  const readings = all.filter(({ value, parameter }) => value !== 0 || parameter === 't1');
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
    // Doubts of the importer are none of people.
    remarks: [],
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
    const own = GATES[gate];
    const isError = name === 'gate_error';
    const parameter = own && (isError ? `${own}_gate_fidelity` : `${own}_gate_time`);
    const kept = gate === 'reset' ? 'reset_time' : parameter;
    // Of rz nothing is taken: it is virtual.
    if (kept === undefined) return [];
    return [
      {
        qid: qubits.join('-'),
        parameter: kept,
        value: shown(kept, isError ? 1 - value : value),
        at: new Date(date),
      },
    ];
  });
