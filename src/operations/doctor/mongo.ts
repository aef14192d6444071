import { MongoClient, MongoError, MongoServerError, type Db } from 'mongodb';
import { OLDEST_MONGODB, readMongoServer } from '../../stores/mongo/server-version.ts';
import { clockFinding } from './clock.ts';
import { databaseFindings } from './database.ts';
import { findingsOf, type AreaFindings, type Finding } from './finding.ts';

/** Where calibration data is, and which project of it. */
export type MongoTarget = {
  readonly uri: string;
  readonly database: string;
  readonly project: string | null;
};

const TIMEOUT_MS = 5_000;

/** The server, the data on it and the indexes of the data. Only reads. */
export async function mongoFindings(
  target: MongoTarget,
  now: Date,
  timeoutMs = TIMEOUT_MS,
): Promise<readonly Finding[]> {
  const say = findingsOf('calibration database (MongoDB)');
  const client = clientOf(target.uri, timeoutMs);
  if (client === null) {
    return [
      say.problem('MONGODB_URI is no address of a MongoDB', 'write it as mongodb://user:password@host:27017'),
    ];
  }
  try {
    await client.connect();
    return await serverFindings(say, client.db(target.database), { project: target.project, now });
  } catch (error) {
    if (!(error instanceof MongoError)) throw error;
    return [
      say.problem(`it cannot be used: ${reasonOf(error)}`, 'check MONGODB_URI, and that the server runs'),
    ];
  } finally {
    await client.close();
  }
}

/** Null for text that is no address; what the driver says of it may repeat a password. */
function clientOf(uri: string, timeoutMs: number): MongoClient | null {
  try {
    return new MongoClient(uri, { serverSelectionTimeoutMS: timeoutMs });
  } catch {
    return null;
  }
}

/** As {@link mongoFindings}, of a database that is open. */
export async function serverFindings(
  say: AreaFindings,
  db: Db,
  context: { readonly project: string | null; readonly now: Date },
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  try {
    const { version, isEmbedded, isSupported } = await readMongoServer(db);
    const name = isEmbedded ? `the embedded server, which follows MongoDB ${version}` : `version ${version}`;
    if (!isSupported) {
      const advice = `QPilot's queries need MongoDB ${OLDEST_MONGODB} or later ($firstN, $top): upgrade that server`;
      return [say.problem(name, advice)];
    }
    findings.push(say.ok(name));
    findings.push(await clockFinding(say, () => readClock(db)));
    findings.push(...(await databaseFindings(db, context)));
  } catch (error) {
    if (!(error instanceof MongoServerError)) throw error;
    const advice = `the user of MONGODB_URI needs the role "read" on the database ${db.databaseName}, no more`;
    findings.push(say.problem(`it refuses to be read: ${reasonOf(error)}`, advice));
  }
  return findings;
}

async function readClock(db: Db): Promise<Date> {
  const { localTime } = await db.command({ hello: 1 });
  if (!(localTime instanceof Date)) throw new Error('the server answered hello without its localTime');
  return localTime;
}

/** In words without the address. */
function reasonOf(error: unknown): string {
  if (error instanceof MongoServerError) {
    return error.code === 18
      ? 'it refuses the user or the password'
      : (error.codeName ?? 'an error of the server');
  }
  return 'nothing answers';
}
