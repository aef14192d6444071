import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { Client } from 'pg';
import { openStores, type Stores, type StoresOptions } from '../src/stores.ts';
import { silentLog as log } from './silent-log.ts';
import { type Child, startChild, until } from '@qpilot/test-support';

const storesOwner = join(import.meta.dirname, 'stores-owner.ts');

let dataDir: string;
let children: Child[] = [];
let openedHere: Stores[] = [];

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'qpilot-stores-'));
});
afterEach(async () => {
  // Whatever a failed test left: its stores would keep this process from ending.
  await Promise.all([
    ...children.map((child) => child.end('SIGKILL')),
    ...openedHere.map((stores) => stores.stop()),
  ]);
  [children, openedHere] = [[], []];
});
afterAll(async () => {
  // What the last killed owner left running is stopped by being taken over.
  const stores = await openStores({ dataDir, log });
  await stores.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Another process that opens the stores. */
function startOwner(): Child {
  const child = startChild(storesOwner, [dataDir]);
  children.push(child);
  return child;
}

/** The stores as this process opens them; stopped after the test at the latest. */
async function openHere(options: Omit<StoresOptions, 'log'>): Promise<Stores> {
  const stores = await openStores({ ...options, log });
  openedHere.push(stores);
  return stores;
}

type Opened = Pick<Stores, 'postgresUrl' | 'mongoUri' | 'owned'>;
const opened = async (child: Child): Promise<Opened> => JSON.parse(await child.nextLine()) as Opened;

async function query<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {}); // the tests kill its server
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function withChips<T>(uri: string, work: (client: MongoClient) => Promise<T>): Promise<T> {
  const client = await MongoClient.connect(uri);
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

describe('one owner, any number of sharers', () => {
  test('of two processes that open a new folder at once exactly one owns', async () => {
    const both = await Promise.all([startOwner(), startOwner()].map(opened));
    expect(both.filter(({ owned }) => owned)).toHaveLength(1);
    expect(both[0]!.postgresUrl).toBe(both[1]!.postgresUrl);
  });

  test('the first to open owns; a second process uses the same stores', async () => {
    const child = startOwner();
    const theirs = await opened(child);
    const ours = await openHere({ dataDir });
    expect(theirs.owned).toBe(true);
    expect(ours).toMatchObject({ ...theirs, owned: false });
    await query(ours.postgresUrl, 'CREATE TABLE seen AS SELECT 1 AS n');
    expect(await query(theirs.postgresUrl, 'SELECT n FROM seen')).toEqual([{ n: 1 }]);
    await ours.stop();
    expect(await query(theirs.postgresUrl, 'SELECT n FROM seen')).toEqual([{ n: 1 }]);
  });

  test('a second owner is refused and told who owns them and what to do', async () => {
    const child = startOwner();
    await opened(child);
    const refused = openHere({ dataDir, mode: 'own' });
    await expect(refused).rejects.toThrow(
      new RegExp(
        `are run by process ${child.process.pid} since 20.*Stop that process, or use another DATA_DIR`,
      ),
    );
  });

  test('the addresses are told to the owner of the folder only, and no longer after an orderly stop', async () => {
    const file = join(dataDir, 'run', 'stores.json');
    const stores = await openHere({ dataDir, mode: 'own' });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({
      pid: process.pid,
      postgresUrl: stores.postgresUrl,
      mongoUri: stores.mongoUri,
    });
    await stores.stop();
    await expect(stat(file)).rejects.toThrow('ENOENT');
  });
});

describe('when the owner is killed', () => {
  test('the next to open owns the stores at the same addresses, and what was acknowledged is there', async () => {
    const child = startOwner();
    const theirs = await opened(child);
    await query(theirs.postgresUrl, 'CREATE TABLE kept AS SELECT 7 AS n');
    await withChips(theirs.mongoUri, (client) =>
      client.db('qdash').collection('chip').insertOne({ chip_id: '64Qv3' }),
    );
    await child.end('SIGKILL');

    const ours = await openHere({ dataDir });
    expect(ours).toMatchObject({ ...theirs, owned: true });
    expect(await query(ours.postgresUrl, 'SELECT n FROM kept')).toEqual([{ n: 7 }]);
    const chip = await withChips(ours.mongoUri, (client) =>
      client.db('qdash').collection('chip').findOne({ chip_id: '64Qv3' }),
    );
    expect(chip).toMatchObject({ chip_id: '64Qv3' });
    await ours.stop();
  });
});

describe('when the owner ends while others share its stores', () => {
  test.each(['SIGKILL', 'SIGTERM'] as const)(
    'by %s, one of them owns them at the same addresses, with everything in them',
    async (how) => {
      const child = startOwner();
      const theirs = await opened(child);
      const other = startOwner();
      await opened(other);
      const ours = await openHere({ dataDir });
      await query(ours.postgresUrl, `CREATE TABLE shared_${how} AS SELECT 3 AS n`);
      await child.end(how);
      await other.end('SIGKILL');
      await until(() => ours.owned, { what: 'the stores to be taken over' });
      expect(ours.postgresUrl).toBe(theirs.postgresUrl);
      expect(await query(ours.postgresUrl, `SELECT n FROM shared_${how}`)).toEqual([{ n: 3 }]);
      await withChips(ours.mongoUri, (client) => client.db('qdash').command({ ping: 1 }));
      await ours.stop();
    },
  );

  test('a Postgres that nobody takes over ends by itself', async () => {
    const child = startOwner();
    const { postgresUrl } = await opened(child);
    await child.end('SIGKILL');
    await query(postgresUrl, 'SELECT 1'); // it outlives its owner at first
    const isGone = () =>
      query(postgresUrl, 'SELECT 1').then(
        () => false,
        () => true,
      );
    await until(isGone, { what: 'it to end', timeoutMs: 60_000 });
  });
});

describe('when Postgres is killed', () => {
  const postmasterOf = async (url: string): Promise<number> => {
    const sql = "SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int AS pid";
    const [row] = await query<{ pid: number }>(url, sql);
    return row!.pid;
  };

  test('its owner starts it again at the same address, however often it ends', async () => {
    const { postgresUrl: url, stop } = await openHere({ dataDir });
    await query(url, 'CREATE TABLE survived AS SELECT 5 AS n');
    let postmaster = await postmasterOf(url);
    for (const _kill of [1, 2, 3, 4, 5]) {
      const killed = postmaster;
      process.kill(killed, 'SIGKILL');
      const successor = (pid: number | null): number | null => (pid === killed ? null : pid);
      postmaster = await until(() => postmasterOf(url).then(successor, () => null));
      expect(await query(url, 'SELECT n FROM survived')).toEqual([{ n: 5 }]);
    }
    await stop();
  });
});

describe('when the MongoDB crashes', () => {
  test('its owner starts it again at the same address, connected clients come back, and nothing acknowledged is lost', async () => {
    const child = startOwner();
    const { mongoUri } = await opened(child);
    await withChips(mongoUri, async (client) => {
      const chips = client.db('crashes').collection('chip');
      for (const n of [1, 2, 3]) {
        const write = () => chips.replaceOne({ n }, { n }, { upsert: true }).catch(() => null); // an old connection may fail
        await until(write);
        const lost = once(client, 'connectionClosed');
        child.process.kill('SIGUSR2');
        await lost;
        const read = () => chips.countDocuments().catch(() => null); // it is starting
        expect(await until(read)).toBe(n);
      }
    });
    await child.end('SIGTERM');
  });
});

describe("servers of the user's own", () => {
  const given = { databaseUrl: 'postgresql://db.example/qpilot', mongodbUri: 'mongodb://db.example' };

  test('are used as they are, and nothing is started', async () => {
    const unused = join(dataDir, 'unused');
    const stores = await openHere({ dataDir: unused, ...given });
    expect(stores).toMatchObject({
      postgresUrl: given.databaseUrl,
      mongoUri: given.mongodbUri,
      owned: false,
    });
    await expect(stat(unused)).rejects.toThrow('ENOENT');
  });

  test('that only one of two processes knows of are missed by name', async () => {
    const owner = await openHere({ dataDir, databaseUrl: given.databaseUrl });
    expect(owner).toMatchObject({ postgresUrl: given.databaseUrl, owned: true });
    await expect(openHere({ dataDir })).rejects.toThrow(/started with DATABASE_URL, this one without/);
    await owner.stop();
  });
});
