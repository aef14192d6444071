import { createStorage } from '../../services/storage/storage.ts';
import type { Retention } from '../../services/storage/kinds.ts';
import { createLogger } from '../../base/log.ts';
import { openDatabase } from '../../stores/pg/database.ts';
import { findingsOf, type Finding } from './finding.ts';

/** How much is stored, the largest kinds first, and how long each is kept. Reads the catalogue and the files' sizes. */
export async function storageFindings(
  url: string,
  dataDir: string,
  retention: Retention,
): Promise<readonly Finding[]> {
  const report = findingsOf('storage');
  const database = openDatabase(url, { log: createLogger('silent'), connections: 1 });
  try {
    const { kinds } = await createStorage({ db: database.db, dataDir, retention }).sizes();
    return kinds
      .filter(({ bytes }) => bytes > 0)
      .toSorted((a, b) => b.bytes - a.bytes)
      .map(({ kind, bytes, keptDays }) => {
        const kept = keptDays === null ? '' : `, kept ${keptDays} days`;
        return report.ok(`${kind.toLowerCase().replaceAll('_', ' ')}: ${megabytes(bytes)} MB${kept}`);
      });
  } catch (error) {
    const { message } = error as Error;
    return [
      report.warning(`not measured: ${message}`, 'see the findings about PostgreSQL and the data folder'),
    ];
  } finally {
    await database.close();
  }
}

const megabytes = (bytes: number): string =>
  (bytes / 1_000_000).toLocaleString('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
