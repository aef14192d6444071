/** Where the rows behind a result came from. */
export const DATA_SOURCES = [
  'SNAPSHOT',
  'LIVE',
  'SANDBOX',
  'DATASET',
  'NOTES',
  'KNOWLEDGE',
  'CONFIG',
  'WEB',
  'MCP',
] as const;
export type DataSource = (typeof DATA_SOURCES)[number];

/**
 * Age of the rows that a result was made from. `newestAt` and `oldestAt` are measurement times, null when no row had
 * one. `staleAfterSeconds` is the strictest limit of the metrics used, null where none has a limit.
 */
export type Freshness = {
  readonly source: DataSource;
  readonly newestAt: Date | null;
  readonly oldestAt: Date | null;
  readonly staleAfterSeconds: number | null;
};

/** Whether the oldest row is older than its limit at `now`. Data without a time or a limit is never called stale. */
export function isStale(freshness: Freshness, now: Date): boolean {
  const { oldestAt, staleAfterSeconds } = freshness;
  if (oldestAt === null || staleAfterSeconds === null) return false;
  return now.getTime() - oldestAt.getTime() > staleAfterSeconds * 1000;
}

/** One freshness for several results of the same source: widest span of time, strictest limit. */
export function mergeFreshness(a: Freshness, b: Freshness): Freshness {
  return {
    source: a.source,
    newestAt: later(a.newestAt, b.newestAt),
    oldestAt: earlier(a.oldestAt, b.oldestAt),
    staleAfterSeconds: smaller(a.staleAfterSeconds, b.staleAfterSeconds),
  };
}

/** Freshness of rows measured at `times`; missing times are passed over. */
export function freshnessOf(
  source: DataSource,
  times: Iterable<Date | null>,
  staleAfterSeconds: number | null,
): Freshness {
  let newestAt: Date | null = null;
  let oldestAt: Date | null = null;
  for (const time of times) {
    newestAt = later(newestAt, time);
    oldestAt = earlier(oldestAt, time);
  }
  return { source, newestAt, oldestAt, staleAfterSeconds };
}

const later = (a: Date | null, b: Date | null): Date | null => (a === null || (b !== null && b > a) ? b : a);
const earlier = (a: Date | null, b: Date | null): Date | null =>
  a === null || (b !== null && b < a) ? b : a;
const smaller = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.min(a, b);

/** Freshness in payloads: times as ISO text. */
export type FreshnessJson = {
  readonly source: DataSource;
  readonly newestAt: string | null;
  readonly oldestAt: string | null;
  readonly staleAfterSeconds: number | null;
};

/** Freshness as payloads and rows hold it. */
export function freshnessToJson(freshness: Freshness): FreshnessJson {
  const { newestAt, oldestAt } = freshness;
  return {
    ...freshness,
    newestAt: newestAt?.toISOString() ?? null,
    oldestAt: oldestAt?.toISOString() ?? null,
  };
}

/** The reverse of {@link freshnessToJson}. */
export function freshnessFromJson(json: FreshnessJson): Freshness {
  const { newestAt, oldestAt } = json;
  return {
    ...json,
    newestAt: newestAt === null ? null : new Date(newestAt),
    oldestAt: oldestAt === null ? null : new Date(oldestAt),
  };
}
