import { writeFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { MongoClient, type Db } from 'mongodb';
import { openCalibrationWriter } from '../../src/import/calibration-writer.ts';
import { writeDemo } from '../../src/import/demo.ts';
import { importIbmSnapshot } from '../../src/import/ibm-backend.ts';
import { importIbmFiles } from '../../src/import/import-ibm-files.ts';
import { createTestMongo, type TestMongo } from '../support/databases.ts';
import { describeWithSharedData, sharedPath } from '../support/shared-data.ts';
import { contentsOf } from './database-contents.ts';
import { gate, NOW, record, snapshotOf } from './ibm-snapshots.ts';

let mongo: TestMongo;
let client: MongoClient;
let db: Db;

beforeEach(async () => {
  mongo = await createTestMongo({ large: true });
  client = await MongoClient.connect(mongo.uri);
  db = client.db(mongo.dbName);
});

afterEach(async () => {
  await client.close();
  await mongo.drop();
});

const contents = () => contentsOf(db);

const snapshotAt = (day: number, t1: number, chipId = 'tiny') =>
  importIbmSnapshot(
    snapshotOf({
      at: `2026-01-${day + 10}T00:00:00Z`,
      qubits: [[record('T1', t1, 'us', `2026-01-0${day}T00:00:00Z`)], []],
      gates: [gate('ecr', [0, 1], 0.01 * day, `2026-01-0${day}T00:00:00Z`)],
    }),
    'p',
    chipId,
    NOW,
  ).documents;

describe('a database of somebody else', () => {
  test('is refused by name and left exactly as it was', async () => {
    await db.collection('chip').insertOne({ project_id: 'lab', chip_id: '64Qv9' });
    const before = await contents();
    await expect(openCalibrationWriter(db)).rejects.toThrow(
      new RegExp(`${mongo.dbName}.*did not write \\(chip\\).*nothing was changed.*MONGODB_DB`),
    );
    expect(await contents()).toEqual(before);
    expect(await db.collection('chip').indexes()).toHaveLength(1);
  });
});

describe('merging', () => {
  test('in any order gives the same database, and again changes nothing', async () => {
    const writer = await openCalibrationWriter(db);
    const [first, second, third] = [snapshotAt(1, 80), snapshotAt(2, 90), snapshotAt(3, 70)];
    for (const documents of [third, first, second]) await writer.merge(documents);
    const shuffled = await contents();
    expect(await writer.merge(second)).toEqual({ added: 0, alreadyThere: 3 });
    expect(await contents()).toEqual(shuffled);

    await db.dropDatabase();
    const again = await openCalibrationWriter(db);
    for (const documents of [first, second, third]) await again.merge(documents);
    expect(await contents()).toEqual(shuffled);
    const qubit = await db.collection('qubit').findOne({ qid: '0' });
    expect(qubit?.['data'].t1.value).toBe(70);
  });

  test('keeps what people noted and excluded since', async () => {
    const writer = await openCalibrationWriter(db);
    await writer.merge(snapshotAt(1, 80));
    const results = db.collection('task_result_history');
    await results.updateOne({ qid: '0' }, { $set: { excluded: true, excluded_reason: 'warm' } });
    await writer.merge(snapshotAt(1, 80));
    expect(await results.findOne({ qid: '0' })).toMatchObject({ excluded: true, excluded_reason: 'warm' });
  });

  test('takes back what an earlier version of the importer wrote as a person, and nothing else', async () => {
    const writer = await openCalibrationWriter(db);
    await writer.merge(snapshotAt(1, 80));
    const before = await contents();
    const results = db.collection('task_result_history');
    const at = new Date('2026-01-01T00:00:00Z');
    const mark = {
      excluded: true,
      excluded_reason: 'a gate error of 1',
      excluded_by: 'qpilot',
      excluded_at: at,
    };
    const note = (updated_by: string) => ({ content: 'odd', updated_by, updated_at: at });
    await results.updateMany({}, { $unset: { import_doubt: '' } });
    await results.updateMany({ qid: '0-1' }, { $set: { ...mark, user_note: note('qpilot') } });
    await writer.merge(snapshotAt(1, 80));
    expect(await contents()).toEqual(before);

    await results.updateOne({ qid: '0' }, { $set: { user_note: note('rin') } });
    await writer.merge(snapshotAt(1, 80));
    expect(await results.findOne({ qid: '0' })).toMatchObject({ user_note: note('rin') });
  });

  test.each(['../../etc', '', ' ', 'my chip', '.hidden', 'a/b', 'x'.repeat(101)])(
    'refuses the chip id %j of any importer',
    async (chipId) => {
      const writer = await openCalibrationWriter(db);
      await expect(writer.merge(snapshotAt(1, 80, chipId))).rejects.toThrow(
        /cannot be a chip id: it begins with/,
      );
      expect(await db.collection('task_result_history').countDocuments({})).toBe(0);
    },
  );

  test('refuses to mix two devices under one chip id', async () => {
    const writer = await openCalibrationWriter(db);
    const documents = snapshotAt(1, 80);
    await writer.merge(documents);
    const before = await contents();
    const other = { ...documents, chip: { ...documents.chip, source: 'ibm_other' } };
    await expect(writer.merge(other)).rejects.toThrow(/already holds data of ibm_tiny.*--chip-id/);
    expect(await contents()).toEqual(before);
  });
});

test('the project is the one asked for, else the only one, else demo', async () => {
  const writer = await openCalibrationWriter(db);
  expect(await writer.projectFor(null)).toBe('demo');
  await writer.merge(snapshotAt(1, 80));
  expect(await writer.projectFor(null)).toBe('p');
  expect(await writer.projectFor('q')).toBe('q');
});

describe('replacing', () => {
  test('leaves nothing of what the chip had before, and other chips alone', async () => {
    const writer = await openCalibrationWriter(db);
    await writer.merge(snapshotAt(1, 50, 'other'));
    await writer.replace(snapshotAt(2, 80));
    await writer.replace({ ...snapshotAt(3, 90), couplings: [] });
    const ofTiny = await db.collection('task_result_history').find({ chip_id: 'tiny' }).toArray();
    expect(ofTiny.map(({ execution_id }) => execution_id)).toEqual(Array(3).fill('20260113-000000-tiny'));
    expect(await db.collection('coupling').countDocuments({ chip_id: 'tiny' })).toBe(0);
    expect(await db.collection('qubit').countDocuments({ chip_id: 'other' })).toBe(2);
    expect(await db.collection('task_result_history').countDocuments({ chip_id: 'other' })).toBe(3);
  });

  test('brings in the demo whole', async () => {
    const writer = await openCalibrationWriter(db);
    const { added } = await writeDemo(writer, new Date('2026-05-20T09:00:00Z'));
    expect(added).toBeGreaterThan(12_000);
    expect(await db.collection('task_result_history').countDocuments({ project_id: 'demo' })).toBe(added);
    expect(await db.collection('coupling').countDocuments({ chip_id: 'demo-64' })).toBe(224);
  });
});

describeWithSharedData('importing files', () => {
  const pair = (device: string) =>
    ['props', 'conf'].map((part) => sharedPath(`data/ibm-backends/${part}_${device}.json`));

  test('several devices go into one project and are reported in plain words', async () => {
    const lines: string[] = [];
    const writer = await openCalibrationWriter(db);
    const paths = [...pair('manila'), ...pair('auckland'), ...pair('brisbane')];
    await importIbmFiles(writer, { paths, chipId: null, project: 'p', print: (line) => lines.push(line) });
    const chips = await db.collection('chip').find().sort({ chip_id: 1 }).toArray();
    expect(chips.map(({ chip_id, size }) => [chip_id, size])).toEqual([
      ['auckland', 27],
      ['brisbane', 127],
      ['manila', 5],
    ]);
    expect(lines.join('\n')).toMatch(/brisbane: snapshot of ibm_brisbane from 2025-02-26 19:33 UTC/);
    expect(lines.join('\n')).toMatch(/disabled by the vendor .*: 1\n {4}1 × ecr \(25-24\)/);
  });

  test('nothing is written when one of the files is bad', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'qpilot-import-'));
    const broken = join(folder, 'props_broken.json');
    await writeFile(broken, '{"backend_name": "ibm_broken"');
    const writer = await openCalibrationWriter(db);
    const paths = [...pair('manila'), broken];
    const importing = importIbmFiles(writer, { paths, chipId: null, project: null, print: () => {} });
    await expect(importing).rejects.toThrow(/props_broken\.json is not JSON/);
    expect(await db.collection('chip').countDocuments({})).toBe(0);
    expect(await db.collection('task_result_history').countDocuments({})).toBe(0);
    await rm(folder, { recursive: true });
  });

  test('two devices cannot become one chip', async () => {
    const writer = await openCalibrationWriter(db);
    const paths = [...pair('manila'), ...pair('auckland')];
    const importing = importIbmFiles(writer, { paths, chipId: 'x', project: null, print: () => {} });
    await expect(importing).rejects.toThrow(/would both become chip x/);
  });
});
