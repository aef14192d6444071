import { metricFigures, qubitValue } from '../domain/chip-metric.ts';
import type { MetricSelection, NewerFailure, ReducedValue } from '../domain/chip-metric.ts';
import { metricHeatmap } from '../domain/heatmap.ts';
import { bestByQubit, latestByQubit, mergeAverages } from '../domain/measurement.ts';
import type { UsableMeasurement } from '../domain/measurement.ts';
import type { Metric, MetricCatalog } from '../domain/metric.ts';
import { InvalidInputError } from '../errors.ts';
import type { CalibrationStore, MeasurementQuery, TaskRun } from '../stores/calibration-store.ts';
import type { QubitsService, TopologiesService } from './chip-services.ts';
import type { ChipMetricRequest, ChipMetricsService } from './value-services.ts';
import { scopeOf } from './chip-scope.ts';
import { knownNames } from './known-names.ts';
import { tasksThatWrite } from './writing-tasks.ts';

/** How far back a failure is looked for among the newest runs of a task on a qubit. */
const RECENT_RUNS = 5;

/** What metrics are made from. */
export type ChipMetricsDeps = {
  readonly store: CalibrationStore;
  readonly metrics: MetricCatalog;
  readonly qubits: QubitsService;
  readonly topologies: TopologiesService;
  readonly now: () => Date;
};

/** Metrics over chips, reduced from task results. */
export function createChipMetrics(deps: ChipMetricsDeps): ChipMetricsService {
  return {
    async get(chip, { name, selection = 'LATEST', withinHours = null }: ChipMetricRequest) {
      const metric = requireQubitMetric(deps.metrics, name);
      if (withinHours !== null && !(withinHours > 0)) {
        throw new InvalidInputError([
          { path: ['withinHours'], message: `${withinHours} is not more than 0` },
        ]);
      }
      const from = withinHours === null ? null : new Date(deps.now().getTime() - withinHours * 3_600_000);
      const scope = scopeOf([chip]);
      const taskNames = await tasksThatWrite(deps.store, scope, name);
      const query = { ...scope, parameter: name, taskNames, qids: null, from, to: null };
      const [[qubits = []], [topology = null], reduced] = await Promise.all([
        deps.qubits.ofChips([chip]),
        deps.topologies.ofChips([chip]),
        reduce(deps.store, metric, selection, query),
      ]);
      const values = qubits.map((qubit) => qubitValue(qubit, reduced.get(qubit.qid), metric));
      return {
        metric,
        selection,
        withinHours,
        values,
        ...metricFigures(metric, values),
        heatmap: metricHeatmap(metric, values, topology),
      };
    },
  };
}

function requireQubitMetric(metrics: MetricCatalog, name: string): Metric {
  const metric = metrics.find(name, 'QUBIT');
  if (metric) return metric;
  const known = metrics.metrics.filter(({ scope }) => scope === 'QUBIT').map((each) => each.name);
  const why = metrics.find(name, 'COUPLING')
    ? `${name} is measured on couplings`
    : `there is no metric ${name}`;
  throw new InvalidInputError([{ path: ['name'], message: `${why}; qubit metrics: ${knownNames(known)}` }]);
}

type Reduced = ReadonlyMap<string, ReducedValue>;

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

/** Two reads: the values, and the runs since of the tasks that brought them. */
async function latest(store: CalibrationStore, query: MeasurementQuery): Promise<Reduced> {
  const measurements = latestByQubit(await store.latestMeasurements(query, 1), 1);
  const values = [...measurements.values()].flatMap(([newest]) => newest ?? []);
  const taskNames = [...new Set(values.map(({ taskName }) => taskName))];
  const runs = values.length === 0 ? [] : await store.recentRuns({ ...query, taskNames }, RECENT_RUNS);
  const failures = Map.groupBy(
    runs.filter(({ status }) => status === 'FAILED'),
    ({ qid }) => qid,
  );
  return new Map(
    values.map((value) => [
      value.qid,
      reducedValue(value, newerFailure(value, failures.get(value.qid) ?? [])),
    ]),
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
      return [[qid, { value, unit, error, runs, measuredAt, taskId: null, newerFailure: null }] as const];
    }),
  );
}

function reducedValue(
  { value, unit, error, at, taskId }: UsableMeasurement,
  newer: NewerFailure | null,
): ReducedValue {
  return { value, unit, error, measuredAt: at, taskId, runs: 1, newerFailure: newer };
}

/** The newest of its qubit's failed runs of the value's task, if it is newer than the value. */
function newerFailure(value: UsableMeasurement, failures: readonly TaskRun[]): NewerFailure | null {
  const newer = failures.flatMap(({ taskName, status, taskId, at }) => {
    const isNewer = at !== null && at > value.at && taskName === value.taskName;
    return isNewer ? [{ taskId, status, at }] : [];
  });
  return newer.toSorted((a, b) => b.at.getTime() - a.at.getTime())[0] ?? null;
}
