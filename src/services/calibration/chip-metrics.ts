import { disabledValue, metricFigures, pastRow, qubitValue } from '../../domain/chip/chip-metric.ts';
import type {
  ChipMetric,
  DisabledMark,
  MetricSelection,
  MetricValues,
  NewerFailure,
  ReducedValue,
} from '../../domain/chip/chip-metric.ts';
import type { Chip } from '../../domain/chip/chip.ts';
import { goneState } from '../../domain/chip/part-state.ts';
import type { StateOf } from '../../domain/values/current.ts';
import { bestByQubit, latestByQubit, mergeAverages } from '../../domain/values/measurement.ts';
import type { UsableMeasurement } from '../../domain/values/measurement.ts';
import { displayScale, isDisabledMark, METRIC_SCOPES, storedMark } from '../../domain/values/metric.ts';
import type { Metric, MetricCatalog, MetricScope } from '../../domain/values/metric.ts';
import { scaled } from '../../domain/values/parameter-value.ts';
import { isOff, offState, switchesOf } from '../../domain/values/switches.ts';
import { metricHeatmap } from '../../domain/visual-rules/heatmap.ts';
import { InvalidInputError } from '../../base/errors.ts';
import type { CalibrationStore, MeasurementQuery } from '../../stores/calibration-store.ts';
import { scopeOf } from './chip-scope.ts';
import type { CurrentValuesReader } from './current-values.ts';
import { knownNames } from './known-names.ts';
import { latestValues } from './latest-values.ts';
import type { MeasuredEntitiesFinder } from './measured-entities.ts';
import type { TopologiesService } from './topologies.ts';
import type { WritingTasksFinder } from './writing-tasks.ts';

/** Which metric values; by default the latest of all time. */
export type ChipMetricRequest = {
  readonly name: string;
  readonly selection?: MetricSelection;
  /** Only results that ended within this many hours. */
  readonly withinHours?: number | null;
};

export type ChipMetricsDeps = {
  readonly store: CalibrationStore;
  readonly metrics: MetricCatalog;
  readonly measured: MeasuredEntitiesFinder;
  readonly currentValues: CurrentValuesReader;
  readonly writingTasks: WritingTasksFinder;
  readonly topologies: TopologiesService;
  readonly now: () => Date;
};

/** Metrics over chips, computed from task results. */
export function createChipMetrics(deps: ChipMetricsDeps) {
  return {
    /** Over all qubits. @throws InvalidInputError naming the qubit metrics for an unknown name */
    async get(chip: Chip, request: ChipMetricRequest): Promise<ChipMetric> {
      const [values, [topology = null]] = await Promise.all([
        metricValues(deps, chip, 'QUBIT', request),
        deps.topologies.ofChips([chip]),
      ]);
      return { ...values, heatmap: metricHeatmap(values.metric, values.values, topology) };
    },
    /** Over all directed couplings. @throws InvalidInputError naming the coupling metrics for an unknown name */
    ofCouplings: (chip: Chip, request: ChipMetricRequest) => metricValues(deps, chip, 'COUPLING', request),
  };
}

async function metricValues(
  deps: ChipMetricsDeps,
  chip: Chip,
  kind: MetricScope,
  { name, selection = 'LATEST', withinHours = null }: ChipMetricRequest,
): Promise<MetricValues> {
  const metric = requireMetric(deps.metrics, name, kind);
  if (withinHours !== null && !(withinHours > 0)) {
    throw InvalidInputError.at(['withinHours'], `${withinHours} is not greater than 0`);
  }
  const from = withinHours === null ? null : new Date(deps.now().getTime() - withinHours * 3_600_000);
  const scope = scopeOf([chip]);
  const { taskNames, putOut } = await deps.writingTasks.findBeside(
    scope,
    { kind, parameter: name },
    switchesOf(name),
  );
  const cooldownId = cooldownOf(chip, selection);
  const query = { ...scope, kind, parameter: name, taskNames, qids: null, cooldownId, from, to: null };
  const [{ entities }, { reduced, disabled }, off] = await Promise.all([
    deps.measured.find(chip, { parameter: name, kind }),
    reduceEnabled(deps.store, metric, selection, query),
    switchedOff(deps, query, putOut),
  ]);
  const values = entities.map((entity) => {
    const mark = disabled.get(entity.qid);
    if (entity.lastSeenAt !== null)
      return pastRow(entity, goneState(entity.lastSeenAt), reduced.get(entity.qid), metric);
    const switched = off.get(entity.qid);
    if (switched) return pastRow(entity, switched.state, switched.last, metric);
    return mark ? disabledValue(entity, mark, metric) : qubitValue(entity, reduced.get(entity.qid), metric);
  });
  return { metric, selection, withinHours, values, ...metricFigures(metric, values) };
}

type Off = { readonly state: StateOf; readonly last: ReducedValue | undefined };

/** The parts that a switch turns off, with the newest good value of each; `switches` are those that the chip has. */
async function switchedOff(
  { store, currentValues, metrics }: ChipMetricsDeps,
  query: MeasurementQuery,
  switches: readonly string[],
): Promise<ReadonlyMap<string, Off>> {
  if (switches.length === 0) return new Map();
  const { projectId, chipIds, kind, parameter } = query;
  const found = await currentValues.read(kind, { projectId, chipIds, qids: null, names: switches });
  const states = new Map(
    found.flatMap(({ qid, values }) => {
      const off = values.find(({ stored }) => isOff(stored));
      return off === undefined ? [] : [[qid, offState(off.stored.calibratedAt)] as const];
    }),
  );
  if (states.size === 0) return new Map();
  const marksUpTo = storedMark(metrics.find(parameter, kind));
  const qids = [...states.keys()];
  const good = await store.latestMeasurements({ ...query, qids, cooldownId: null, from: null, marksUpTo }, 1);
  const newest = latestByQubit(good, 1);
  return new Map(
    [...states].map(([qid, state]) => {
      const [last] = newest.get(qid) ?? [];
      return [qid, { state, last: last && reducedValue(last, null) }];
    }),
  );
}

/**
 * A device changes between cool-downs, so the best or mean value over several describes none of them. A latest value
 * is a single value, which names its cool-down.
 */
const cooldownOf = (chip: Chip, selection: MetricSelection): string | null =>
  selection === 'LATEST' ? null : chip.currentCooldownId;

const WORDS: Readonly<Record<MetricScope, string>> = { QUBIT: 'qubit', COUPLING: 'coupling' };

function requireMetric(metrics: MetricCatalog, name: string, kind: MetricScope): Metric {
  const metric = metrics.find(name, kind);
  if (metric) return metric;
  const known = metrics.metrics.filter(({ scope }) => scope === kind).map((each) => each.name);
  const other = METRIC_SCOPES.find((scope) => metrics.find(name, scope) !== null);
  const why = other ? `${name} is measured on ${WORDS[other]}s` : `there is no metric ${name}`;
  throw InvalidInputError.at(['name'], `${why}; ${WORDS[kind]} metrics: ${knownNames(known)}`);
}

type Reduced = ReadonlyMap<string, ReducedValue>;

type Enabled = { readonly reduced: Reduced; readonly disabled: ReadonlyMap<string, DisabledMark> };

/**
 * Reduced values, and the parts whose newest result of all time marks them as disabled: their older results are past,
 * whatever the selection.
 */
async function reduceEnabled(
  store: CalibrationStore,
  metric: Metric,
  selection: MetricSelection,
  query: MeasurementQuery,
): Promise<Enabled> {
  const marksUpTo = storedMark(metric);
  if (marksUpTo === null) {
    return { reduced: await reduce(store, metric, selection, query), disabled: new Map() };
  }
  const isNewest = selection === 'LATEST' && query.from === null;
  const [newest, reduced] = await Promise.all([
    latest(store, { ...query, cooldownId: null, from: null }),
    isNewest ? null : reduce(store, metric, selection, { ...query, marksUpTo }),
  ]);
  const marks = new Map([...newest].filter(([, { value, unit }]) => isMark(metric, value, unit)));
  const qids = [...marks.keys()];
  const good =
    qids.length === 0
      ? []
      : await store.latestMeasurements({ ...query, cooldownId: null, from: null, qids, marksUpTo }, 1);
  const before = latestByQubit(good, 1);
  return {
    reduced: reduced ?? newest,
    disabled: new Map([...marks].map(([qid, mark]) => [qid, { mark, before: before.get(qid)?.[0] ?? null }])),
  };
}

const isMark = (metric: Metric, value: number, unit: string): boolean =>
  isDisabledMark(metric, scaled(value, displayScale(metric, unit)));

function reduce(
  store: CalibrationStore,
  metric: Metric,
  selection: MetricSelection,
  query: MeasurementQuery,
): Promise<Reduced> {
  switch (selection) {
    case 'LATEST':
      return latest(store, query);
    case 'BEST':
      return metric.direction === 'NEUTRAL' ? latest(store, query) : best(store, metric, query);
    case 'AVERAGE':
      return average(store, query);
    default:
      return selection satisfies never;
  }
}

async function latest(store: CalibrationStore, query: MeasurementQuery): Promise<Reduced> {
  const values = await latestValues(store, query);
  return new Map(
    [...values].map(([qid, { value, newerFailure }]) => [qid, reducedValue(value, newerFailure)]),
  );
}

async function best(store: CalibrationStore, metric: Metric, query: MeasurementQuery): Promise<Reduced> {
  const by = metric.direction === 'HIGHER_IS_BETTER' ? 'GREATEST' : 'LEAST';
  const measurements = await store.bestMeasurements(query, by);
  return new Map([...bestByQubit(measurements, by)].map(([qid, each]) => [qid, reducedValue(each, null)]));
}

async function average(store: CalibrationStore, query: MeasurementQuery): Promise<Reduced> {
  const averages = Map.groupBy(await store.averages(query), ({ qid }) => qid);
  return new Map(
    [...averages].flatMap(([qid, parts]) => {
      const merged = mergeAverages(parts);
      if (!merged) return [];
      const { mean: value, unit, deviation: error, count: runs, newestAt: measuredAt } = merged;
      const origin = { taskId: null, taskName: null, cooldownId: null, newerFailure: null };
      return [[qid, { value, unit, error, runs, measuredAt, ...origin }] as const];
    }),
  );
}

function reducedValue(
  { value, unit, error, at, taskId, taskName, cooldownId }: UsableMeasurement,
  newer: NewerFailure | null,
): ReducedValue {
  return {
    value,
    unit,
    error,
    measuredAt: at,
    taskId,
    taskName,
    cooldownId,
    runs: 1,
    newerFailure: newer,
  };
}
