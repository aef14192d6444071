import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { createQdashIndexes } from '../../../src/import/qdash-indexes.ts';
import type { CalibrationStore } from '../../../src/stores/calibration-store.ts';
import { createMongoCalibrationStore } from '../../../src/stores/mongo/calibration-store.ts';
import { createTestMongo, type TestMongo } from '../../support/databases.ts';
import { examined, HISTORY_READS, QUBITS, storeHistory, TASKS } from '../../support/long-history.ts';

/** The same chip after 10,000 and after 100,000 results; `npm run bench:history` adds 1,000,000. */
const HOURS = [100, 1_000] as const;

let mongo: TestMongo;
let client: MongoClient;
let store: CalibrationStore;

beforeAll(async () => {
  mongo = await createTestMongo({ large: true });
  client = await MongoClient.connect(mongo.uri, { monitorCommands: true });
  const db = client.db(mongo.dbName);
  await createQdashIndexes(db);
  store = createMongoCalibrationStore(db);
  for (const hours of HOURS) await storeHistory(db, hours);
}, 600_000);
afterAll(async () => {
  await client.close();
  await mongo.drop();
});

test.each(HISTORY_READS)(
  'a server fetches %s after 10,000 and 100,000 results within its bound, as documented',
  async (what, most, read) => {
    const fetched: number[] = [];
    for (const hours of HOURS) {
      const { documents, keys } = await examined(client, mongo.dbName, () => read(store, hours));
      const bound = most ?? hours * QUBITS;
      expect(documents).toBeLessThanOrEqual(bound);
      expect(keys).toBeLessThanOrEqual(bound + 2 * QUBITS * TASKS.length);
      fetched.push(documents);
    }
    // A real server's counters differ by a few.
    if (!process.env['MONGODB_LARGE_TEST_URI']) return;
    const row = (await documentedRows()).find(([name]) => name === what);
    expect(row?.slice(1, 3)).toEqual(fetched.map((count) => count.toLocaleString('en')));
    if (most !== null) expect(Number(row?.[3]?.replaceAll(',', ''))).toBeLessThanOrEqual(most);
  },
);

test('the documentation has a row for each of these reads, and no other', async () => {
  expect((await documentedRows()).map(([name]) => name)).toEqual(HISTORY_READS.map(([name]) => name));
});

/** The cells of the table of reads. */
async function documentedRows(): Promise<string[][]> {
  const text = await readFile(join(import.meta.dirname, '../../../docs/operating.md'), 'utf8');
  const [, table = ''] = /<!-- reads: start -->([^]*)<!-- reads: end -->/.exec(text) ?? [];
  const rows = table.trim().split('\n').slice(2);
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}
