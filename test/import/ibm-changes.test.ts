/** Three snapshots of one real device: what changed between them, against our own reading of the files. */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import type { Chip } from '../../src/domain/chip/chip.ts';
import { openCalibrationWriter } from '../../src/import/calibration-writer.ts';
import { importIbmFiles } from '../../src/import/import-ibm-files.ts';
import {
  createCalibrationServices,
  type CalibrationServices,
} from '../../src/services/calibration/calibration-services.ts';
import { createMongoCalibrationStore } from '../../src/stores/mongo/calibration-store.ts';
import { shippedMetrics, shippedTopologies } from '../support/catalogue.ts';
import { createTestMongo, type TestMongo } from '../support/databases.ts';
import { describeWithSharedData, sharedPath } from '../support/shared-data.ts';
import { openToolBench } from '../support/tool-bench.ts';

const DAYS = ['2025-01-22', '2025-01-23', '2025-02-26'] as const;
type Day = (typeof DAYS)[number];
type Records = readonly { readonly name: string; readonly date: string; readonly value: number }[];
type Properties = {
  readonly qubits: readonly Records[];
  readonly gates: readonly {
    readonly gate: string;
    readonly qubits: readonly number[];
    readonly parameters: Records;
  }[];
};

const fileOf = (part: 'props' | 'conf', day: Day) => sharedPath(`data/ibm-history/${part}_fez.${day}.json`);
const read = (day: Day) => JSON.parse(readFileSync(fileOf('props', day), 'utf8')) as Properties;
const t1Of = (properties: Properties) =>
  properties.qubits.map((records) => records.find(({ name }) => name === 'T1')?.value ?? null);
const disabledIn = ({ gates }: Properties) =>
  gates
    .filter(({ gate, parameters }) =>
      parameters.some(({ name, value }) => gate === 'cz' && name === 'gate_error' && value >= 1),
    )
    .map(({ qubits }) => qubits.join('-'));
const median = (numbers: readonly number[]) => {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle) - (Number.isInteger(middle) ? 1 : 1)]!) / 2;
};

describeWithSharedData('three snapshots of fez', () => {
  const viewer = { id: 'u1', name: 'rin', projectId: 'p1', role: 'owner' as const, isOperator: true };
  const now = new Date('2025-03-01T00:00:00Z');
  let mongo: TestMongo;
  let client: MongoClient;
  let services: CalibrationServices;
  let chip: Chip;

  beforeAll(async () => {
    mongo = await createTestMongo({ large: true });
    client = await MongoClient.connect(mongo.uri);
    const db = client.db(mongo.dbName);
    const writer = await openCalibrationWriter(db);
    const paths = DAYS.flatMap((day) => [fileOf('props', day), fileOf('conf', day)]);
    await importIbmFiles(writer, { paths, chipId: null, project: 'p1', print: () => {} });
    services = createCalibrationServices({
      store: createMongoCalibrationStore(db),
      metrics: shippedMetrics,
      topologies: shippedTopologies,
      project: null,
      now: () => now,
    });
    chip = await services.chips.get(viewer, 'fez');
  });
  afterAll(async () => {
    await client.close();
    await mongo.drop();
  });

  const changesBetween = (from: Day, to: Day, parameters: readonly string[]) =>
    services.chipComparisons.compare(chip, {
      from: new Date(`${from}T22:00:00Z`),
      to: new Date(`${to}T22:00:00Z`),
      parameters,
    });

  test.each([
    ['2025-01-22', '2025-01-23'],
    ['2025-01-23', '2025-02-26'],
  ] as const)(
    'from %s to %s: the gates that the later file disables and the earlier does not',
    async (from, to) => {
      const { changes } = await changesBetween(from, to, ['cz_gate_fidelity']);
      const [before, after] = [disabledIn(read(from)), disabledIn(read(to))];
      const named = (kind: string) =>
        changes
          .filter((change) => change.kind === kind)
          .map(({ qid }) => qid)
          .toSorted();
      expect(named('DISABLED')).toEqual(after.filter((id) => !before.includes(id)).toSorted());
      expect(named('ENABLED')).toEqual(before.filter((id) => !after.includes(id)).toSorted());
    },
  );

  test('T1 of both snapshots, and how many qubits differ', async () => {
    const { parameters, changes } = await changesBetween('2025-01-23', '2025-02-26', ['t1']);
    const [before, after] = [t1Of(read('2025-01-23')), t1Of(read('2025-02-26'))];
    const both = before.flatMap((value, qubit) => {
      const later = after[qubit];
      return value === null || later === null || later === undefined ? [] : [{ value, later }];
    });
    const [shift] = parameters;
    expect(shift).toMatchObject({
      compared: both.length,
      moved: both.filter(({ value, later }) => value !== later).length,
      better: both.filter(({ value, later }) => later > value).length,
      worse: both.filter(({ value, later }) => later < value).length,
      significant: null,
    });
    expect(shift?.medianBefore).toBeCloseTo(median(both.map(({ value }) => value)), 9);
    expect(shift?.medianAfter).toBeCloseTo(median(both.map(({ later }) => later)), 9);
    for (const { qid, difference } of changes) {
      expect(difference).toBeCloseTo(after[Number(qid)]! - before[Number(qid)]!, 9);
    }
  });

  test('the chip as of a day that lies between two snapshots is that of the earlier', async () => {
    const { parts } = await services.chipComparisons.asOf(chip, new Date('2025-02-01T00:00:00Z'), {
      parameters: ['t1'],
      qids: ['10', 'Q11'],
    });
    const file = t1Of(read('2025-01-23'));
    expect(parts.map(({ qid, parameters }) => [qid, parameters[0]?.displayValue])).toEqual([
      ['10', file[10]],
      ['11', file[11]],
    ]);
  });

  test.each([
    [
      { from: new Date('2020-01-01T00:00:00Z') },
      'from: chip fez has no result of these from before 2020-01-01',
    ],
    [{ from: now, to: now }, 'from: 2025-03-01T00:00:00.000Z is not before 2025-03-01T00:00:00.000Z'],
    [{ from: now, to: new Date('2099-01-01T00:00:00Z') }, 'to: 2099-01-01T00:00:00.000Z is in the future'],
    [{ from: new Date(0), parameters: ['warp'] }, 'parameters: there is no parameter warp on chip fez'],
    [{ from: new Date(0), qids: ['500'] }, 'there is no qubit or coupling 500 on chip fez'],
  ])('%j is refused: %s', async (request, message) => {
    await expect(services.chipComparisons.compare(chip, request)).rejects.toThrow(message);
  });

  test('the tool names disabled gates and the largest moves, and keeps all for analysis', async () => {
    const bench = openToolBench({ services, viewer, now, chipId: 'fez' });
    const { formattedSummary, data, visuals } = await bench.result('compare_snapshots', {
      from: '2025-01-23',
      to: '2025-02-26',
      param_names: ['t1', 'cz_gate_fidelity'],
    });
    expect(formattedSummary).toMatch(/Disabled since: .* of 12 \(Q027-Q028/);
    expect(formattedSummary).toMatch(
      /T1: \d+ of 156 differ, \d+ better and \d+ worse.*; largest move first: Q\d+ [+-]/,
    );
    expect((data as { changes: unknown[] }).changes.length).toBeGreaterThan(100);
    expect(visuals).toMatchObject([{ type: 'table' }]);
  });
});

describeWithSharedData('a later snapshot without one pair, and with another the other way round', () => {
  const viewer = { id: 'u1', name: 'rin', projectId: 'p1', role: 'owner' as const, isOperator: true };
  const now = new Date('2024-08-01T00:00:00Z');
  const DAYS_LATER = 30;
  let mongo: TestMongo;
  let client: MongoClient;
  let folder: string;
  let services: CalibrationServices;
  let chip: Chip;

  /** Manila has the pairs 0-1, 1-2, 2-3 and 3-4 in both directions; here each has one. */
  const pairs = (...kept: readonly string[]) => {
    const props = JSON.parse(
      readFileSync(sharedPath('data/ibm-backends/props_manila.json'), 'utf8'),
    ) as Manila;
    const conf = JSON.parse(readFileSync(sharedPath('data/ibm-backends/conf_manila.json'), 'utf8')) as object;
    const gates = props.gates.filter(({ qubits }) => qubits.length === 1 || kept.includes(qubits.join('-')));
    const coupling_map = kept.map((id) => id.split('-').map(Number));
    return { props: { ...props, gates }, conf: { ...conf, coupling_map } };
  };
  type Manila = { last_update_date: string; gates: { qubits: number[] }[] };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'qpilot-pairs-'));
    const first = pairs('0-1', '1-2', '2-3', '3-4');
    const second = pairs('0-1', '2-1', '2-3');
    const later = new Date(Date.parse(first.props.last_update_date) + DAYS_LATER * 86_400_000);
    second.props.last_update_date = later.toISOString();
    const written = { props_1: first.props, conf_1: first.conf, props_2: second.props, conf_2: second.conf };
    for (const [name, json] of Object.entries(written)) {
      await writeFile(join(folder, `${name}.json`), JSON.stringify(json));
    }
    mongo = await createTestMongo();
    client = await MongoClient.connect(mongo.uri);
    const db = client.db(mongo.dbName);
    const writer = await openCalibrationWriter(db);
    const paths = Object.keys(written).map((name) => join(folder, `${name}.json`));
    await importIbmFiles(writer, { paths, chipId: null, project: 'p1', print: () => {} });
    services = createCalibrationServices({
      store: createMongoCalibrationStore(db),
      metrics: shippedMetrics,
      topologies: shippedTopologies,
      project: null,
      now: () => now,
    });
    chip = await services.chips.get(viewer, 'manila');
  });
  afterAll(async () => {
    await client.close();
    await mongo.drop();
    await rm(folder, { recursive: true });
  });

  test('lost the pair, and has no new one', async () => {
    const { changes, partsAfter } = await services.chipComparisons.compare(chip, {
      from: new Date('2024-06-01T00:00:00Z'),
    });
    const ofParts = changes.filter(({ parameter }) => parameter === null);
    expect(ofParts.map(({ kind, qid }) => [kind, qid])).toEqual([['DISAPPEARED', '3-4']]);
    expect(partsAfter).toBe(8);
  });
});
