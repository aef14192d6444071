import { type Db, MongoServerError } from 'mongodb';
import { StartupError } from '../../base/errors.ts';
import { readRecord, readText } from '../../domain/values/stored-values.ts';

/** The oldest release that we test against and that MongoDB maintained when this was written. */
export const OLDEST_MONGODB = '6.0';

/** A server's version and kind. */
export type MongoServer = {
  readonly version: string;
  /** The version whose features are switched on; null where the user of MONGODB_URI may not ask for it. */
  readonly compatibility: string | null;
  readonly isEmbedded: boolean;
};

/** Asks a server for its version. */
export async function readMongoServer(db: Db): Promise<MongoServer> {
  const info = await db.command({ buildInfo: 1 });
  const modules: unknown = info['modules'];
  return {
    version: String(info['version']),
    compatibility: await readCompatibility(db),
    isEmbedded: Array.isArray(modules) && modules.includes('qpilot-embedded'),
  };
}

/** Only an administrator, or a user with the role `clusterMonitor`, may read it. */
async function readCompatibility(db: Db): Promise<string | null> {
  try {
    const reply = await db.admin().command({ getParameter: 1, featureCompatibilityVersion: 1 });
    return readText(readRecord(reply['featureCompatibilityVersion'])['version']);
  } catch (error) {
    if (error instanceof MongoServerError) return null;
    throw error;
  }
}

/** @throws StartupError for a server that would refuse our queries. */
export async function requireSupportedMongo(db: Db): Promise<void> {
  const shortcoming = shortcomingOf(await readMongoServer(db));
  if (shortcoming) throw new StartupError(`the MongoDB that MONGODB_URI names ${shortcoming}`);
}

/** What a server lacks, and what to do about it; null if it will do. */
export function shortcomingOf({ version, compatibility }: MongoServer): string | null {
  if (!isAtLeast(version, OLDEST_MONGODB))
    return `is version ${version}, and QPilot's queries need ${OLDEST_MONGODB} or later: upgrade that server, or name one that is newer`;
  if (compatibility !== null && !isAtLeast(compatibility, OLDEST_MONGODB))
    return `is version ${version}, but behaves as ${compatibility} (its feature compatibility version), and QPilot's queries need ${OLDEST_MONGODB} or later: an administrator can raise it with db.adminCommand({ setFeatureCompatibilityVersion: "${OLDEST_MONGODB}" })`;
  return null;
}

function isAtLeast(version: string, wanted: string): boolean {
  const [[major = 0, minor = 0], [wantedMajor = 0, wantedMinor = 0]] = [partsOf(version), partsOf(wanted)];
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
}

const partsOf = (version: string): number[] => version.split('.').map((part) => Number.parseInt(part, 10));
