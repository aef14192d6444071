/**
 * Port to a calibration database. It only reads. Adapters narrow and order in the database and hand over words of the domain; the
 * rules of reduction are applied to what comes back, so an adapter may return too much but never too little.
 *
 * All functions take the chips of one project; results are in no order unless said.
 */
import type { Chip, Cooldown } from '../domain/chip/chip.ts';
import type { Execution, ExecutionFilter } from '../domain/records/execution.ts';
import type { HumanNote, MachineNote, MachineNoteFilter } from '../domain/records/notes.ts';
import type {
  NewestVersion,
  ParameterVersion,
  ProvenanceActivity,
  ProvenanceRelation,
} from '../domain/records/provenance.ts';
import type { CurrentValuesRow, StoredParameter } from '../domain/values/stored-parameter.ts';
import type { Measurement, MeasurementAverage } from '../domain/values/measurement.ts';
import type { MetricScope } from '../domain/values/metric.ts';
import type { TaskResult, TaskResultFilter, TaskStatus } from '../domain/values/task-result.ts';

/** Chips of one project. */
export type ChipScope = { readonly projectId: string; readonly chipIds: readonly string[] };

/** One stored chip; the same chip may be stored once a user. */
export type ChipRow = Chip & { readonly documentId: string };

/** One stored qubit or coupling; the same may be stored once a user. */
export type EntityId = { readonly chipId: string; readonly qid: string };

/** One with what is known of it. */
export type EntityRow = EntityId & {
  /** Names of its current values. */
  readonly parameterNames: readonly string[];
};

/**
 * Which results of a parameter: usable ones of all time or of a window, `from` inclusive and `to` exclusive. Results of qubits and of
 * couplings never come together.
 */
export type MeasurementQuery = ChipScope & {
  readonly kind: MetricScope;
  readonly parameter: string;
  /** Tasks that write the parameter; null where that is not known, which makes the database look at all results. */
  readonly taskNames: readonly string[] | null;
  /** Qubits, or couplings in their direction; null: all. */
  readonly qids: readonly string[] | null;
  /** Only results of this cool-down, and those that name none; null: of every one. */
  readonly cooldownId: string | null;
  readonly from: Date | null;
  readonly to: Date | null;
};

/** A run of a task, however it went. */
export type TaskRun = {
  readonly chipId: string;
  readonly qid: string;
  readonly taskName: string;
  readonly taskId: string;
  readonly status: TaskStatus;
  /** End of the run, else its start. */
  readonly at: Date | null;
};

/** Newest runs of these tasks, on these qubits or couplings in their direction; `qids` null: on all. */
export type RunQuery = ChipScope & {
  readonly taskNames: readonly string[];
  readonly qids: readonly string[] | null;
};

/** What some run of a task put out; `outputs` null where that run cannot tell, `kind` null for tasks of a whole MUX or system. */
export type TaskOutputs = {
  readonly taskName: string;
  readonly kind: MetricScope | null;
  readonly outputs: readonly string[] | null;
};

/** A task result with its parameters as stored. */
export type TaskResultRow = Omit<TaskResult, 'inputParameters' | 'outputParameters'> & {
  readonly inputParameters: readonly StoredParameter[];
  readonly outputParameters: readonly StoredParameter[];
};

/** Where a page ends: its last row's time as stored (a time, ISO text, or nothing) and its id. */
export type TimeCursor = { readonly at: Date | string | null; readonly id: string };

/** A page of rows, newest first, each with the place where a page that ends with it ends. */
export type Slice<Row> = readonly { readonly row: Row; readonly cursor: TimeCursor }[];

/** How much of a list, and behind which place. */
export type SliceBounds = { readonly limit: number; readonly after: TimeCursor | null };

/** Something that people wrote; `text` is never empty. */
export type HumanNoteRow = HumanNote & { readonly chipId: string };

/** A version as stored: whether it still holds is for the chip's own versions to say. */
export type ParameterVersionRow = Omit<ParameterVersion, 'validUntil'>;

/** Reads of a calibration database: one command each (a page of results, and latest ones: two), whatever the number of chips and qubits. */
export type CalibrationStore = {
  projects(): Promise<readonly { readonly projectId: string; readonly name: string }[]>;
  /** `chipIds` null: all of the project. */
  chips(projectId: string, chipIds: readonly string[] | null): Promise<readonly ChipRow[]>;
  /** Which there are, without a look at their values. */
  entityIds(kind: MetricScope, scope: ChipScope): Promise<readonly EntityId[]>;
  entities(kind: MetricScope, scope: ChipScope): Promise<readonly EntityRow[]>;
  /** Current values; `qids` and `names` null mean all. May hold qids of one chip that were meant for another. */
  currentValues(
    kind: MetricScope,
    scope: ChipScope & { readonly qids: readonly string[] | null; readonly names: readonly string[] | null },
  ): Promise<readonly CurrentValuesRow[]>;
  /** Those of `taskIds` whose results were excluded from statistics. */
  excludedTaskIds(projectId: string, taskIds: readonly string[]): Promise<readonly string[]>;
  /** At least the `limit` latest of each qubit or coupling. */
  latestMeasurements(query: MeasurementQuery, limit: number): Promise<readonly Measurement[]>;
  /** The greatest or least of each, by the number as stored. */
  bestMeasurements(query: MeasurementQuery, best: 'GREATEST' | 'LEAST'): Promise<readonly Measurement[]>;
  /** One a qubit (or coupling) and unit. */
  averages(query: MeasurementQuery): Promise<readonly MeasurementAverage[]>;
  /** At least the `limit` newest runs of each of the tasks on each, whatever became of them and of whatever time, with the parameter. */
  newestRuns(
    query: RunQuery & Pick<MeasurementQuery, 'kind' | 'parameter'>,
    limit: number,
  ): Promise<readonly Measurement[]>;
  /** Those of the status, null for any, among at least the `limit` newest runs of each of the tasks on each qubit. */
  recentRuns(
    query: RunQuery & { readonly status: TaskStatus | null },
    limit: number,
  ): Promise<readonly TaskRun[]>;
  /** One run of every task that was ever run on the chips. */
  taskOutputs(scope: ChipScope): Promise<readonly TaskOutputs[]>;
  /** Names of the tasks that these results are of. */
  taskNamesOf(projectId: string, taskIds: readonly string[]): Promise<readonly string[]>;
  taskResults(projectId: string, taskIds: readonly string[]): Promise<readonly TaskResultRow[]>;
  /** Newest completed, not excluded result of the task on each of the qids. */
  latestTaskResults(
    scope: ChipScope & { readonly taskName: string; readonly qids: readonly string[] },
  ): Promise<readonly TaskResultRow[]>;
  /** Newest start first; results without a start come last; of equals the greater task id first. */
  taskResultSlice(
    scope: ChipScope & SliceBounds & { readonly filter: TaskResultFilter },
  ): Promise<Slice<TaskResultRow>>;
  executions(projectId: string, executionIds: readonly string[]): Promise<readonly Execution[]>;
  /** Newest start first, ordered as {@link CalibrationStore.taskResultSlice}, of equals the greater execution id first. */
  executionSlice(
    scope: ChipScope & SliceBounds & { readonly filter: ExecutionFilter },
  ): Promise<Slice<Execution>>;
  /** Newest first, of equals the greater document id first. */
  machineNoteSlice(
    scope: ChipScope & SliceBounds & { readonly filter: MachineNoteFilter },
  ): Promise<Slice<MachineNote>>;
  /** What people wrote about the chips, their qubits and couplings, and single metrics of these. A command for each kind. */
  humanNotes(scope: ChipScope): Promise<readonly HumanNoteRow[]>;
  /** Of each of the task results that people wrote about, at most `limit`, newest note first. */
  taskResultNotes(scope: ChipScope, limit: number): Promise<readonly HumanNoteRow[]>;
  cooldowns(projectId: string): Promise<readonly Cooldown[]>;
  /** The newest versions of one parameter on each of the qids, newest first, at most `limit` of each. */
  parameterVersions(
    scope: ChipScope & {
      readonly parameter: string;
      readonly qids: readonly string[];
      readonly limit: number;
    },
  ): Promise<readonly ParameterVersionRow[]>;
  versionsById(scope: ChipScope, entityIds: readonly string[]): Promise<readonly ParameterVersionRow[]>;
  /** Newest version number on the chips of each parameter and qid among these; may hold pairs that were not meant. */
  newestVersions(
    scope: ChipScope & { readonly parameters: readonly string[]; readonly qids: readonly string[] },
  ): Promise<readonly NewestVersion[]>;
  /** What leads from these entities and activities to where they came from. */
  provenanceRelations(
    projectId: string,
    sourceIds: readonly string[],
  ): Promise<readonly ProvenanceRelation[]>;
  /** Text that changes when a newer result, import or note was written; null while the database cannot be reached. */
  chipMark(scope: ChipScope): Promise<string | null>;
  activitiesById(scope: ChipScope, activityIds: readonly string[]): Promise<readonly ProvenanceActivity[]>;
};
