/**
 * DataLoaders of one operation or one agent round: however many fields or tools ask, each kind of thing is read once.
 * They hold what they read, so they are made anew for every operation; they decide nothing, the services do.
 */
import DataLoader from 'dataloader';
import type { ChipMetric, MetricValues } from '../../domain/chip/chip-metric.ts';
import type { ChipSummary } from '../../domain/chip/chip-summary.ts';
import type { ChipTimeseries, ParameterSeries } from '../../domain/chip/chip-timeseries.ts';
import type { Chip, Coupling, Qubit } from '../../domain/chip/chip.ts';
import type { Topology } from '../../domain/chip/topology.ts';
import type { Viewer } from '../../domain/conversation/session.ts';
import type { Execution } from '../../domain/records/execution.ts';
import type { ParameterVersion } from '../../domain/records/provenance.ts';
import type { MetricScope } from '../../domain/values/metric.ts';
import type { ParameterValue } from '../../domain/values/parameter-value.ts';
import type { TaskResult } from '../../domain/values/task-result.ts';
import type { CalibrationServices } from '../calibration/calibration-services.ts';
import type {
  ChipMetricRequest,
  ChipSummaryRequest,
  ChipTimeseriesRequest,
} from '../calibration/value-services.ts';

/** The history of one parameter on one qubit, or on one coupling in its direction. */
export type SeriesKey = {
  readonly kind: MetricScope;
  readonly chipId: string;
  readonly qid: string;
  readonly parameter: string;
  readonly lastN: number;
};

/** One qubit's newest result of one task. */
export type LatestTaskResultKey = { readonly qubit: Qubit; readonly taskName: string };

/** One qubit's versions of one parameter. */
export type LineageKey = { readonly qubit: Qubit; readonly parameter: string; readonly lastN: number };

/** The loaders of one operation. Keys that are objects are compared by what they say, not by identity. */
export type Loaders = {
  /** By chip id; null where the viewer's project has no such chip. */
  readonly chip: DataLoader<string, Chip | null>;
  readonly topology: DataLoader<Chip, Topology | null, string>;
  /** Numeric order. */
  readonly qubitsOfChip: DataLoader<Chip, readonly Qubit[], string>;
  readonly couplingsOfChip: DataLoader<Chip, readonly Coupling[], string>;
  readonly chipSummary: DataLoader<ChipSummaryRequest, ChipSummary | null, string>;
  readonly chipMetric: DataLoader<ChipMetricRequest & { readonly chip: Chip }, ChipMetric, string>;
  readonly couplingMetric: DataLoader<ChipMetricRequest & { readonly chip: Chip }, MetricValues, string>;
  readonly chipTimeseries: DataLoader<
    ChipTimeseriesRequest & { readonly chip: Chip },
    ChipTimeseries,
    string
  >;
  /** All current values of a qubit; pick by name from them. */
  readonly qubitParameters: DataLoader<Qubit, readonly ParameterValue[], string>;
  readonly couplingParameters: DataLoader<Coupling, readonly ParameterValue[], string>;
  readonly series: DataLoader<SeriesKey, ParameterSeries, string>;
  /** By task id; null where the viewer's project has no such result. */
  readonly taskResult: DataLoader<string, TaskResult | null>;
  /** By execution id; null where the viewer's project has no such execution. */
  readonly execution: DataLoader<string, Execution | null>;
  /** Newest first; empty where nothing was recorded. */
  readonly lineage: DataLoader<LineageKey, readonly ParameterVersion[], string>;
  readonly latestTaskResult: DataLoader<LatestTaskResultKey, TaskResult | null, string>;
};

/** Fresh loaders for `viewer`. */
export function createLoaders(services: CalibrationServices, viewer: Viewer): Loaders {
  const chip = new DataLoader<string, Chip | null>((chipIds) => services.chips.getMany(viewer, chipIds));
  const currentValues = services.shareCurrentValues();
  return {
    chip,
    topology: new DataLoader((chips) => services.topologies.ofChips(chips), { cacheKeyFn: chipKey }),
    qubitsOfChip: new DataLoader((chips) => services.qubits.ofChips(chips), { cacheKeyFn: chipKey }),
    couplingsOfChip: new DataLoader((chips) => services.couplings.ofChips(chips), { cacheKeyFn: chipKey }),
    chipSummary: new DataLoader<ChipSummaryRequest, ChipSummary | null, string>(
      (requests) => services.chipSummaries.getMany(requests, currentValues),
      {
        cacheKeyFn: ({ chip, parameters }) => JSON.stringify([chip.chipId, parameters]),
      },
    ),
    chipMetric: new DataLoader(
      (requests) => settle(requests.map(({ chip, ...request }) => services.chipMetrics.get(chip, request))),
      { cacheKeyFn: metricKey },
    ),
    couplingMetric: new DataLoader(
      (requests) =>
        settle(requests.map(({ chip, ...request }) => services.chipMetrics.ofCouplings(chip, request))),
      { cacheKeyFn: metricKey },
    ),
    chipTimeseries: new DataLoader(
      (requests) =>
        settle(requests.map(({ chip, ...request }) => services.chipTimeseries.get(chip, request))),
      { cacheKeyFn: ({ chip, ...request }) => JSON.stringify([chip.chipId, request]) },
    ),
    qubitParameters: new DataLoader((qubits) => services.qubits.parameters(qubits, null, currentValues), {
      cacheKeyFn: ({ chipId, qid }) => JSON.stringify([chipId, qid]),
    }),
    couplingParameters: new DataLoader((couplings) => services.couplings.parameters(couplings, null), {
      cacheKeyFn: ({ chipId, couplingId }) => JSON.stringify([chipId, couplingId]),
    }),
    series: new DataLoader((keys) => loadSeries(services, chip, keys), {
      cacheKeyFn: ({ kind, chipId, qid, parameter, lastN }) =>
        JSON.stringify([kind, chipId, qid, parameter, lastN]),
    }),
    taskResult: new DataLoader((taskIds) => services.taskResults.getMany(viewer, taskIds)),
    execution: new DataLoader((executionIds) => services.executions.getMany(viewer, executionIds)),
    lineage: new DataLoader((keys) => loadLineage(services, chip, keys), {
      cacheKeyFn: ({ qubit, parameter, lastN }) =>
        JSON.stringify([qubit.chipId, qubit.qid, parameter, lastN]),
    }),
    latestTaskResult: new DataLoader((keys) => loadLatestTaskResults(services, chip, keys), {
      cacheKeyFn: ({ qubit, taskName }) => JSON.stringify([qubit.chipId, qubit.qid, taskName]),
    }),
  };
}

const metricKey = (request: ChipMetricRequest & { readonly chip: Chip }): string => {
  const { chip, name, selection = 'LATEST', withinHours = null } = request;
  return JSON.stringify([chip.chipId, name, selection, withinHours]);
};

const chipKey = ({ chipId }: Chip): string => chipId;

/** One read for all that ask the same of the same chip. */
async function loadSeries(
  services: CalibrationServices,
  chips: Loaders['chip'],
  keys: readonly SeriesKey[],
): Promise<readonly (ParameterSeries | Error)[]> {
  const groupOf = ({ kind, chipId, parameter, lastN }: SeriesKey): string =>
    JSON.stringify([kind, chipId, parameter, lastN]);
  const byGroup = new Map(
    [...Map.groupBy(keys, groupOf)].map(([group, members]) => [group, seriesOf(members)] as const),
  );
  return settle(
    keys.map(async (key) => {
      const series = await byGroup.get(groupOf(key));
      return required(series?.get(key.qid), `series of ${key.qid}`);
    }),
  );

  async function seriesOf(members: readonly SeriesKey[]): Promise<ReadonlyMap<string, ParameterSeries>> {
    const { kind, chipId, parameter, lastN } = required(members[0], 'key');
    const chip = required(await chips.load(chipId), `chip ${chipId}`);
    const qids = members.map(({ qid }) => qid);
    const { series } = await services.chipTimeseries.get(chip, { kind, parameter, lastN, qids });
    return new Map(series.map((one) => [one.qid, one]));
  }
}

/** One read for all qubits that ask for the same parameter on the same chip. */
async function loadLineage(
  services: CalibrationServices,
  chips: Loaders['chip'],
  keys: readonly LineageKey[],
): Promise<readonly (readonly ParameterVersion[] | Error)[]> {
  const groupOf = ({ qubit, parameter, lastN }: LineageKey): string =>
    JSON.stringify([qubit.chipId, parameter, lastN]);
  const byGroup = new Map(
    [...Map.groupBy(keys, groupOf)].map(([group, members]) => [group, versionsOf(members)] as const),
  );
  return settle(keys.map(async (key) => (await byGroup.get(groupOf(key)))?.get(key.qubit.qid) ?? []));

  async function versionsOf(members: readonly LineageKey[]) {
    const { qubit, parameter, lastN } = required(members[0], 'key');
    const chip = required(await chips.load(qubit.chipId), `chip ${qubit.chipId}`);
    return services.lineage.versions(chip, {
      parameter,
      qids: members.map((member) => member.qubit.qid),
      lastN,
    });
  }
}

/** One read for all qubits that ask for the same task on the same chip. */
async function loadLatestTaskResults(
  services: CalibrationServices,
  chips: Loaders['chip'],
  keys: readonly LatestTaskResultKey[],
): Promise<readonly (TaskResult | null | Error)[]> {
  const groups = Map.groupBy(keys, ({ qubit, taskName }) => JSON.stringify([qubit.chipId, taskName]));
  const byGroup = new Map(
    [...groups].map(([group, members]) => [group, latestOfGroup(services, chips, members)] as const),
  );
  return settle(
    keys.map(async ({ qubit, taskName }) => {
      const latest = await byGroup.get(JSON.stringify([qubit.chipId, taskName]));
      return latest?.get(qubit.qid) ?? null;
    }),
  );
}

async function latestOfGroup(
  services: CalibrationServices,
  chips: Loaders['chip'],
  members: readonly LatestTaskResultKey[],
): Promise<ReadonlyMap<string, TaskResult>> {
  const { qubit, taskName } = required(members[0], 'key');
  const chip = required(await chips.load(qubit.chipId), `chip ${qubit.chipId}`);
  return services.taskResults.latest(chip, { taskName, qids: members.map((member) => member.qubit.qid) });
}

/** DataLoader wants an error in its place, so that one bad key does not fail its neighbours. */
async function settle<Value>(promises: readonly Promise<Value>[]): Promise<readonly (Value | Error)[]> {
  const settled = await Promise.allSettled(promises);
  return settled.map((result) => {
    if (result.status === 'fulfilled') return result.value;
    return result.reason instanceof Error
      ? result.reason
      : new Error('a service failed', { cause: result.reason });
  });
}

function required<Value>(value: Value | null | undefined, what: string): Value {
  if (value === null || value === undefined) throw new Error(`${what} is not there although it was loaded`);
  return value;
}
