import type { Pool, QueryConfig } from 'pg';
import { nowMs } from './cpu.ts';

/** Looks on while the event log uses its pool. */
export type QueryMeter = {
  /** The same pool; its named statements are timed. */
  readonly pool: Pool;
  /** Durations in milliseconds, by name of the statement, since the last call. */
  take(): ReadonlyMap<string, readonly number[]>;
};

/** Wraps a pool of which only `query` with a named statement is used, as the event log does. */
export function meterQueries(pool: Pool): QueryMeter {
  let durations = new Map<string, number[]>();
  const query = async (statement: QueryConfig) => {
    const startedMs = nowMs();
    try {
      return await pool.query(statement);
    } finally {
      const name = statement.name ?? 'other';
      const ofName = durations.get(name) ?? [];
      durations.set(name, ofName);
      ofName.push(nowMs() - startedMs);
    }
  };
  return {
    pool: new Proxy(pool, {
      get: (target, property): unknown => (property === 'query' ? query : Reflect.get(target, property)),
    }),
    take() {
      const taken = durations;
      durations = new Map();
      return taken;
    },
  };
}
