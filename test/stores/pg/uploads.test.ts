import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { v4 as uuid } from 'uuid';
import type { Session, Viewer } from '../../../src/domain/conversation/session.ts';
import { countUpload } from '../../../src/stores/pg/daily-uploads.ts';
import { newId } from '../../../src/stores/pg/ids.ts';
import {
  attachUploads,
  findUploads,
  insertUpload,
  listSessionDatasets,
  readUploadedTexts,
  removeOrphanedUploads,
  removeUnusedUploads,
} from '../../../src/stores/pg/uploads.ts';
import { viewer } from '../../support/chat.ts';
import { openPgStore, type PgStore } from './pg-store.ts';

const HOUR_MS = 3_600_000;

let store: PgStore;
let session: Session;
beforeAll(async () => void (store = await openPgStore()));
afterAll(() => store.close());
beforeEach(async () => void (session = await store.newSession()));

/** The id of a new upload: a table, or a text. */
async function uploaded(name: string, text?: string, who: Viewer = viewer): Promise<string> {
  const table = { id: newId(), name, sizeBytes: 10, rowCount: 2, columns: [] };
  return (await insertUpload(store.db, who, { ...table, ...(text !== undefined && { text }) })).id;
}
const attach = (...ids: readonly string[]) =>
  store.transact((tx) => attachUploads(tx, viewer, session.id, ids));
const datasets = async () => (await listSessionDatasets(store.db, session.id)).map(({ dataset }) => dataset);
const exist = async (ids: readonly string[]) =>
  (await findUploads(store.db, viewer, ids)).map((upload) => upload !== null);
const makeOld = (...ids: readonly string[]) =>
  store.pool.query(`update uploads set used_at = now() - interval '2 hours' where id = any($1)`, [ids]);

test('attached tables get names of their own, which stay when they are attached again', async () => {
  const [one, two] = [await uploaded('scan.csv'), await uploaded('scan.csv')];
  expect(await attach(one, one)).toEqual([]);
  const [name] = await datasets();
  expect(await attach(two, one)).toEqual([]);
  const names = await datasets();
  expect(names).toHaveLength(2);
  expect(names[0]).toBe(name);
  expect(new Set(names).size).toBe(2);
});

test('uploads of others, unknown ids and texts are refused by id', async () => {
  const [mine, text] = [await uploaded('a.csv'), await uploaded('a.md', 'words')];
  const foreign = await uploaded('b.csv', undefined, { ...viewer, id: 'eve' });
  const unknown = newId();
  expect(await attach(mine, foreign, unknown, text)).toEqual([foreign, unknown, text]);
  expect(await readUploadedTexts(store.db, viewer, [text, mine, foreign])).toEqual(['words', null, null]);
});

test('unused uploads are removed after their time, attached and recent ones are not', async () => {
  const [old, used, recent] = [
    await uploaded('old.csv'),
    await uploaded('used.csv'),
    await uploaded('new.csv'),
  ];
  await attach(used);
  await makeOld(old, used);
  const removed: string[] = [];
  await removeUnusedUploads(store.db, HOUR_MS, async (id) => void removed.push(id));
  expect(removed).toEqual([old]);
  expect(await exist([old, used, recent])).toEqual([false, true, true]);
});

test('a file that cannot be removed keeps its row, so that the next run finds it', async () => {
  const id = await uploaded('stuck.csv');
  await makeOld(id);
  const fail = async (): Promise<void> => {
    throw new Error('disk');
  };
  await expect(removeUnusedUploads(store.db, HOUR_MS, fail)).rejects.toThrow('disk');
  expect(await exist([id])).toEqual([true]);
  expect(await removeUnusedUploads(store.db, HOUR_MS, async () => {})).toBe(1);
});

test('orphans are removed, and what a session uses or attaches at the same moment is not', async () => {
  const [orphan, used, contested] = [
    await uploaded('a.csv'),
    await uploaded('b.csv'),
    await uploaded('c.csv'),
  ];
  await attach(used);
  const [refused] = await Promise.all([
    attach(contested),
    removeOrphanedUploads(store.db, [orphan, used, contested], async () => {}),
  ]);
  const [, , kept] = await exist([orphan, used, contested]);
  expect(await exist([orphan, used])).toEqual([false, true]);
  expect(kept).toBe(refused.length === 0);
});

test('the limits of a day hold however many files come at once, and a refused file counts nothing', async () => {
  const who = { ...viewer, id: uuid() };
  const limits = { filesPerDay: 3, bytesPerDay: 1_000 };
  expect(await countUpload(store.db, who, 1_001, limits)).toMatchObject({ files: 0, bytes: 0 });
  const counted = await Promise.all(Array.from({ length: 8 }, () => countUpload(store.db, who, 100, limits)));
  expect(counted.filter((refusal) => refusal === null)).toHaveLength(3);
  const refusal = await countUpload(store.db, who, 100, limits);
  expect(refusal).toMatchObject({ files: 3, bytes: 300 });
  expect(refusal?.dayOverInMs).toBeGreaterThan(0);
  expect(refusal?.dayOverInMs).toBeLessThanOrEqual(86_400_000);
  expect(await countUpload(store.db, { ...viewer, id: uuid() }, 901, limits)).toBeNull();
});
