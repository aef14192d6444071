/**
 * Guards who owns a database. Calibration data is written only into databases that were empty when QPilot first wrote
 * there, and marked then. A laboratory's own QDash database is never touched.
 */
import type { Db } from 'mongodb';
import { StartupError } from '../base/errors.ts';
import { createQdashIndexes } from './qdash-indexes.ts';

/** Its presence marks a database as QPilot's own. */
const MARKER_COLLECTION = 'qpilot_meta';

/** Whether QPilot may write there: whether it made that database. */
export const isOwnDatabase = (collections: readonly string[]): boolean =>
  collections.includes(MARKER_COLLECTION);

/**
 * Makes sure that `db` is QPilot's own, and marks and indexes it if it is empty.
 * @throws StartupError for a database of somebody else, which is left exactly as it was.
 */
export async function claimDatabase(db: Db): Promise<void> {
  const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
  const present = names.filter((name) => !name.startsWith('system.'));
  if (!present.includes(MARKER_COLLECTION)) {
    if (present.length > 0) throw foreignDatabase(db.databaseName, present);
    await db
      .collection<{ _id: string; version: number }>(MARKER_COLLECTION)
      .insertOne({ _id: 'owner', version: 1 });
  }
  await createQdashIndexes(db);
}

function foreignDatabase(name: string, collections: readonly string[]): StartupError {
  const some = [...collections].sort().slice(0, 4).join(', ');
  return new StartupError(
    `the database ${JSON.stringify(name)} holds data that QPilot did not write (${some}${collections.length > 4 ? ', …' : ''}); nothing was changed. Import into an empty database: set MONGODB_DB to another name, or leave MONGODB_URI out to use the embedded store`,
  );
}
