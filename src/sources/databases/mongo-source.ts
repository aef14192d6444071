/** A MongoDB database that is only read: finds and aggregations of the allow-list, bounded in time, rows and length. */
import { Decimal128, Long, MongoClient, MongoServerError, type Db } from 'mongodb';
import { InvalidInputError } from '../../base/errors.ts';
import { readJson } from '../../domain/values/stored-values.ts';
import { MAX_ROWS, QUERY_MS, ROWS_AT_ONCE, boundedRows, type SourceRows } from './datasource.ts';
import { readFilter, readPipeline } from './mongo-allow-list.ts';
import { refuseWritingUser } from './mongo-user.ts';

/** Which documents; filter, projection and sort are JSON text, extended JSON where a date or an id is meant. */
export type MongoFind = {
  readonly collection: string;
  readonly filter: string;
  readonly projection: string | null;
  readonly sort: string | null;
  readonly limit: number | null;
};

/** A database that answers finds and aggregations. All reject with InvalidInputError for what it refuses. */
export type MongoSource = {
  find(request: MongoFind, signal: AbortSignal): Promise<SourceRows>;
  /** `pipeline` is JSON text of a list of stages. */
  aggregate(collection: string, pipeline: string, signal: AbortSignal): Promise<SourceRows>;
};

const CONNECT_MS = 5_000;
/** A document has at most 16 MB, and a batch hardly more. */
const BOUNDS = { maxTimeMS: QUERY_MS, batchSize: ROWS_AT_ONCE } as const;

/** `uri` names the database; each query connects anew, which a job does a few times. */
export const createMongoSource = (name: string, uri: string): MongoSource => ({
  async find({ collection, ...request }, signal) {
    const filter = readFilter(request.filter, 'filter');
    const projection = request.projection === null ? {} : readFilter(request.projection, 'projection');
    const sort = request.sort === null ? {} : readFilter(request.sort, 'sort');
    const limit = Math.min(request.limit ?? MAX_ROWS, MAX_ROWS);
    const options = { ...BOUNDS, projection, sort: sort as Record<string, 1 | -1>, limit: limit + 1 };
    return withDatabase(name, uri, signal, (db) =>
      boundedRows(asJson(collectionOf(db, collection).find(filter, options)), limit),
    );
  },
  async aggregate(collection, pipeline, signal) {
    const stages = [...readPipeline(pipeline), { $limit: MAX_ROWS + 1 }];
    return withDatabase(name, uri, signal, (db) =>
      boundedRows(asJson(collectionOf(db, collection).aggregate(stages, BOUNDS))),
    );
  },
});

/** Ids and dates as JSON has them, longs and decimals as {@link readJson} does. */
async function* asJson(
  documents: AsyncIterable<object>,
): AsyncGenerator<Readonly<Record<string, unknown>>, void> {
  for await (const document of documents)
    yield JSON.parse(JSON.stringify(document, numbers)) as Record<string, unknown>;
}

function numbers(this: Readonly<Record<string, unknown>>, key: string, json: unknown): unknown {
  const value = this[key];
  return value instanceof Decimal128 || value instanceof Long ? readJson(value) : json;
}

function collectionOf(db: Db, collection: string) {
  if (collection === '' || /[$\0]/u.test(collection) || collection.startsWith('system.')) {
    throw invalid('collection', `${JSON.stringify(collection)} is not a readable collection`);
  }
  return db.collection(collection);
}

async function withDatabase(
  name: string,
  uri: string,
  signal: AbortSignal,
  read: (db: Db) => Promise<SourceRows>,
): Promise<SourceRows> {
  signal.throwIfAborted();
  let client: MongoClient | undefined;
  const stop = (): void => void client?.close(true).catch(() => undefined);
  try {
    client = new MongoClient(uri, { serverSelectionTimeoutMS: CONNECT_MS, maxPoolSize: 1 });
    signal.addEventListener('abort', stop);
    const db = (await client.connect()).db();
    await refuseWritingUser(db, name);
    return await read(db);
  } catch (error) {
    signal.throwIfAborted();
    throw publicError(error, name);
  } finally {
    signal.removeEventListener('abort', stop);
    await client?.close(true).catch(() => undefined);
  }
}

/** Codes with which a server refuses who asks, not what is asked: their words may name user and address. */
const ACCESS_CODES: ReadonlySet<unknown> = new Set([13, 18, 8000]);

function publicError(error: unknown, name: string): InvalidInputError {
  if (error instanceof InvalidInputError) return error;
  if (error instanceof MongoServerError && !ACCESS_CODES.has(error.code)) {
    return invalid('query', `${name} rejected it: ${error.message}`);
  }
  return invalid(
    'query',
    `${name} is not responding; try again in a later round, or mention it in the report`,
  );
}

const invalid = (path: string, message: string): InvalidInputError => InvalidInputError.at([path], message);
