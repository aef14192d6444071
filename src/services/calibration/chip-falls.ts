import { LRUCache } from 'lru-cache';
import { withoutBudget } from '../../base/read-budget.ts';
import type { ChipChange } from '../../domain/chip/chip-comparison.ts';
import type { ChipSummary } from '../../domain/chip/chip-summary.ts';
import type { Chip } from '../../domain/chip/chip.ts';
import {
  earlierChanges,
  fallsOf,
  parameterKey,
  withoutErrors,
  type EarlierChanges,
  type Falls,
} from '../../domain/chip/part-falls.ts';
import { latestByQubit } from '../../domain/values/measurement.ts';
import {
  displayScale,
  isRated,
  METRIC_SCOPES,
  storedMark,
  type MetricCatalog,
  type MetricScope,
} from '../../domain/values/metric.ts';
import { scaled } from '../../domain/values/parameter-value.ts';
import { InvalidInputError } from '../../base/errors.ts';
import type { CalibrationStore } from '../../stores/calibration-store.ts';
import type { ChipComparisonsService } from './chip-comparisons.ts';
import { scopeOf } from './chip-scope.ts';
import type { ChipVersions } from './chip-versions.ts';
import type { WritingTasksFinder } from './writing-tasks.ts';

const WEEK_MS = 7 * 86_400_000;
/** Falls that are held, of a chip each. */
const HELD = { max: 50, ttl: 60_000 };
/** Results of each part from which its earlier changes are taken. */
const EARLIER_RESULTS = 12;

export type ChipFallsDeps = {
  readonly store: CalibrationStore;
  readonly metrics: MetricCatalog;
  readonly writingTasks: WritingTasksFinder;
  readonly chipComparisons: ChipComparisonsService;
  readonly chipVersions: ChipVersions;
};

/** What got much worse on a chip. */
export function createChipFalls(deps: ChipFallsDeps) {
  /**
   * The falls among changes since `from`. One command for each parameter that got worse without recorded errors.
   */
  const among = async (chip: Chip, changes: readonly ChipChange[], from: Date): Promise<Falls> => {
    const open = new Map(
      withoutErrors(changes, deps.metrics).flatMap(({ scope, parameter }) =>
        parameter === null ? [] : [[parameterKey(scope, parameter), { scope, parameter }] as const],
      ),
    );
    const earlier = await Promise.all(
      [...open].map(async ([key, { scope, parameter }]) => {
        return [key, await changesUntil(deps, chip, { scope, parameter, until: from })] as const;
      }),
    );
    return fallsOf(changes, deps.metrics, new Map(earlier));
  };
  const since = async (chip: Chip, from: Date, parameters: readonly string[]): Promise<Falls> => {
    try {
      const { changes } = await deps.chipComparisons.compare(chip, { from, parameters });
      return await among(chip, changes, from);
    } catch (error) {
      if (error instanceof InvalidInputError) return { falls: [], notJudged: [] };
      throw error;
    }
  };
  /** By chip, start and parameters, with the version of the data that was read before. */
  const held = new LRUCache<string, { readonly version: string; readonly falls: Promise<Falls> }>(HELD);
  return {
    among,
    /**
     * The values of a summary against those that were current a week before its newest one; nothing for a chip without
     * values from before that. Two reads for each parameter: held where the database says whether anything was written since.
     */
    async ofWeek(chip: Chip, summary: ChipSummary): Promise<Falls> {
      const { parameters, couplingParameters, freshness } = summary;
      const isRatedName = (name: string): boolean =>
        METRIC_SCOPES.some((scope) => {
          const metric = deps.metrics.find(name, scope);
          return metric !== null && isRated(metric);
        });
      const names = [...parameters, ...couplingParameters].flatMap(({ name, stored }) =>
        stored.count > 0 && isRatedName(name) ? [name] : [],
      );
      if (freshness.newestAt === null || names.length === 0) return { falls: [], notJudged: [] };
      const from = new Date(freshness.newestAt.getTime() - WEEK_MS);
      const version = await deps.chipVersions.of(scopeOf([chip]), false);
      const key = JSON.stringify([chip.projectId, chip.chipId, from, names]);
      const known = held.get(key);
      if (known !== undefined && known.version === version) return known.falls;
      const falls =
        version === null ? since(chip, from, names) : withoutBudget(() => since(chip, from, names));
      if (version !== null) {
        held.set(key, { version, falls });
        falls.catch(() => held.delete(key));
      }
      return falls;
    },
  };
}

async function changesUntil(
  { store, metrics, writingTasks }: ChipFallsDeps,
  chip: Chip,
  { scope: kind, parameter, until }: { scope: MetricScope; parameter: string; until: Date },
): Promise<EarlierChanges | null> {
  const scope = scopeOf([chip]);
  const metric = metrics.find(parameter, kind);
  const rows = await store.latestMeasurements(
    {
      ...scope,
      kind,
      parameter,
      taskNames: await writingTasks.find(scope, { kind, parameter }),
      qids: null,
      cooldownId: null,
      from: null,
      to: until,
      marksUpTo: storedMark(metric),
    },
    EARLIER_RESULTS,
  );
  const histories = [...latestByQubit(rows, EARLIER_RESULTS)].map(([qid, results]) => {
    const points = results.flatMap(({ at, value, unit }) => {
      const shown = scaled(value, displayScale(metric, unit));
      return shown === null ? [] : [{ at, value: shown }];
    });
    return [qid, points] as const;
  });
  return earlierChanges(new Map(histories));
}
