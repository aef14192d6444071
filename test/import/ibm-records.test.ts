import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { importIbmSnapshot, type IbmImport } from '../../src/import/ibm-backend.ts';
import { readIbmSnapshots } from '../../src/import/ibm-files.ts';
import { shippedMetrics } from '../support/catalogue.ts';
import { describeWithSharedData, sharedPath } from '../support/shared-data.ts';
import { NOW } from './ibm-snapshots.ts';

type Raw = { name: string; value: number; unit: string; date: string };
type RawFile = {
  qubits: Raw[][];
  gates: { gate: string; qubits: number[]; parameters: Raw[] }[];
  general: Raw[];
};

const sum = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((a, b) => a + b, 0);

function countBy<T>(items: readonly T[], key: (item: T) => string): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(items, key)].map(([name, same]) => [name, same.length]));
}

/** Records of a file by name, without any code of the importer. */
const recordsIn = ({ qubits, gates, general }: RawFile): Record<string, number> =>
  countBy(
    [
      ...qubits.flat().map(({ name }) => name),
      ...gates.flatMap(({ gate, parameters }) => parameters.map(({ name }) => `${gate} ${name}`)),
      ...general.map(({ name }) => name.split('_')[0]!),
    ],
    (name) => name,
  );

/** Records that are reported, by name. */
const recordsTold = ({ values, layers, leftOut }: IbmImport): Record<string, number> =>
  countBy(
    [...values.map(({ label }) => label), ...layers.map(() => 'lf'), ...leftOut.map(({ record }) => record)],
    (name) => name,
  );

/** How many records the files hold and how many of them say nothing, counted by hand (jq) and by another program. */
const COUNTED = {
  'ibm-backends/props_manila.json': { records: 109, 'virtual gates': 10, zeros: 0 },
  'ibm-backends/props_auckland.json': { records: 627, 'virtual gates': 54, zeros: 0 },
  'ibm-backends/props_brisbane.json': { records: 2832, 'virtual gates': 254, zeros: 7 },
  'ibm-backends/props_torino.json': { records: 3858, 'virtual gates': 266, zeros: 300 },
  'ibm-backends/props_poughkeepsie.json': { records: 372, 'virtual gates': 40, zeros: 0 },
  'ibm-history/props_fez.2025-01-22.json': { records: 4247, 'virtual gates': 312, zeros: 352 },
  'ibm-history/props_fez.2025-01-23.json': { records: 4509, 'virtual gates': 312, zeros: 352 },
  'ibm-history/props_fez.2025-02-26.json': { records: 4509, 'virtual gates': 312, zeros: 352 },
  'ibm-history/props_nairobi.2021-12-09.json': { records: 155, 'virtual gates': 14, zeros: 0 },
  'ibm-history/props_nairobi.2024-05-27.json': { records: 155, 'virtual gates': 14, zeros: 0 },
};

describeWithSharedData('every record of every file', () => {
  const load = async (name: string) => {
    const path = sharedPath(`data/${name}`);
    const [snapshot] = await readIbmSnapshots([path, path.replace('/props_', '/conf_')], NOW);
    return {
      raw: JSON.parse(readFileSync(path, 'utf8')) as RawFile,
      imported: importIbmSnapshot(snapshot!, 'p', 'chip', NOW),
    };
  };

  test('the list of files is whole', () => {
    const found = ['ibm-backends', 'ibm-history'].flatMap((folder) =>
      readdirSync(sharedPath(`data/${folder}`)).flatMap((name) =>
        name.startsWith('props_') ? [`${folder}/${name}`] : [],
      ),
    );
    expect(found.toSorted()).toEqual(Object.keys(COUNTED).toSorted());
  });

  test.each(Object.entries(COUNTED))(
    '%s: is imported, or reported as not imported with its reason',
    async (name, counted) => {
      const { raw, imported } = await load(name);
      expect(sum(recordsIn(raw))).toBe(counted.records);
      expect(recordsTold(imported)).toEqual(recordsIn(raw));
      const reasons = countBy(imported.leftOut, ({ reason, isFault }) =>
        isFault ? `fault: ${reason}` : reason.includes('virtual') ? 'virtual gates' : 'zeros',
      );
      const { 'virtual gates': virtual, zeros } = counted;
      expect(reasons).toEqual({ 'virtual gates': virtual, ...(zeros > 0 ? { zeros } : {}) });
    },
  );

  test.each(Object.keys(COUNTED))('%s: each value is that of its record, at its own time', async (name) => {
    const { raw, imported } = await load(name);
    const inFile = new Map([
      ...raw.qubits.flatMap((records, qubit) =>
        records.map((record) => [`${record.name} ${qubit}`, record] as const),
      ),
      ...raw.gates.flatMap(({ gate, qubits, parameters }) =>
        parameters.map((record) => [`${gate} ${record.name} ${qubits.join('-')}`, record] as const),
      ),
      ...raw.general.map((record) => [record.name, record] as const),
    ]);
    for (const { label, qid, value, unit, measuredAt, origin } of imported.values) {
      const [a, b] = qid.split('-');
      const record =
        inFile.get(`${label} ${qid}`) ?? inFile.get(`${label}_${a}${b}`) ?? inFile.get(`${label}_${b}${a}`);
      expect([label, qid, record?.value]).toEqual([label, qid, origin.value]);
      expect(measuredAt).toEqual(new Date(record!.date));
      const isError = /error|prob_/u.test(label);
      expect(value).toBe(isError ? 1 - record!.value : record!.value);
      expect(unit).toBe(isError ? 'a.u.' : record!.unit.replace(/^[uµ]s$/u, 'μs'));
    }
  });

  test.each(Object.keys(COUNTED))('%s: each parameter is in the catalogue', async (name) => {
    const { imported } = await load(name);
    const unknown = imported.values.filter(
      ({ parameter, kind }) =>
        shippedMetrics.find(parameter, kind === 'qubit' ? 'QUBIT' : 'COUPLING') === null,
    );
    expect(new Set(unknown.map(({ parameter }) => parameter))).toEqual(new Set());
  });

  test('gates that the vendor disabled keep the mark', async () => {
    const { imported } = await load('ibm-backends/props_torino.json');
    const marked = imported.values.filter(({ mark }) => mark !== null);
    expect(countBy(marked, ({ parameter }) => parameter)).toEqual({
      cz_gate_fidelity: 22,
      rzz_gate_fidelity: 300,
    });
    expect(marked.every(({ value, unusable }) => value === 0 && unusable === null)).toBe(true);
  });

  test('layer fidelities stand in the machine note of the execution, with their qubits and times', async () => {
    const { raw, imported } = await load('ibm-backends/props_brisbane.json');
    const [note] = imported.documents.calibrationNotes;
    const layers = note?.note['layer_fidelity'] as Record<string, object>;
    const inFile = raw.general.filter(({ name }) => name.startsWith('lf_'));
    expect(Object.keys(layers)).toEqual(inFile.map(({ name }) => name));
    expect(layers['lf_4']).toEqual({
      value: inFile[0]?.value,
      measured_at: new Date(inFile[0]!.date).toISOString(),
      qubits: '17-30-31-32',
    });
    expect(imported.documents.executions[0]?.message).toMatch(
      /; layer fidelity of 97 chains in its machine note, 0\.\d{3} on 4 qubits, 0\.0506 on 100 qubits$/u,
    );
    expect(note).toMatchObject({
      task_id: 'master',
      execution_id: imported.documents.executions[0]?.execution_id,
    });
  });
});
