/** What `/health` tells of: which parts must work, and which the rest can do without. */
import { sql } from 'kysely';
import { type Db as MongoDatabase } from 'mongodb';
import type { LiveSource } from '../sources/live/live-source.ts';
import type { PythonSandbox } from '@qpilot/python-sandbox';
import type { HealthChecks } from '../server/health.ts';
import type { OpenDatabase } from '../stores/pg/database.ts';

/**
 * Stores are required; without the sandbox everything but Python analysis works. The live source, where there is one, is
 * not asked, since its calls are counted: it works if the newest answer that it was asked for did.
 */
export function healthChecks(
  mongo: MongoDatabase,
  { db }: OpenDatabase,
  sandbox: PythonSandbox,
  live: LiveSource,
): HealthChecks {
  return {
    required: {
      mongo: () => mongo.command({ ping: 1 }),
      postgres: () => sql`select 1`.execute(db),
    },
    optional: {
      sandbox: async () => {
        const availability = await sandbox.availability();
        if (!availability.available) throw new Error(availability.reason);
      },
      ...(live.isSetUp && {
        live: async () => {
          const failure = live.lastFailure();
          if (failure !== null) throw new Error(failure);
        },
      }),
    },
  };
}
