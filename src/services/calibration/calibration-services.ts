/**
 * Reads of calibration data, for GraphQL fields and for the agent's tools, directly or through the loaders. Nothing
 * here knows MongoDB, GraphQL or models.
 *
 * Scope: functions that take a `Viewer` look within the viewer's project. A `Chip` was found that way, so the others
 * take a chip instead. Foreign data looks exactly like unknown data.
 */
import type { Chip, Cooldown } from '../../domain/chip/chip.ts';
import type { Topology } from '../../domain/chip/topology.ts';
import type { Viewer } from '../../domain/conversation/session.ts';
import type { MetricCatalog } from '../../domain/values/metric.ts';
import type { CalibrationStore } from '../../stores/calibration-store.ts';
import { createChipComparisons } from './chip-comparisons.ts';
import { createChipFalls } from './chip-falls.ts';
import { createChipMetrics } from './chip-metrics.ts';
import { createChipSummaries } from './chip-summaries.ts';
import { createChipTimeseries } from './chip-timeseries.ts';
import { createChipUpdates } from './chip-updates.ts';
import { createChipVersions } from './chip-versions.ts';
import { createChips, createProjects } from './chips.ts';
import { createCouplings } from './couplings.ts';
import { createCurrentValues } from './current-values.ts';
import { createLayerFidelities } from './layer-fidelities.ts';
import { createLineage } from './lineage.ts';
import { createMeasuredEntities } from './measured-entities.ts';
import { createNotes } from './notes.ts';
import { createParameterNames } from './parameter-names.ts';
import { createPeriodComparisons } from './period-comparisons.ts';
import { createProjectSizes } from './project-sizes.ts';
import { createQubits } from './qubits.ts';
import { shareCurrentValues } from './shared-current-values.ts';
import { createExecutions, createTaskResults } from './runs.ts';
import { createTopologies } from './topologies.ts';
import { createWritingTasks } from './writing-tasks.ts';

export type CalibrationDeps = {
  readonly store: CalibrationStore;
  readonly metrics: MetricCatalog;
  /** By topology id. */
  readonly topologies: ReadonlyMap<string, Topology>;
  /** `QPILOT_PROJECT`. */
  readonly project: string | null;
  /** `QPILOT_TIME_ZONE`: IANA zone of the lab's calendar days; UTC unless given. */
  readonly timeZone?: string;
  /** How often a followed chip is checked for changes. */
  readonly chipPollMs?: number;
  readonly now: () => Date;
};

/** Everything that can be read about calibration data. */
export type CalibrationServices = ReturnType<typeof createCalibrationServices>;

/** All calibration services. Between calls they remember, for a minute, which tasks write a parameter and how much a project holds. */
export function createCalibrationServices(deps: CalibrationDeps) {
  const { store, metrics, now, timeZone = 'UTC' } = deps;
  const chips = createChips(store);
  const writingTasks = createWritingTasks(store);
  const currentValues = createCurrentValues({ store, metrics, writingTasks });
  const current = { store, currentValues, metrics, now };
  const couplings = createCouplings(current);
  const topologies = createTopologies({ store, couplings, catalogue: deps.topologies });
  const qubits = createQubits({ ...current, topologies });
  const parameterNames = createParameterNames({ store, qubits, couplings });
  const measured = createMeasuredEntities({ metrics, qubits, couplings, parameterNames });
  const chipVersions = createChipVersions(store);
  const chipComparisons = createChipComparisons({ store, metrics, writingTasks, now });
  /** As `startOf` of several. One read. */
  const cooldownStarts = async (
    { projectId }: Pick<Viewer, 'projectId'>,
    chipsInside: readonly Chip[],
  ): Promise<readonly (Date | null)[]> => {
    const all = await store.cooldowns(projectId);
    const starts = new Map(all.map(({ cooldownId, startedAt }) => [cooldownId, startedAt]));
    return chipsInside.map(({ currentCooldownId }) => starts.get(currentCooldownId ?? '') ?? null);
  };
  return {
    projects: createProjects(store, deps.project),
    metrics,
    chips,
    projectSizes: createProjectSizes(store),
    chipUpdates: createChipUpdates({
      store,
      chips,
      ...(deps.chipPollMs !== undefined && { pollMs: deps.chipPollMs }),
    }),
    chipVersions,
    topologies,
    qubits,
    couplings,
    /** A reader for one operation: pass it to whatever reads current values, and no chip is read twice. */
    shareCurrentValues: () => shareCurrentValues(currentValues),
    chipSummaries: createChipSummaries({ ...current, couplings, parameterNames }),
    chipMetrics: createChipMetrics({ ...current, measured, writingTasks, topologies }),
    chipTimeseries: createChipTimeseries({ store, measured, writingTasks }),
    taskResults: createTaskResults({ store, metrics, qubits, couplings, now }),
    parameterNames,
    executions: createExecutions(store),
    notes: createNotes({ store, qubits, couplings }),
    lineage: createLineage(store),
    layerFidelities: createLayerFidelities(store),
    chipComparisons,
    chipFalls: createChipFalls({ store, metrics, writingTasks, chipComparisons, chipVersions }),
    periodComparisons: createPeriodComparisons({ store, measured, writingTasks, topologies, timeZone, now }),
    cooldowns: {
      /** Cool-downs of the viewer's project, newest first; empty if the database has none. */
      list: async ({ projectId }: Viewer) => (await store.cooldowns(projectId)).toSorted(newestFirst),
      startsOf: cooldownStarts,
      /** When the cool-down began that a chip is in; null where that is unknown. */
      startOf: async (viewer: Pick<Viewer, 'projectId'>, chip: Chip): Promise<Date | null> =>
        (await cooldownStarts(viewer, [chip]))[0] ?? null,
    },
    /** IANA time zone of the lab's calendar days. */
    timeZone,
  };
}

const newestFirst = (a: Cooldown, b: Cooldown): number =>
  (b.startedAt?.getTime() ?? 0) - (a.startedAt?.getTime() ?? 0) || (a.cooldownId < b.cooldownId ? 1 : -1);
