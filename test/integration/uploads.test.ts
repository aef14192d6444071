/** Uploaded tables from the file to the answer, with a real database, real files and the real thread. */
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import type { DatasetQuery } from '../../src/domain/datasets/dataset-query.ts';
import { ConflictError, InvalidInputError, NotFoundError, RateLimitedError } from '../../src/base/errors.ts';
import { createUploads, type Uploads } from '../../src/services/uploads.ts';
import { createTableThread, type TableThread } from '../../src/sources/tables/table-thread.ts';
import { ask, readToEnd, startChat, viewer, type Chat } from '../support/chat.ts';
import { createTestDatabase, type TestDatabase } from '../support/databases.ts';
import { mountSmallDisk } from '../support/small-disk.ts';

const SWEEP = 'qid,T1 (us),at\nQ0,45.25,2026-03-01\nQ1,NaN,2026-03-02\nQ0,38,2026-03-03\n';
const MAX_BYTES = 1_000_000;
const MANY = { filesPerDay: 1_000, bytesPerDay: 1e9 };

let database: TestDatabase;
let chat: Chat;
let folder: string;
let thread: TableThread;
let uploads: Uploads;
beforeAll(async () => {
  database = await createTestDatabase();
  chat = await startChat(database.url, { times: { drainMs: 0 } });
  folder = await mkdtemp(join(tmpdir(), 'qpilot-uploads-'));
  thread = createTableThread();
  uploads = createUploads({ db: chat.db, thread, folder, maxBytes: MAX_BYTES, limits: MANY });
});
afterAll(async () => {
  await thread.close();
  await chat.stop();
  await Promise.all([database.drop(), rm(folder, { recursive: true })]);
});

const { signal } = new AbortController();
const create = (name: string, text: string, who = viewer) =>
  uploads.create(who, new File([text], name), signal);
const everything: DatasetQuery = {
  columns: null,
  filters: [],
  groupBy: [],
  aggregates: [],
  order: null,
  limit: 100,
};
const eve = { ...viewer, id: 'eve' };
/** Makes everything in the database a day and an hour older. */
const age = () => sql`update uploads set used_at = used_at - interval '25 hours'`.execute(chat.db);

test('a table that finds the disk full is refused with DISK_FULL, leaves nothing behind, and is taken with room', async () => {
  const disk = await mountSmallDisk(64);
  if (disk === null) return;
  try {
    const small = createUploads({
      db: chat.db,
      thread,
      maxBytes: MAX_BYTES,
      limits: MANY,
      folder: join(disk.folder, 'uploads'),
    });
    const rows = Array.from({ length: 25_000 }, (_, row) => `Q${row},${Math.sin(row)}\n`);
    const send = () => small.create(viewer, new File(['qid,T1\n', ...rows], 'big.csv'), signal);
    await expect(send()).rejects.toMatchObject({ code: 'DISK_FULL', retryAfterMs: 30_000 });
    expect(await readdir(join(disk.folder, 'uploads'))).toEqual([]);
    await disk.resize(20_000);
    expect(await send()).toMatchObject({ rowCount: 25_000 });
  } finally {
    await disk.remove();
  }
});

describe('an upload', () => {
  test('T4: is described, kept as Parquet, and read back as it was', async () => {
    const upload = await create('C:\\data\\T1 sweep.csv', SWEEP);
    expect(upload).toMatchObject({
      name: 'T1 sweep.csv',
      sizeBytes: SWEEP.length,
      rowCount: 3,
      columns: [
        { name: 'qid', type: 'text', unit: null, missing: 0 },
        { name: 'T1', type: 'number', unit: 'μs', missing: 1 },
        { name: 'at', type: 'datetime', unit: null, missing: 0 },
      ],
    });
    expect(await readdir(folder)).toContain(`${upload.id}.parquet`);
    expect((await uploads.query(upload, everything, signal)).rows).toEqual([
      { qid: 'Q0', T1: 45.25, at: '2026-03-01T00:00:00.000Z' },
      { qid: 'Q1', T1: null, at: '2026-03-02T00:00:00.000Z' },
      { qid: 'Q0', T1: 38, at: '2026-03-03T00:00:00.000Z' },
    ]);
    expect(await uploads.byIds(viewer, ['nothing', upload.id])).toEqual([null, upload]);
  });

  test('T4: of more rows than a row group holds keeps all of them in order', async () => {
    const text = `n,name\n${Array.from({ length: 30_000 }, (_, row) => `${row},r${row}`).join('\n')}\n`;
    const upload = await create('long.csv', text);
    const aggregates = (['count', 'min', 'max', 'mean'] as const).map((figure) => ({ column: 'n', figure }));
    const whole = await uploads.query(upload, { ...everything, aggregates }, signal);
    expect(whole.rows).toEqual([
      { rows: 30_000, count_n: 30_000, min_n: 0, max_n: 29_999, mean_n: 14_999.5 },
    ]);
    const filters = [{ column: 'n', op: '>=', value: '29999' }] as const;
    expect((await uploads.query(upload, { ...everything, filters }, signal)).rows).toEqual([
      { n: 29_999, name: 'r29999' },
    ]);
  });

  test('that cannot be taken leaves nothing behind, and says the line', async () => {
    const before = await readdir(folder);
    await expect(create('ragged.csv', 'a,b\n1,2\n3\n')).rejects.toThrow(/input\.file: line 3 has 1 cells/);
    const tooLarge = create('large.csv', 'x'.repeat(MAX_BYTES + 1));
    await expect(tooLarge).rejects.toThrow('input.file: has 1,000,001 bytes; at most 1,000,000 are allowed');
    await expect(create('fits.csv', `a\n${'x'.repeat(MAX_BYTES - 3)}\n`)).resolves.toMatchObject({
      rowCount: 1,
    });
    expect(await readdir(folder)).toHaveLength(before.length + 1);
  });

  test('ends with the request that sent it', async () => {
    const left = AbortSignal.abort(new Error('the client left'));
    const file = new File([SWEEP], 'left.csv');
    await expect(uploads.create(viewer, file, left)).rejects.toThrow('the client left');
  });

  test('whose file is gone says what to do', async () => {
    const upload = await create('gone.csv', SWEEP);
    await rm(join(folder, `${upload.id}.parquet`));
    await expect(uploads.query(upload, everything, signal)).rejects.toThrow(
      /gone\.csv.*upload the file again/,
    );
  });
});

describe('a conversation', () => {
  test('uses the tables that came with its messages, under names that differ', async () => {
    const [first, second] = [await create('sweep.csv', SWEEP), await create('sweep.csv', SWEEP)];
    const { session } = await chat.copilot.sendMessage(
      viewer,
      ask('hi', { uploadIds: [first.id, first.id] }),
    );
    await readToEnd(chat, session.id);
    const more = ask('and this', { sessionId: session.id, uploadIds: [second.id, first.id] });
    await chat.copilot.sendMessage(viewer, more);
    expect(await uploads.ofSession(session)).toEqual([
      { dataset: 'sweep', upload: first },
      { dataset: 'sweep_2', upload: second },
    ]);
    await chat.copilot.sendMessage(viewer, more);
    expect(await uploads.ofSession(session)).toHaveLength(2);
  });

  test('gets no table of somebody else, which answers like an unknown one, and is not begun', async () => {
    const foreign = await create('secret.csv', SWEEP, eve);
    const other = { ...viewer, projectId: 'other' };
    const alsoForeign = await create('secret.csv', SWEEP, other);
    expect(await uploads.byIds(viewer, [foreign.id, alsoForeign.id])).toEqual([null, null]);
    const { items: before } = await chat.copilot.sessions(viewer, { first: 100 });
    for (const id of [foreign.id, alsoForeign.id, 'unknown']) {
      const sending = chat.copilot.sendMessage(viewer, ask('hi', { uploadIds: [id] }));
      await expect(sending).rejects.toThrow(
        new NotFoundError(`you have no upload ${id}; make one with createUpload`),
      );
    }
    const { items: after } = await chat.copilot.sessions(viewer, { first: 100 });
    expect(after).toHaveLength(before.length);
  });

  test('takes no message again with another table, and no more tables than it can use', async () => {
    const upload = await create('sweep.csv', SWEEP);
    const message = ask('hi');
    await chat.copilot.sendMessage(viewer, message);
    const changed = chat.copilot.sendMessage(viewer, { ...message, uploadIds: [upload.id] });
    await expect(changed).rejects.toThrow(ConflictError);
    const many = chat.copilot.sendMessage(viewer, ask('hi', { uploadIds: Array(11).fill(upload.id) }));
    await expect(many).rejects.toThrow(InvalidInputError);
  });
});

describe('what nobody uses', () => {
  test('is removed a day after, file and row; what a conversation uses stays', async () => {
    const [used, unused] = [await create('used.csv', SWEEP), await create('unused.csv', SWEEP)];
    const { session } = await chat.copilot.sendMessage(viewer, ask('hi', { uploadIds: [used.id] }));
    await age();
    await create('new.csv', SWEEP);
    expect(await uploads.removeUnused()).toBeGreaterThan(0);
    expect(await uploads.byIds(viewer, [used.id, unused.id])).toEqual([used, null]);
    expect(await readdir(folder)).not.toContain(`${unused.id}.parquet`);
    await expect(uploads.query(used, everything, signal)).resolves.toMatchObject({ matched: 3 });
    expect(await uploads.removeUnused()).toBe(0);

    await sql`delete from session_uploads where session_id = ${session.id}`.execute(chat.db);
    await age();
    await uploads.removeUnused();
    expect(await readdir(folder)).not.toContain(`${used.id}.parquet`);
  });

  test('is what a broken upload left behind, once no upload can still be writing it', async () => {
    const [old, young] = ['old.parquet.unfinished', 'young.parquet.unfinished'];
    for (const name of [old, young]) await writeFile(join(folder, name), 'half');
    const hoursAgo = new Date(Date.now() - 2 * 3600 * 1000);
    await utimes(join(folder, old), hoursAgo, hoursAgo);
    await uploads.removeUnused();
    const names = await readdir(folder);
    expect([names.includes(old), names.includes(young)]).toEqual([false, true]);
  });
});

describe("a user's day of uploads", () => {
  const createWithin = (limits: typeof MANY, who: typeof viewer, size = SWEEP.length) =>
    createUploads({ db: chat.db, thread, folder, maxBytes: MAX_BYTES, limits }).create(
      who,
      new File([SWEEP.padEnd(size, '\n')], 'sweep.csv'),
      signal,
    );
  const freshViewer = () => ({ ...viewer, id: crypto.randomUUID() });

  test('ends with so many files, however many come at once, and says when the next one begins', async () => {
    const who = freshViewer();
    const limits = { ...MANY, filesPerDay: 2 };
    const tries = await Promise.allSettled(Array.from({ length: 5 }, () => createWithin(limits, who)));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    const refused = createWithin(limits, who);
    await expect(refused).rejects.toThrow(RateLimitedError);
    await expect(refused).rejects.toThrow(/2 of the 2 files .* the next day begins at 00:00 UTC/u);
    const { retryAfterMs } = (await refused.catch((error: unknown) => error)) as RateLimitedError;
    expect(retryAfterMs).toBeLessThanOrEqual(24 * 3600 * 1000);
    await expect(createWithin(limits, freshViewer())).resolves.toBeDefined();
  });

  test('ends with so many bytes, those of removed uploads included, and begins anew', async () => {
    const who = freshViewer();
    const limits = { ...MANY, bytesPerDay: 1_000 };
    const { id } = await createWithin(limits, who, 600);
    await uploads.removeOrphaned([id]);
    await expect(createWithin(limits, who, 600)).rejects.toThrow(
      /600 of the 1,000 bytes .* this one has 600 bytes/u,
    );
    await createWithin(limits, who, 400);
    await expect(createWithin(limits, freshViewer(), 1_001)).rejects.toThrow(RateLimitedError);
    await sql`update daily_uploads set day = day - 1 where viewer_id = ${who.id}`.execute(chat.db);
    await createWithin(limits, who, 600);
  });
});
