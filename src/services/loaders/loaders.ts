/**
 * DataLoaders over calibration data for one operation or one agent round: however many fields or tools ask, each
 * thing is read once. Loaders keep what they read, so every operation gets new ones. They decide nothing; the
 * services do.
 */
import DataLoader from 'dataloader';
import type { ChipSummary } from '../../domain/chip/chip-summary.ts';
import type { ParameterSeries } from '../../domain/chip/chip-timeseries.ts';
import type { Chip, Coupling, Qubit } from '../../domain/chip/chip.ts';
import type { Viewer } from '../../domain/conversation/session.ts';
import type { MetricScope } from '../../domain/values/metric.ts';
import type { TaskResultFilter } from '../../domain/values/task-result.ts';
import type { CalibrationServices } from '../calibration/calibration-services.ts';
import { noSuchChip } from '../calibration/chips.ts';
import type { ChipMetricRequest } from '../calibration/chip-metrics.ts';
import type { ChipSummaryRequest } from '../calibration/chip-summaries.ts';
import type { ChipTimeseriesRequest } from '../calibration/chip-timeseries.ts';
import type { FilteredPageRequest, Page } from '../page-cursor.ts';

/** The history of one parameter on one qubit, or on one coupling in its direction. */
export type SeriesKey = {
  readonly kind: MetricScope;
  readonly chipId: string;
  readonly qid: string;
  readonly parameter: string;
  readonly lastN: number;
};

type LatestTaskResultKey = { readonly qubit: Qubit; readonly taskName: string };
/** A page of results of a qubit. */
type ResultsKey = {
  readonly qubit: Qubit;
  readonly page: FilteredPageRequest<Omit<TaskResultFilter, 'qid'>>;
};
type LineageKey = { readonly qubit: Qubit; readonly parameter: string; readonly lastN: number };
type OfChip<Request> = Request & { readonly chip: Chip };

/** The loaders of one operation. Object keys are compared by content, not by identity. */
export type Loaders = ReturnType<typeof createLoaders>;

/** Fresh loaders for `viewer`. */
export function createLoaders(services: CalibrationServices, viewer: Viewer) {
  const chip = new DataLoader((ids: readonly string[]) => services.chips.getMany(viewer, ids));
  const currentValues = services.shareCurrentValues();
  let listed: Promise<readonly Chip[]> | undefined;
  const chips = (): Promise<readonly Chip[]> => (listed ??= services.chips.list(viewer));
  const ofChips = { cacheKeyFn: ({ chipId }: Chip): string => chipId };
  return {
    /** All of the viewer's project, newest installation first. */
    chips,
    /** By chip id; null for a chip that the viewer's project does not have. */
    chip,
    /** The chip of that name. @throws NotFoundError naming the project's chips */
    chipNamed: async (chipId: string): Promise<Chip> =>
      (await chip.load(chipId)) ?? noSuchChip(viewer, chipId, await chips()),
    /** When the cool-down began that a chip is in; null where that is unknown. */
    cooldownStart: new DataLoader((of: readonly Chip[]) => services.cooldowns.startsOf(viewer, of), ofChips),
    /** Names of the parameters ever set on a chip or, with `qid` as written, on a part of it. */
    parameterNames: new DataLoader(
      (keys: readonly OfChip<{ readonly qid: string | null }>[]) =>
        settle(keys.map(({ chip: of, qid }) => services.parameterNames.list(of, qid))),
      { cacheKeyFn: partKey },
    ),
    topology: new DataLoader((chips: readonly Chip[]) => services.topologies.ofChips(chips), ofChips),
    /** In numeric order. */
    qubitsOfChip: new DataLoader((chips: readonly Chip[]) => services.qubits.ofChips(chips), ofChips),
    couplingsOfChip: new DataLoader((chips: readonly Chip[]) => services.couplings.ofChips(chips), ofChips),
    chipSummary: new DataLoader<ChipSummaryRequest, ChipSummary | null, string>(
      (requests) => services.chipSummaries.getMany(requests, currentValues),
      { cacheKeyFn: ({ chip, parameters }) => JSON.stringify([chip.chipId, parameters]) },
    ),
    chipMetric: new DataLoader(
      (requests: readonly OfChip<ChipMetricRequest>[]) =>
        settle(requests.map(({ chip, ...request }) => services.chipMetrics.get(chip, request))),
      { cacheKeyFn: metricKey },
    ),
    couplingMetric: new DataLoader(
      (requests: readonly OfChip<ChipMetricRequest>[]) =>
        settle(requests.map(({ chip, ...request }) => services.chipMetrics.ofCouplings(chip, request))),
      { cacheKeyFn: metricKey },
    ),
    chipTimeseries: new DataLoader(
      (requests: readonly OfChip<ChipTimeseriesRequest>[]) =>
        settle(requests.map(({ chip, ...request }) => services.chipTimeseries.get(chip, request))),
      { cacheKeyFn: ({ chip, ...request }) => JSON.stringify([chip.chipId, request]) },
    ),
    /** All current values of a qubit; callers pick by name. */
    qubitParameters: new DataLoader(
      (qubits: readonly Qubit[]) => services.qubits.parameters(qubits, null, currentValues),
      { cacheKeyFn: ({ chipId, qid }) => JSON.stringify([chipId, qid]) },
    ),
    couplingParameters: new DataLoader(
      (couplings: readonly Coupling[]) => services.couplings.parameters(couplings, null, currentValues),
      { cacheKeyFn: ({ chipId, couplingId }) => JSON.stringify([chipId, couplingId]) },
    ),
    series: new DataLoader(
      (keys: readonly SeriesKey[]) =>
        loadGrouped(keys, seriesGroup, async (members): Promise<ReadonlyMap<string, ParameterSeries>> => {
          const [{ kind, chipId, parameter, lastN }] = members;
          const qids = members.map(({ qid }) => qid);
          const request = { kind, parameter, lastN, qids };
          const { series } = await services.chipTimeseries.get(await loadChip(chip, chipId), request);
          return new Map(series.map((one) => [one.qid, one]));
        }).then((found) => found.map((loaded, index) => loaded ?? missingSeries(keys[index]))),
      { cacheKeyFn: (key) => JSON.stringify([seriesGroup(key), key.qid]) },
    ),
    /** What was written about a chip or, with `qid` as written, about a qubit or coupling of it. */
    recordedNotes: new DataLoader(
      (keys: readonly OfChip<{ readonly qid: string | null }>[]) =>
        settle(keys.map(({ chip: of, qid }) => services.notes.recorded(of, qid))),
      { cacheKeyFn: partKey },
    ),
    /** By task id; null for a result that the viewer's project does not have. */
    taskResult: new DataLoader((ids: readonly string[]) => services.taskResults.getMany(viewer, ids)),
    /** By execution id; null for an execution that the viewer's project does not have. */
    execution: new DataLoader((ids: readonly string[]) => services.executions.getMany(viewer, ids)),
    /** Versions of one parameter of one qubit, newest first; empty if nothing was recorded. */
    lineage: new DataLoader(
      (keys: readonly LineageKey[]) =>
        loadGrouped(keys, lineageGroup, async (members) => {
          const [{ qubit, parameter, lastN }] = members;
          const qids = members.map((member) => member.qubit.qid);
          return services.lineage.versions(await loadChip(chip, qubit.chipId), { parameter, qids, lastN });
        }).then((found) => found.map((versions) => versions ?? [])),
      { cacheKeyFn: (key) => JSON.stringify([lineageGroup(key), key.qubit.qid]) },
    ),
    /** A page of the results of a qubit. */
    taskResultsOfQubit: new DataLoader(
      (keys: readonly ResultsKey[]) =>
        loadGrouped(keys, resultsGroup, async (members) => {
          const [{ qubit, page }] = members;
          const qids = members.map((member) => member.qubit.qid);
          const pages = await services.taskResults.pages(await loadChip(chip, qubit.chipId), qids, page);
          return new Map(qids.map((qid, index) => [qid, pages[index] ?? EMPTY_PAGE]));
        }).then((found) => found.map((page) => page ?? EMPTY_PAGE)),
      { cacheKeyFn: (key) => JSON.stringify([resultsGroup(key), key.qubit.qid]) },
    ),
    /** The newest usable result of one task on one qubit. */
    latestTaskResult: new DataLoader(
      (keys: readonly LatestTaskResultKey[]) =>
        loadGrouped(keys, taskGroup, async (members) => {
          const [{ qubit, taskName }] = members;
          const qids = members.map((member) => member.qubit.qid);
          return services.taskResults.latest(await loadChip(chip, qubit.chipId), { taskName, qids });
        }),
      { cacheKeyFn: (key) => JSON.stringify([taskGroup(key), key.qubit.qid]) },
    ),
  };
}

const metricKey = (request: OfChip<ChipMetricRequest>): string => {
  const { chip, name, selection = 'LATEST', withinHours = null } = request;
  return JSON.stringify([chip.chipId, name, selection, withinHours]);
};

const partKey = ({ chip, qid }: OfChip<{ readonly qid: string | null }>): string =>
  JSON.stringify([chip.chipId, qid]);

const seriesGroup = ({ kind, chipId, parameter, lastN }: SeriesKey): string =>
  JSON.stringify([kind, chipId, parameter, lastN]);
const lineageGroup = ({ qubit, parameter, lastN }: LineageKey): string =>
  JSON.stringify([qubit.chipId, parameter, lastN]);
const resultsGroup = ({ qubit, page }: ResultsKey): string => JSON.stringify([qubit.chipId, page]);
const taskGroup = ({ qubit, taskName }: LatestTaskResultKey): string =>
  JSON.stringify([qubit.chipId, taskName]);

const EMPTY_PAGE: Page<never> = { items: [], hasNextPage: false };

const missingSeries = (key: SeriesKey | undefined): Error =>
  new Error(`the series of ${key?.qid} is missing from the loaded ones`);

/** One read for all keys of a group; `read` returns values by qid. Null for a key without a value. */
async function loadGrouped<Key extends { readonly qid: string } | { readonly qubit: Qubit }, Value>(
  keys: readonly Key[],
  groupOf: (key: Key) => string,
  read: (members: readonly [Key, ...Key[]]) => Promise<ReadonlyMap<string, Value>>,
): Promise<readonly (Value | null | Error)[]> {
  const groups = [...Map.groupBy(keys, groupOf)].map(
    ([group, members]) => [group, read(members as [Key, ...Key[]])] as const,
  );
  const byGroup = new Map(groups);
  return settle(
    keys.map(async (key) => {
      const values = await byGroup.get(groupOf(key));
      return values?.get('qubit' in key ? key.qubit.qid : key.qid) ?? null;
    }),
  );
}

async function loadChip(chips: DataLoader<string, Chip | null>, chipId: string): Promise<Chip> {
  const chip = await chips.load(chipId);
  if (chip === null) throw new Error(`chip ${chipId} disappeared during the operation`);
  return chip;
}

/** Puts each error in its own place, as DataLoader expects, so that one bad key does not fail its neighbours. */
async function settle<Value>(promises: readonly Promise<Value>[]): Promise<readonly (Value | Error)[]> {
  const settled = await Promise.allSettled(promises);
  return settled.map((result) => {
    if (result.status === 'fulfilled') return result.value;
    return result.reason instanceof Error
      ? result.reason
      : new Error('a service failed', { cause: result.reason });
  });
}
