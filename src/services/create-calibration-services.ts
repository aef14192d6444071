import type { MetricCatalog } from '../domain/metric.ts';
import type { Topology } from '../domain/topology.ts';
import type { CalibrationStore } from '../stores/calibration-store.ts';
import type { CalibrationServices } from './calibration-services.ts';
import { createChipMetrics } from './chip-metrics.ts';
import { createChipSummaries } from './chip-summaries.ts';
import { createChipTimeseries } from './chip-timeseries.ts';
import { createChips } from './chips.ts';
import { createCouplings } from './couplings.ts';
import { createParameterNames } from './parameter-names.ts';
import { createProjects } from './projects.ts';
import { createQubits } from './qubits.ts';
import { createTaskResults } from './task-results.ts';
import { createTopologies } from './topologies.ts';

/** What the services stand on. */
export type CalibrationDeps = {
  readonly store: CalibrationStore;
  readonly metrics: MetricCatalog;
  /** By topology id. */
  readonly topologies: ReadonlyMap<string, Topology>;
  /** `QPILOT_PROJECT`. */
  readonly project: string | null;
  readonly now: () => Date;
};

/** All calibration services; made once, they hold nothing between calls. */
export function createCalibrationServices(deps: CalibrationDeps): CalibrationServices {
  const { store, metrics, now } = deps;
  const topologies = createTopologies(store, deps.topologies);
  const qubits = createQubits({ store, metrics, now, topologies });
  const couplings = createCouplings({ store, metrics, now });
  const parameterNames = createParameterNames({ store, qubits, couplings });
  return {
    projects: createProjects(store, deps.project),
    metrics,
    chips: createChips(store),
    topologies,
    qubits,
    couplings,
    chipSummaries: createChipSummaries({ store, metrics, now, parameterNames }),
    chipMetrics: createChipMetrics({ store, metrics, qubits, topologies, now }),
    chipTimeseries: createChipTimeseries({ store, metrics, qubits, parameterNames }),
    taskResults: createTaskResults({ store, metrics, qubits, couplings, now }),
    parameterNames,
  };
}
