import type { DataSource } from './data-source.ts';
import type { Freshness } from './freshness.ts';

/** Freshness as it stands in a payload: times as ISO text. */
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
