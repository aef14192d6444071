/**
 * What the rest of QPilot can ask about calibration data: GraphQL fields and the agent's tools both come here, alone or
 * through the loaders. All reads; nothing here knows MongoDB, GraphQL or models.
 *
 * Scope: the functions that take a `Viewer` find chips and results within the viewer's project. A `Chip` is proof of that, so the
 * others take one instead of a viewer. A foreign thing answers exactly like an unknown one.
 */
import type { MetricCatalog } from '../../domain/values/metric.ts';
import type {
  ChipUpdatesService,
  ChipsService,
  CooldownsService,
  CouplingsService,
  ParameterNamesService,
  ProjectsService,
  QubitsService,
  TopologiesService,
} from './chip-services.ts';
import type {
  ExecutionsService,
  LineageService,
  NotesService,
  TaskResultsService,
} from './record-services.ts';
import type { CurrentValuesReader } from './shared-current-values.ts';
import type {
  ChipMetricsService,
  ChipSummariesService,
  ChipTimeseriesService,
  PeriodComparisonsService,
} from './value-services.ts';

/** Everything that can be asked about calibration data. */
export type CalibrationServices = {
  readonly projects: ProjectsService;
  readonly metrics: MetricCatalog;
  readonly chips: ChipsService;
  readonly chipUpdates: ChipUpdatesService;
  readonly topologies: TopologiesService;
  readonly qubits: QubitsService;
  readonly couplings: CouplingsService;
  /** A reader for one operation, to be given to what reads current values in it: none of a chip are read twice. */
  readonly shareCurrentValues: () => CurrentValuesReader;
  readonly chipSummaries: ChipSummariesService;
  readonly chipMetrics: ChipMetricsService;
  readonly chipTimeseries: ChipTimeseriesService;
  readonly taskResults: TaskResultsService;
  readonly parameterNames: ParameterNamesService;
  readonly executions: ExecutionsService;
  readonly notes: NotesService;
  readonly lineage: LineageService;
  readonly periodComparisons: PeriodComparisonsService;
  readonly cooldowns: CooldownsService;
  /** IANA zone of the lab's calendar days. */
  readonly timeZone: string;
};
