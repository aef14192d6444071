import type { Db } from 'mongodb';
import { StartupError } from '../../base/errors.ts';

/** Our reads use the accumulators `$firstN` and `$top`, which older servers refuse. */
export const OLDEST_MONGODB = '5.2';

/** A server's version and kind. */
export type MongoServer = {
  readonly version: string;
  readonly isEmbedded: boolean;
  readonly isSupported: boolean;
};

/** Asks a server for its version. */
export async function readMongoServer(db: Db): Promise<MongoServer> {
  const info = await db.command({ buildInfo: 1 });
  const version = String(info['version']);
  const modules: unknown = info['modules'];
  return {
    version,
    isEmbedded: Array.isArray(modules) && modules.includes('qpilot-embedded'),
    isSupported: isAtLeast(version, OLDEST_MONGODB),
  };
}

/** @throws StartupError for a server that would refuse our queries. */
export async function requireSupportedMongo(db: Db): Promise<void> {
  const { version, isSupported } = await readMongoServer(db);
  if (!isSupported) throw new StartupError(tooOld(version));
}

/** The message for a server that is too old. */
export const tooOld = (version: string): string =>
  `the MongoDB that MONGODB_URI names is version ${version}, and QPilot's queries need ${OLDEST_MONGODB} or later ($firstN, $top): upgrade that server, or name one that is newer`;

function isAtLeast(version: string, wanted: string): boolean {
  const [[major = 0, minor = 0], [wantedMajor = 0, wantedMinor = 0]] = [partsOf(version), partsOf(wanted)];
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
}

const partsOf = (version: string): number[] => version.split('.').map((part) => Number.parseInt(part, 10));
