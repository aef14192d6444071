import { compareChip, type ChipComparison, type PartValues } from '../../domain/chip/chip-comparison.ts';
import type { Chip } from '../../domain/chip/chip.ts';
import { formatTime } from '../../domain/text/display-text.ts';
import { compareQids, normaliseQid, qidLabel, twinOf } from '../../domain/qid.ts';
import { METRIC_SCOPES, type MetricCatalog, type MetricScope } from '../../domain/values/metric.ts';
import { latestByQubit, type UsableMeasurement } from '../../domain/values/measurement.ts';
import { describeParameter } from '../../domain/values/parameter-value.ts';
import { InvalidInputError, NotFoundError } from '../../base/errors.ts';
import type { CalibrationStore, EntityRow } from '../../stores/calibration-store.ts';
import { scopeOf } from './chip-scope.ts';
import { storedParameterOf } from './current-values.ts';
import { knownNames } from './known-names.ts';
import { parameterNameIssue, unknownParameter } from './parameter-names.ts';
import type { WritingTasksFinder } from './writing-tasks.ts';

/** Which values; null or empty: all. */
export type PartSelection = {
  readonly parameters?: readonly string[] | null | undefined;
  /** Qubits and couplings. */
  readonly qids?: readonly string[] | null | undefined;
};

/** What a chip was at one point in time. */
export type ChipSnapshot = {
  readonly chip: Chip;
  readonly at: Date;
  /** Qubits before couplings, in numeric order; only parts that existed and had a value. */
  readonly parts: readonly PartValues[];
};

/** Chips as of points in time. */
export type ChipComparisonsService = ReturnType<typeof createChipComparisons>;

export type ChipComparisonsDeps = {
  readonly store: CalibrationStore;
  readonly metrics: MetricCatalog;
  readonly writingTasks: WritingTasksFinder;
  readonly now: () => Date;
};

/**
 * A chip as of any point in time, computed from its results, and two such states compared. Reads one command for each
 * parameter and point in time, however many parts there are.
 */
export function createChipComparisons(deps: ChipComparisonsDeps) {
  const asOf = async (chip: Chip, at: Date, selection: PartSelection = {}): Promise<ChipSnapshot> => {
    const parts = await partsOf(deps, chip, selection);
    const [snapshot] = await snapshots(deps, chip, parts, [requirePast(at, 'at', deps.now())]);
    if (!snapshot) throw new Error('one point in time gives one snapshot');
    return snapshot;
  };
  return {
    /**
     * The values that were current at `at`: of each part and parameter the newest result until then.
     * @throws InvalidInputError for a time to come or an unknown parameter; NotFoundError for unknown parts
     */
    asOf,
    /**
     * What changed between two points in time, `to` defaulting to now.
     * @throws InvalidInputError for times out of order, or before the first result; else as `asOf`
     */
    async compare(
      chip: Chip,
      {
        from,
        to,
        ...selection
      }: PartSelection & { readonly from: Date; readonly to?: Date | null | undefined },
    ): Promise<ChipComparison> {
      const end = to ? requirePast(to, 'to', deps.now()) : deps.now();
      if (from >= end) {
        const message = `${from.toISOString()} is not before ${end.toISOString()}`;
        throw InvalidInputError.at(['from'], message);
      }
      const parts = await partsOf(deps, chip, selection);
      const [before, after] = await snapshots(deps, chip, parts, [from, end]);
      if (!before || !after) throw new Error('two points in time give two snapshots');
      if (before.parts.length === 0) {
        const message = `chip ${chip.chipId} has no result of these from before ${formatTime(from)}; choose a later time`;
        throw InvalidInputError.at(['from'], message);
      }
      const { metrics } = deps;
      return compareChip({ from, to: end, before: before.parts, after: after.parts, metrics });
    },
  };
}

function requirePast(at: Date, path: string, now: Date): Date {
  if (at <= now) return at;
  throw InvalidInputError.at([path], `${at.toISOString()} is in the future`);
}

/** Parts of one kind, and the parameters that are read of them. */
type Parts = {
  readonly scope: MetricScope;
  readonly rows: readonly EntityRow[];
  readonly names: readonly string[];
};

/** @throws NotFoundError for parts that the chip does not have; InvalidInputError for parameters that no part has. */
async function partsOf(
  { store, metrics }: ChipComparisonsDeps,
  chip: Chip,
  { parameters, qids }: PartSelection,
): Promise<readonly Parts[]> {
  const issues = (parameters ?? []).flatMap((name) => parameterNameIssue(name, ['parameters']) ?? []);
  if (issues.length > 0) throw new InvalidInputError(issues);
  const all = await Promise.all(
    METRIC_SCOPES.map(async (scope) => ({ scope, rows: await store.entities(scope, scopeOf([chip])) })),
  );
  const wanted = qids?.length
    ? wantedQids(
        chip,
        all.flatMap(({ rows }) => rows),
        qids,
      )
    : null;
  const onChip = [
    ...new Set(all.flatMap(({ rows }) => rows.flatMap(({ parameterNames }) => parameterNames))),
  ];
  const unknown = parameters?.find((name) => !onChip.includes(name));
  if (unknown !== undefined) throw unknownParameter(unknown, ['parameters'], chip, { onChip, metrics });
  return all.map(({ scope, rows }) => {
    const own = rows.filter(({ qid }) => wanted?.has(qid) ?? true);
    const names = new Set(own.flatMap(({ parameterNames }) => parameterNames));
    return {
      scope,
      rows: own,
      names: [...names].filter((name) => (parameters?.length ? parameters.includes(name) : true)),
    };
  });
}

/** Ids as stored, of couplings in both directions. */
function wantedQids(chip: Chip, rows: readonly EntityRow[], written: readonly string[]): ReadonlySet<string> {
  const known = new Set(rows.map(({ qid }) => qid));
  return new Set(
    written.flatMap((text) => {
      const qid = normaliseQid(text);
      const found = [qid, twinOf(qid)].filter((id) => known.has(id));
      if (found.length > 0) return found;
      const parts = knownNames([...known].toSorted(compareQids));
      throw new NotFoundError(
        `there is no qubit or coupling ${text} on chip ${chip.chipId}; its parts: ${parts}`,
      );
    }),
  );
}

async function snapshots(
  deps: ChipComparisonsDeps,
  chip: Chip,
  parts: readonly Parts[],
  times: readonly Date[],
): Promise<readonly ChipSnapshot[]> {
  const scope = scopeOf([chip]);
  const read = parts.flatMap(({ scope: kind, names }) => names.map((parameter) => ({ kind, parameter })));
  const taskNames = await deps.writingTasks.findMany(scope, read);
  return Promise.all(
    times.map(async (at) => {
      const found = await Promise.all(
        read.map(async ({ kind, parameter }, index) => {
          const to = new Date(at.getTime() + 1);
          const query = { ...scope, kind, parameter, taskNames: taskNames[index] ?? null };
          const rows = await deps.store.latestMeasurements(
            { ...query, qids: null, cooldownId: null, from: null, to },
            1,
          );
          return { kind, parameter, latest: latestByQubit(rows, 1) };
        }),
      );
      return { chip, at, parts: parts.flatMap((each) => valuesOf(deps, chip, each, found, at)) };
    }),
  );
}

/** The newest result of each part for one parameter. */
type Found = {
  readonly kind: MetricScope;
  readonly parameter: string;
  readonly latest: ReadonlyMap<string, readonly UsableMeasurement[]>;
};

function valuesOf(
  { metrics }: ChipComparisonsDeps,
  chip: Chip,
  { scope, rows }: Parts,
  found: readonly Found[],
  at: Date,
): readonly PartValues[] {
  const own = found.filter(({ kind }) => kind === scope);
  const names = metrics.inOrder(own.map(({ parameter }) => parameter));
  const byName = new Map(own.map(({ parameter, latest }) => [parameter, latest]));
  return presentQids(chip, rows, at).flatMap((qid) => {
    const parameters = names.flatMap((name) => {
      const [newest] = byName.get(name)?.get(qid) ?? [];
      return newest
        ? [describeParameter(storedParameterOf(name, newest), metrics.find(name, scope), at)]
        : [];
    });
    return parameters.length === 0 ? [] : [{ scope, qid, label: qidLabel(qid, chip.size), parameters }];
  });
}

/** In numeric order, without those that the newest snapshot of an imported chip no longer has. */
function presentQids({ snapshotAt = null }: Chip, rows: readonly EntityRow[], at: Date): readonly string[] {
  const isAfter = snapshotAt !== null && at >= snapshotAt;
  const present = rows.filter(
    ({ updatedAt }) => !isAfter || updatedAt === null || snapshotAt === null || updatedAt >= snapshotAt,
  );
  return [...new Set(present.map(({ qid }) => qid))].toSorted(compareQids);
}
