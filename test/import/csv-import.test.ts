import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { openCalibrationWriter } from '../../src/import/calibration-writer.ts';
import { importIbmSnapshot } from '../../src/import/ibm-backend.ts';
import type { CsvFileRequest } from '../../src/import/import-csv-file.ts';
import { createCalibrationServices } from '../../src/services/calibration/calibration-services.ts';
import { createMongoCalibrationStore } from '../../src/stores/mongo/calibration-store.ts';
import { shippedMetrics, shippedTopologies } from '../support/catalogue.ts';
import { importText as importIntoBench, useImportBench } from './csv-harness.ts';
import { contentsOf } from './database-contents.ts';
import { gate, record, snapshotOf } from './ibm-snapshots.ts';

const NOW = new Date('2026-06-01T00:00:00Z');

const bench = useImportBench();

/** Imports `text` into chip `lab` and returns what was printed. */
const importText = (text: string, options: Partial<CsvFileRequest> = {}, name = 'table.csv') =>
  importIntoBench(bench, text, options, name);

const HEADER = 'qid,parameter,value,unit,time\n';
const JANUARY = `${HEADER}0,t1,80,us,2026-01-10 10:00\n1,t1,60,us,2026-01-10 10:00\n0-1,zx90 fidelity,97,%,2026-01-10 11:00\n`;
const MARCH = `${HEADER}0,t1,90,us,2026-03-10 10:00\n2,t1,40,us,2026-03-10 10:00\n`;
const FEBRUARY = `${HEADER}0,t1,0.05,ms,2026-02-10 10:00\n1,t1,70000,ns,2026-02-10 10:00\n`;

const services = () =>
  createCalibrationServices({
    store: createMongoCalibrationStore(bench.db),
    metrics: shippedMetrics,
    topologies: shippedTopologies,
    project: null,
    now: () => NOW,
  });
const viewer = { id: 'u1', name: 'rin', projectId: 'p1', role: 'owner' as const, isOperator: true };

describe('a chip made of tables', () => {
  test('is the same in whatever order they came, and a table once more changes nothing', async () => {
    const tables = { january: JANUARY, february: FEBRUARY, march: MARCH };
    const importAll = async (names: readonly (keyof typeof tables)[]) => {
      for (const name of names) await importText(tables[name], { create: true }, `${name}.csv`);
      return contentsOf(bench.db);
    };
    const inOrder = await importAll(['january', 'february', 'march']);
    expect(await importText(FEBRUARY, {}, 'february.csv')).toContain('0 added, 2 already present');
    expect(await contentsOf(bench.db)).toEqual(inOrder);
    await bench.db.dropDatabase();
    bench.writer = await openCalibrationWriter(bench.db);
    expect(await importAll(['march', 'january', 'february'])).toEqual(inOrder);
  });

  test('has its values in their place in history, the newest as current ones, and a derived layout', async () => {
    for (const text of [MARCH, JANUARY, FEBRUARY]) await importText(text, { create: true });
    const { chips, chipTimeseries, chipSummaries, topologies, couplings } = services();
    const chip = await chips.get(viewer, 'lab');
    expect(chip.size).toBe(3);
    const { series } = await chipTimeseries.get(chip, { parameter: 't1', lastN: 10 });
    expect(series.map(({ qid, points }) => [qid, points.map(({ value }) => value)])).toEqual([
      ['0', [80, 50, 90]],
      ['1', [60, 70]],
      ['2', [40]],
    ]);
    const [summary] = await chipSummaries.getMany([{ chip, parameters: ['t1'] }]);
    expect(summary).toMatchObject({ qubitCount: 3, parameters: [{ name: 't1', stored: { median: 70 } }] });
    expect((await topologies.ofChips([chip]))[0]).toMatchObject({ layoutType: 'derived' });
    const { coupling } = await couplings.get(chip, '0-1');
    expect(coupling.couplingId).toBe('0-1');
  });

  test('of a given size has all of its qubits, also those without a value', async () => {
    await importText(MARCH, { size: 4 });
    expect(await bench.db.collection('qubit').distinct('qid')).toEqual(['0', '1', '2', '3']);
    await expect(importText(MARCH, { size: 5 })).rejects.toThrow(
      'chip lab has 4 qubits, not 5: leave out --size',
    );
    await expect(importText(`${HEADER}4,t1,1,us,2026-03-10\n`)).rejects.toThrow(
      'line 2: chip lab has no qubit 4; it has 4, from 0 to 3',
    );
  });

  test('counts the same measurement in another unit or another file only once', async () => {
    await importText(`${HEADER}0,t1,80,us,2026-01-10\n0,t1,0.08,ms,2026-01-10\n`, { create: true });
    expect(await importText('qubit,T1 (us),date\nQ00,80,2026-01-10\n', {}, 'wide.csv')).toContain('0 added');
    expect(await bench.db.collection('task_result_history').countDocuments({})).toBe(1);
  });
});

describe('a device that is there already', () => {
  beforeEach(async () => {
    const { documents } = importIbmSnapshot(
      snapshotOf({
        at: '2026-02-01T00:00:00Z',
        qubits: [[record('T1', 80, 'us', '2026-02-01T00:00:00Z')], [], []],
        gates: [gate('ecr', [0, 1], 0.01, '2026-02-01T00:00:00Z')],
      }),
      'p1',
      'lab',
      NOW,
    );
    await bench.writer.merge(documents);
  });

  test('takes values beside those of its vendor and stays what it is', async () => {
    const chip = await bench.db.collection('chip').findOne();
    await importText(
      `${HEADER}0,t1,70,us,2026-01-01\n1-0,zx90 fidelity,0.98,,2026-03-01\n2,t2 echo,50,us,2026-03-01\n`,
    );
    expect(await bench.db.collection('chip').findOne()).toEqual(chip);
    const ofQubit = async (qid: string) => (await bench.db.collection('qubit').findOne({ qid }))?.['data'];
    expect((await ofQubit('0')).t1.value).toBe(80);
    expect((await ofQubit('2')).t2_echo).toMatchObject({ value: 50, unit: 'μs' });
    expect(await bench.db.collection('coupling').distinct('qid')).toEqual(['0-1', '1-0']);
  });

  test('takes no qubit and no coupling that it has not, also with --create', async () => {
    const before = await contentsOf(bench.db);
    const text = `${HEADER}0,t1,70,us,2026-03-01\n3,t1,70,us,2026-03-01\n0-2,zx90 fidelity,0.9,,2026-03-01\n`;
    await expect(importText(text, { create: true })).rejects.toThrow(
      /nothing was imported; fix them, or pass --skip-bad[^]*line 3: chip lab has no qubit 3[^]*line 4: chip lab has no coupling between 0 and 2/,
    );
    expect(await contentsOf(bench.db)).toEqual(before);
    expect(await importText(text, { skipBad: true })).toMatch(/rows skipped: 2[^]*1 added/);
  });
});

describe('a table that cannot be used', () => {
  test('of a chip that is not there says how to make it, and which there are', async () => {
    await importText(JANUARY, { chipId: 'other', create: true });
    await expect(importText(JANUARY)).rejects.toThrow(
      'there is no chip lab in project p1 (existing: other); pass --create',
    );
  });

  test.each<[string, string, Partial<CsvFileRequest>, RegExp]>([
    [
      'no time',
      'qid,T1 (us)\n0,3\n',
      {},
      /no column gives measurement times.*name one "time", or pass --time for all/,
    ],
    ['two times', JANUARY, { time: '2026-01-01' }, /its own time column: remove --time/],
    ['a bad time', 'qid,T1 (us)\n0,3\n', { time: 'noon' }, /--time: time "noon": write 2026-05-20 14:30/],
    ['no value', `${HEADER}0,t1,,us,2026-01-01\n`, {}, /no row contains a value/],
    ['only bad rows', `${HEADER}0,t1,x,us,2026-01-01\n`, { skipBad: true }, /no row can be used/],
    ['a workbook', 'PK\u0003\u0004', {}, /table\.csv: this file is an Excel workbook/],
    ['a bad zone', JANUARY, { timeZone: 'Mars' }, /--time-zone Mars is not a time zone/],
    ['rows of two lengths', `${HEADER}0,t1\n`, {}, /table\.csv: line 2 has 2 cells/],
  ])('(%s) is refused in words and nothing is written', async (_what, text, options, words) => {
    await expect(importText(text, { create: true, ...options })).rejects.toThrow(words);
    expect(await bench.db.collection('task_result_history').countDocuments({})).toBe(0);
  });

  test('is reported with its first twenty bad rows', async () => {
    const rows = Array.from({ length: 30 }, () => '0,t1,x,us,2026-01-01').join('\n');
    const refusal = importText(`${HEADER}${rows}\n`, { create: true });
    await expect(refusal).rejects.toThrow(/unusable rows: 30\n[^]*line 21: [^]*… and 10 more$/);
  });
});

test('one time can be given for a table without times', async () => {
  await importText('qid,T1 (us)\n0,3\n', { create: true, time: '2026-01-01 09:00', timeZone: 'Asia/Tokyo' });
  const result = await bench.db.collection('task_result_history').findOne();
  expect(result?.['end_at']).toEqual(new Date('2026-01-01T00:00:00Z'));
});

test('a table compressed by gzip is read as it is', async () => {
  const path = join(bench.folder, 'table.csv.gz');
  await writeFile(path, gzipSync('\uFEFFqid,T1 (us),time\n0,80,2026-05-01T00:00:00Z\n'));
  const told = await importText('', { path, create: true });
  expect(told).toMatch(/1 value of 1 qubit/);
});
