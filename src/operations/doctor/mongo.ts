import { MongoClient, MongoError, MongoServerError, type Db } from 'mongodb';
import { readMongoServer, shortcomingOf } from '../../stores/mongo/server-version.ts';
import type { Settings } from '../../config/settings.ts';
import { clockFinding } from './clock.ts';
import { databaseFindings, type DataContext } from './database.ts';
import { findingsOf, type AreaFindings, type Finding } from './finding.ts';

/** The calibration database and project. */
export type MongoTarget = {
  readonly uri: string;
  readonly database: string;
  readonly project: string | null;
  readonly datasources?: Settings['datasources'];
};

const TIMEOUT_MS = 5_000;

/** Examines the server, its data and their indexes. Read-only. */
export async function mongoFindings(
  target: MongoTarget,
  now: Date,
  timeoutMs = TIMEOUT_MS,
): Promise<readonly Finding[]> {
  const report = findingsOf('calibration database (MongoDB)');
  const client = clientOf(target.uri, timeoutMs);
  if (client === null) {
    return [
      report.problem(
        'MONGODB_URI is not a MongoDB address',
        'use the form mongodb://user:password@host:27017',
      ),
    ];
  }
  try {
    await client.connect();
    return await serverFindings(report, client.db(target.database), { ...target, now });
  } catch (error) {
    if (!(error instanceof MongoError)) throw error;
    return [
      report.problem(
        `connection failed: ${reasonOf(error)}`,
        'check MONGODB_URI, and that the server is running',
      ),
    ];
  } finally {
    await client.close();
  }
}

/** Null for an invalid address; the driver's message might repeat a password. */
function clientOf(uri: string, timeoutMs: number): MongoClient | null {
  try {
    return new MongoClient(uri, { serverSelectionTimeoutMS: timeoutMs });
  } catch {
    return null;
  }
}

/** Like {@link mongoFindings}, for an open database. */
export async function serverFindings(
  report: AreaFindings,
  db: Db,
  context: DataContext,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  try {
    const server = await readMongoServer(db);
    const { version, isEmbedded } = server;
    const name = isEmbedded ? `the embedded server, which follows MongoDB ${version}` : `version ${version}`;
    const shortcoming = shortcomingOf(server);
    if (shortcoming !== null) return [report.problem(name, `this server ${shortcoming}`)];
    findings.push(report.ok(name));
    findings.push(await clockFinding(report, () => readClock(db)));
    findings.push(...(await databaseFindings(db, context)));
  } catch (error) {
    if (!(error instanceof MongoServerError)) throw error;
    const advice = `the user of MONGODB_URI needs the role "read" on the database ${db.databaseName}, nothing more`;
    findings.push(report.problem(`read access denied: ${reasonOf(error)}`, advice));
  }
  return findings;
}

async function readClock(db: Db): Promise<Date> {
  const { localTime } = await db.command({ hello: 1 });
  if (!(localTime instanceof Date)) throw new Error('the reply to hello has no localTime');
  return localTime;
}

/** Never contains the address. */
function reasonOf(error: unknown): string {
  if (error instanceof MongoServerError) {
    return error.code === 18 ? 'wrong user or password' : (error.codeName ?? 'a server error');
  }
  return 'no answer';
}
