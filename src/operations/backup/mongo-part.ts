/** Collections of the embedded MongoDB as parts of a backup. A MongoDB of MONGODB_URI is not QPilot's, and is left alone. */
import { BSON, type Db, type Document } from 'mongodb';
import { writeClockReads } from '../../stores/mongo/write-clock.ts';
import { StartupError } from '../../base/errors.ts';
import type { FilledPart } from './container.ts';

const MOST_BYTES = 4_000_000;

/** Every collection with its indexes. @throws StartupError if somebody wrote meanwhile, such as an import */
export async function* readCollections(db: Db): AsyncGenerator<FilledPart> {
  const { writeClock } = writeClockReads(db);
  const before = await writeClock();
  const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
  for (const collection of names.filter((name) => !name.startsWith('system.')).toSorted()) {
    const indexes = await db.collection(collection).indexes();
    yield { part: { kind: 'indexes', collection }, body: Buffer.from(BSON.EJSON.stringify(indexes)) };
    let documents: Uint8Array[] = [];
    let bytes = 0;
    const part = { kind: 'documents', collection } as const;
    for await (const document of db.collection(collection).find({})) {
      const raw = BSON.serialize(document);
      documents.push(raw);
      bytes += raw.length;
      if (bytes < MOST_BYTES) continue;
      yield { part, body: Buffer.concat(documents) };
      documents = [];
      bytes = 0;
    }
    if (bytes > 0) yield { part, body: Buffer.concat(documents) };
  }
  const after = await writeClock();
  if (before !== after)
    throw new StartupError('an import wrote calibration data during the backup; make the backup again');
}

/** Adds documents to a collection of an empty database. */
export async function loadDocuments(db: Db, collection: string, body: Buffer): Promise<void> {
  const documents: Document[] = [];
  for (let at = 0; at < body.length; at += body.readInt32LE(at))
    documents.push(BSON.deserialize(body.subarray(at, at + body.readInt32LE(at)), { promoteValues: false }));
  if (documents.length > 0) await db.collection(collection).insertMany(documents, { ordered: true });
}

export async function makeIndexes(db: Db, collection: string, body: Buffer): Promise<void> {
  const indexes = BSON.EJSON.parse(body.toString()) as readonly Document[];
  await db.createCollection(collection);
  for (const { key, v: _version, ...options } of indexes)
    if (options['name'] !== '_id_') await db.collection(collection).createIndex(key as Document, options);
}
