import type { Freshness } from './freshness.ts';
import type { FreshnessJson } from './session-event.ts';

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
