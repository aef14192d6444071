/**
 * What the rest of QPilot can ask about calibration data: GraphQL fields and the agent's tools both come here, alone or
 * through the loaders. All reads; nothing here knows MongoDB, GraphQL or models.
 *
 * Scope: the functions that take a `Viewer` find chips and results within the viewer's project. A `Chip` is proof of that, so the
 * others take one instead of a viewer. A foreign thing answers exactly like an unknown one.
 */
import type { Chip, Coupling, Qubit } from '../domain/chip.ts';
import type { ChipMetric, MetricSelection } from '../domain/chip-metric.ts';
import type { ChipSummary } from '../domain/chip-summary.ts';
import type { ChipTimeseries } from '../domain/chip-timeseries.ts';
import type { Cooldown } from '../domain/cooldown.ts';
import type { Execution, ExecutionFilter } from '../domain/execution.ts';
import type { MetricCatalog } from '../domain/metric.ts';
import type { HumanNote, MachineNote, MachineNoteFilter } from '../domain/notes.ts';
import type { ParameterValue } from '../domain/parameter-value.ts';
import type { EntityLevel, PeriodComparison } from '../domain/period-comparison.ts';
import type { ParameterVersion, ProvenanceGraph } from '../domain/provenance.ts';
import type { Viewer } from '../domain/session.ts';
import type { TaskResult, TaskResultFilter } from '../domain/task-result.ts';
import type { Topology } from '../domain/topology.ts';
import type { InvalidInputError } from '../errors.ts';

/** A project of the deployment. */
export type Project = { readonly projectId: string; readonly name: string };

/** Projects and which of them a request is about. */
export type ProjectsService = {
  list(): Promise<readonly Project[]>;
  /**
   * The project of a request: the one asked for, else the configured one, else the only one.
   * @throws InvalidInputError when none of these says which; NotFoundError when the one asked for does not exist.
   */
  resolve(requested: string | null): Promise<Project>;
};

/** Chips of a project. */
export type ChipsService = {
  /** Newest installation first. */
  list(viewer: Viewer): Promise<readonly Chip[]>;
  /** In the order of `chipIds`, null where the project has no such chip. One read. */
  getMany(viewer: Viewer, chipIds: readonly string[]): Promise<readonly (Chip | null)[]>;
  /** @throws NotFoundError naming the project's chips. */
  get(viewer: Viewer, chipId: string): Promise<Chip>;
  /** The newest active chip, null in an empty project. */
  defaultChip(viewer: Viewer): Promise<Chip | null>;
};

/** News of chips. */
export type ChipUpdatesService = {
  /**
   * The chip, again and again: once after each change that was seen since the stream began. What a chip was at the beginning is not
   * told; ends when `signal` fires. @throws NotFoundError as {@link ChipsService.get}, also when the chip goes away.
   */
  follow(viewer: Viewer, chipId: string, signal: AbortSignal): Promise<AsyncIterable<Chip>>;
};

/** Layouts. */
export type TopologiesService = {
  /** In the order of `chips`; derived from couplings where the catalogue has none, null where there are none either. */
  ofChips(chips: readonly Chip[]): Promise<readonly (Topology | null)[]>;
};

/** Qubits and what is set on them now. `names` null means all parameters. */
export type QubitsService = {
  /** In the order of `chips`, each in numeric order. */
  ofChips(chips: readonly Chip[]): Promise<readonly (readonly Qubit[])[]>;
  /**
   * The qubit that `qid` means: `7`, `Q7` and `Q07` are the same.
   * @throws NotFoundError naming the chip's qubits.
   */
  get(chip: Chip, qid: string): Promise<Qubit>;
  /** As {@link get} for several, in the order given, each once. */
  getMany(chip: Chip, qids: readonly string[]): Promise<readonly Qubit[]>;
  /** Current values in the order of `qubits`; empty where nothing was calibrated. One read for any number. */
  parameters(
    qubits: readonly Qubit[],
    names: readonly string[] | null,
  ): Promise<readonly (readonly ParameterValue[])[]>;
};

/** A coupling found; `reversed` when it is the twin of the direction asked for, which holds no values itself. */
export type FoundCoupling = { readonly coupling: Coupling; readonly reversed: boolean };

/** Couplings and what is set on them now. */
export type CouplingsService = {
  /** In the order of `chips`; the empty twin of a direction that has values is left out. */
  ofChips(chips: readonly Chip[]): Promise<readonly (readonly Coupling[])[]>;
  /** @throws NotFoundError naming the chip's couplings when neither direction exists. */
  get(chip: Chip, couplingId: string): Promise<FoundCoupling>;
  /** As `QubitsService.parameters`. */
  parameters(
    couplings: readonly Coupling[],
    names: readonly string[] | null,
  ): Promise<readonly (readonly ParameterValue[])[]>;
};

/** Which summary: all parameters, or those named. */
export type ChipSummaryRequest = { readonly chip: Chip; readonly parameters: readonly string[] | null };

/** Summaries of chips. */
export type ChipSummariesService = {
  /**
   * In the order of `requests`; null for a chip without qubits, an error in the place of a request that names a parameter
   * which neither the catalogue nor the chip knows. The number of reads does not depend on the number of requests.
   */
  getMany(
    requests: readonly ChipSummaryRequest[],
  ): Promise<readonly (ChipSummary | InvalidInputError | null)[]>;
};

/** Which metric values: by default the latest of all time. */
export type ChipMetricRequest = {
  readonly name: string;
  readonly selection?: MetricSelection;
  /** Only results that ended in the last so many hours. */
  readonly withinHours?: number | null;
};

/** One metric over a chip. */
export type ChipMetricsService = {
  /** @throws InvalidInputError naming the qubit metrics when there is none of that name. */
  get(chip: Chip, request: ChipMetricRequest): Promise<ChipMetric>;
};

/** Which history. `lastN` is per qubit, 1 to 200, default 10; `from` is inclusive, `to` exclusive, on the measured time. */
export type ChipTimeseriesRequest = {
  readonly parameter: string;
  /** Null or empty: all qubits. */
  readonly qids?: readonly string[] | null;
  readonly lastN?: number;
  readonly from?: Date | null;
  readonly to?: Date | null;
};

/** History of one parameter. */
export type ChipTimeseriesService = {
  /** @throws InvalidInputError for a parameter the chip never had; NotFoundError for unknown qubits. */
  get(chip: Chip, request: ChipTimeseriesRequest): Promise<ChipTimeseries>;
};

/** A page, newest first. */
export type Page<Item> = {
  readonly items: readonly { readonly item: Item; readonly cursor: string }[];
  readonly hasNextPage: boolean;
};

/** Which page of a list that `Filter` narrows. `first` is 1 to 100; `after` a cursor of an earlier page. */
export type PageRequest<Filter> = {
  readonly filter?: Filter | null;
  readonly first: number;
  readonly after?: string | null;
};

/** Runs of calibration tasks. */
export type TaskResultsService = {
  /** In the order of `taskIds`, null where the project has no such result. One read. */
  getMany(viewer: Viewer, taskIds: readonly string[]): Promise<readonly (TaskResult | null)[]>;
  /** Newest completed and not excluded result of a task for each qid (or coupling id) that has one. One read. */
  latest(
    chip: Chip,
    request: { readonly taskName: string; readonly qids: readonly string[] },
  ): Promise<ReadonlyMap<string, TaskResult>>;
  /** @throws InvalidInputError for a cursor that is none; NotFoundError for an unknown qubit in the filter. */
  page(chip: Chip, request: PageRequest<TaskResultFilter>): Promise<Page<TaskResult>>;
  /** Sorted names of the tasks that were ever run on the chip. */
  names(chip: Chip): Promise<readonly string[]>;
};

/** Runs of calibration workflows. */
export type ExecutionsService = {
  /** In the order of `executionIds`, null where the project has no such execution. One read. */
  getMany(viewer: Viewer, executionIds: readonly string[]): Promise<readonly (Execution | null)[]>;
  /** @throws InvalidInputError for a cursor that is none. */
  page(chip: Chip, request: PageRequest<ExecutionFilter>): Promise<Page<Execution>>;
};

/** Notes of machines and of people. */
export type NotesService = {
  /** What the control software kept for runs. @throws InvalidInputError for a cursor that is none. */
  machine(chip: Chip, request: PageRequest<MachineNoteFilter>): Promise<Page<MachineNote>>;
  /**
   * What people wrote about the chip and its parts, newest first; `qid` narrows it to one qubit or coupling.
   * @throws NotFoundError for a qubit or coupling that there is not.
   */
  human(chip: Chip, qid?: string | null): Promise<readonly HumanNote[]>;
};

/** Which versions: the newest `lastN` (1 to 200, default 10) of each qid, which are stored ids. */
export type VersionsRequest = {
  readonly parameter: string;
  readonly qids: readonly string[];
  readonly lastN?: number;
};

/** Versions of parameters and where they came from. */
export type LineageService = {
  /** By qid, newest first; a qid without versions is not there. One read. */
  versions(chip: Chip, request: VersionsRequest): Promise<ReadonlyMap<string, readonly ParameterVersion[]>>;
  /**
   * Origins of a version, breadth first; `maxDepth` is brought into 1 to 20.
   * @throws InvalidInputError for text that is no entity id; NotFoundError for a version that the chip does not have.
   */
  graph(chip: Chip, entityId: string, maxDepth?: number): Promise<ProvenanceGraph>;
};

/** Which window: the last `windowHours` before `to`, or `from` to `to`; `to` is now unless given. All qubits unless named. */
export type PeriodComparisonRequest = {
  readonly parameter: string;
  readonly windowHours?: number | null;
  readonly from?: Date | null;
  readonly to?: Date | null;
  readonly level?: EntityLevel;
  readonly qids?: readonly string[] | null;
};

/** Windows of time against the ones before them. */
export type PeriodComparisonsService = {
  /**
   * @throws InvalidInputError for a window that is none, a parameter the chip never had, or MUX on a chip without;
   * NotFoundError for unknown qubits.
   */
  get(chip: Chip, request: PeriodComparisonRequest): Promise<PeriodComparison>;
};

/** Cycles of cryostats. */
export type CooldownsService = {
  /** Newest first; empty where the database keeps none. */
  list(viewer: Viewer): Promise<readonly Cooldown[]>;
};

/** Which parameters there are. */
export type ParameterNamesService = {
  /** Sorted names of what was ever set on the chip's qubits and couplings, or on one qubit or coupling. */
  list(chip: Chip, qid?: string | null): Promise<readonly string[]>;
};

/** Everything that can be asked about calibration data. */
export type CalibrationServices = {
  readonly projects: ProjectsService;
  readonly metrics: MetricCatalog;
  readonly chips: ChipsService;
  readonly chipUpdates: ChipUpdatesService;
  readonly topologies: TopologiesService;
  readonly qubits: QubitsService;
  readonly couplings: CouplingsService;
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
