import type { Topology } from '../../domain/chip/topology.ts';
import type { MetricCatalog } from '../../domain/values/metric.ts';
import type { CalibrationStore } from '../../stores/calibration-store.ts';
import type { CalibrationServices } from './calibration-services.ts';
import { createChipMetrics } from './chip-metrics.ts';
import { createChipSummaries } from './chip-summaries.ts';
import { createChipTimeseries } from './chip-timeseries.ts';
import { createChipUpdates } from './chip-updates.ts';
import { createChips } from './chips.ts';
import { createCooldowns } from './cooldowns.ts';
import { createCouplings } from './couplings.ts';
import { createExecutions } from './executions.ts';
import { createLineage } from './lineage.ts';
import { createMeasuredEntities } from './measured-entities.ts';
import { createNotes } from './notes.ts';
import { createParameterNames } from './parameter-names.ts';
import { createPeriodComparisons } from './period-comparisons.ts';
import { createProjects } from './projects.ts';
import { createQubits } from './qubits.ts';
import { shareCurrentValues } from './shared-current-values.ts';
import { createTaskResults } from './task-results.ts';
import { createTopologies } from './topologies.ts';
import { createWritingTasks } from './writing-tasks.ts';

/** What the services stand on. */
export type CalibrationDeps = {
  readonly store: CalibrationStore;
  readonly metrics: MetricCatalog;
  /** By topology id. */
  readonly topologies: ReadonlyMap<string, Topology>;
  /** `QPILOT_PROJECT`. */
  readonly project: string | null;
  /** `QPILOT_TIME_ZONE`: IANA zone of the lab's calendar days; UTC unless given. */
  readonly timeZone?: string;
  /** How often a followed chip is looked at. */
  readonly chipPollMs?: number;
  readonly now: () => Date;
};

/** All calibration services; made once, they hold nothing between calls but who writes a parameter, for a minute. */
export function createCalibrationServices(deps: CalibrationDeps): CalibrationServices {
  const { store, metrics, now, timeZone = 'UTC' } = deps;
  const chips = createChips(store);
  const topologies = createTopologies(store, deps.topologies);
  const qubits = createQubits({ store, metrics, now, topologies });
  const couplings = createCouplings({ store, metrics, now });
  const parameterNames = createParameterNames({ store, qubits, couplings });
  const measured = createMeasuredEntities({ metrics, qubits, couplings, parameterNames });
  const writingTasks = createWritingTasks(store);
  return {
    projects: createProjects(store, deps.project),
    metrics,
    chips,
    chipUpdates: createChipUpdates({
      store,
      chips,
      ...(deps.chipPollMs !== undefined && { pollMs: deps.chipPollMs }),
    }),
    topologies,
    qubits,
    couplings,
    shareCurrentValues: () => shareCurrentValues(store),
    chipSummaries: createChipSummaries({ store, metrics, now, parameterNames, writingTasks }),
    chipMetrics: createChipMetrics({ store, metrics, measured, writingTasks, topologies, now }),
    chipTimeseries: createChipTimeseries({ store, measured, writingTasks }),
    taskResults: createTaskResults({ store, metrics, qubits, couplings, now }),
    parameterNames,
    executions: createExecutions(store),
    notes: createNotes({ store, qubits, couplings }),
    lineage: createLineage(store),
    periodComparisons: createPeriodComparisons({ store, measured, writingTasks, topologies, timeZone, now }),
    cooldowns: createCooldowns(store),
    timeZone,
  };
}
