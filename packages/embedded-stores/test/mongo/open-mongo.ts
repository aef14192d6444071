import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Collection, type Db, type Document, MongoClient, MongoServerError } from 'mongodb';
import { startMongo, type MongoOptions } from '../../src/mongo/start.ts';

/**
 * A server of one test file, in memory, that compares every query with a plain scan, and the driver connected to
 * it.
 */
export async function openMongo(options: Partial<MongoOptions> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'mongo-'));
  const socketPath = join(folder, 'm.sock');
  const mongo = await startMongo({ file: ':memory:', socketPath, checkQueries: true, ...options });
  const client = new MongoClient(mongo.uri);
  const db: Db = client.db('test');
  let made = 0;
  return {
    client,
    db,
    folder,
    socketPath,
    uri: mongo.uri,
    /** A new collection with these documents; `_id` is their position where they name none. */
    async with(...documents: readonly Document[]): Promise<Collection<Document>> {
      const collection = db.collection<Document>(`c${made++}`);
      if (documents.length > 0)
        await collection.insertMany(documents.map((document, i) => ({ _id: i, ...document }) as Document));
      return collection;
    },
    async close() {
      await client.close();
      await mongo.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The error document's code and message; fails if the promise holds. */
export async function refusal(
  promise: Promise<unknown>,
): Promise<{ code: number | string | undefined; message: string }> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof MongoServerError) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error('expected a refusal');
}
