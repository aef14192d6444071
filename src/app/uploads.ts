/** Uploaded tables as the configuration bounds them. */
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import type { ResourceStack } from '../base/resource-stack.ts';
import { createUploads, type Uploads } from '../services/uploads.ts';
import type { Settings } from '../config/settings.ts';
import type { OpenDatabase } from '../stores/pg/database.ts';
import { createTableThread } from '../sources/tables/table-thread.ts';

/** Largest file that may be uploaded. */
export const uploadBytes = ({ limits }: Settings): number => limits.uploadMegabytes * 1_000_000;

/** Uploaded tables, in the data folder; `opening` ends the work on them. */
export function openUploads(
  config: Config,
  settings: Settings,
  { db }: OpenDatabase,
  resources: ResourceStack,
): Uploads {
  const thread = createTableThread();
  resources.defer(() => thread.close());
  const folder = join(config.dataDir, 'uploads');
  const { uploadsPerDay, uploadMegabytesPerDay } = settings.limits;
  return createUploads({
    db,
    thread,
    folder,
    maxBytes: uploadBytes(settings),
    limits: { filesPerDay: uploadsPerDay, bytesPerDay: uploadMegabytesPerDay * 1_000_000 },
  });
}
