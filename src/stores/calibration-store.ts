/**
 * The reads of a calibration database. An implementation filters and orders in the database and returns domain
 * objects; the caller applies the rules of reduction to them, so an implementation may return too much but never
 * too little.
 *
 * All functions take the chips of one project. Results are unordered unless stated otherwise.
 */
import type { Chip, Cooldown } from '../domain/chip/chip.ts';
import type { Execution, ExecutionFilter } from '../domain/records/execution.ts';
import type { HumanNote, MachineNote, MachineNoteFilter } from '../domain/records/notes.ts';
import type {
  NewestVersion,
  ProvenanceActivity,
  ProvenanceRelation,
  StoredVersion,
} from '../domain/records/provenance.ts';
import type { CurrentValuesRow, StoredParameter } from '../domain/values/stored-parameter.ts';
import type { Measurement, MeasurementAverage } from '../domain/values/measurement.ts';
import type { MetricScope } from '../domain/values/metric.ts';
import type { TaskResult, TaskResultFilter, TaskStatus } from '../domain/values/task-result.ts';

/** Chips of one project. */
export type ChipScope = { readonly projectId: string; readonly chipIds: readonly string[] };

/** One stored chip; a chip may be stored once per user. */
export type ChipRow = Chip & { readonly documentId: string };

/** One stored qubit or coupling; it may be stored once per user. */
export type EntityId = { readonly chipId: string; readonly qid: string };

/** A qubit or coupling with the names of its values. */
export type EntityRow = EntityId & {
  /** Names of its current values. */
  readonly parameterNames: readonly string[];
  /** When its row was changed last; of an imported chip, the newest snapshot that has it. */
  readonly updatedAt: Date | null;
};

/**
 * Which results of a parameter: the usable ones, of all time or of a window with `from` inclusive and `to`
 * exclusive. Results of qubits and of couplings are never mixed.
 */
export type MeasurementQuery = ChipScope & {
  readonly kind: MetricScope;
  readonly parameter: string;
  /** Tasks that write the parameter; null if unknown: those with it in one of their newest runs on a qubit. */
  readonly taskNames: readonly string[] | null;
  /** Qubits, or couplings in their direction; null: all. */
  readonly qids: readonly string[] | null;
  /** Only results of this cool-down and those without one; null: of every cool-down. */
  readonly cooldownId: string | null;
  readonly from: Date | null;
  readonly to: Date | null;
  /** Values up to this, as stored, are marks of disabled parts and left out; null or absent: there are none. */
  readonly marksUpTo?: number | null;
};

/** A run of a task, with any outcome. */
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

/**
 * The outputs of one run of a task; `outputs` is null if that run has none recorded, `kind` for tasks of a whole
 * MUX or system.
 */
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

/** Where a page ends: the time of its last row as stored (a date, ISO text, or null) and its id. */
export type TimeCursor = { readonly at: Date | string | null; readonly id: string };

/** A page of rows, newest first, each with its cursor. */
export type Slice<Row> = readonly { readonly row: Row; readonly cursor: TimeCursor }[];

/** The page of a list: its size, and the cursor it follows. */
export type SliceBounds = { readonly limit: number; readonly after: TimeCursor | null };

/** A note by a person; `text` is never empty. */
export type HumanNoteRow = HumanNote & { readonly chipId: string };

/** `isCut` if the limit was reached, so that there may be older ones. */
export type NoteSlice = { readonly rows: readonly HumanNoteRow[]; readonly isCut: boolean };

/**
 * Reads of a calibration database: one command each (a few for pages, two for latest task results), regardless of the
 * number of chips and qubits.
 */
export type CalibrationStore = {
  projects(): Promise<readonly { readonly projectId: string; readonly name: string }[]>;
  /** `chipIds` null: all of the project. */
  chips(projectId: string, chipIds: readonly string[] | null): Promise<readonly ChipRow[]>;
  /** The qubits or couplings, without their values. */
  entityIds(kind: MetricScope, scope: ChipScope): Promise<readonly EntityId[]>;
  entities(kind: MetricScope, scope: ChipScope): Promise<readonly EntityRow[]>;
  /**
   * Current values; `qids` and `names` null mean all. May include qids of one chip that were requested for
   * another.
   */
  currentValues(
    kind: MetricScope,
    scope: ChipScope & { readonly qids: readonly string[] | null; readonly names: readonly string[] | null },
  ): Promise<readonly CurrentValuesRow[]>;
  /** Those of `taskIds` with results excluded from statistics. */
  excludedTaskIds(projectId: string, taskIds: readonly string[]): Promise<readonly string[]>;
  /** At least the `limit` latest of each qubit or coupling. */
  latestMeasurements(query: MeasurementQuery, limit: number): Promise<readonly Measurement[]>;
  /** The greatest or least measurement of each, by the stored number. */
  bestMeasurements(query: MeasurementQuery, best: 'GREATEST' | 'LEAST'): Promise<readonly Measurement[]>;
  /** One per qubit (or coupling) and unit. */
  averages(query: MeasurementQuery): Promise<readonly MeasurementAverage[]>;
  /** At least the `limit` newest runs of each task on each, of any status and time, with the parameter. */
  newestRuns(
    query: RunQuery & Pick<MeasurementQuery, 'kind' | 'parameter'>,
    limit: number,
  ): Promise<readonly Measurement[]>;
  /** Those with the status (null: any) among at least the `limit` newest runs of each task on each qubit. */
  recentRuns(
    query: RunQuery & { readonly status: TaskStatus | null },
    limit: number,
  ): Promise<readonly TaskRun[]>;
  /** One run of every task that ever ran on the chips. */
  taskOutputs(scope: ChipScope): Promise<readonly TaskOutputs[]>;
  /** Names of the tasks of these results. */
  taskNamesOf(projectId: string, taskIds: readonly string[]): Promise<readonly string[]>;
  taskResults(projectId: string, taskIds: readonly string[]): Promise<readonly TaskResultRow[]>;
  /** Newest completed, not excluded result of the task on each of the qids. */
  latestTaskResults(
    scope: ChipScope & { readonly taskName: string; readonly qids: readonly string[] },
  ): Promise<readonly TaskResultRow[]>;
  /**
   * A page of the results of each of the qids or, for null, one page of all results: newest start first; results without a start come last;
   * of equals the greater task id first. As many commands for many qids as for one.
   */
  taskResultSlices(
    scope: ChipScope &
      SliceBounds & {
        readonly filter: Omit<TaskResultFilter, 'qid'>;
        readonly qids: readonly string[] | null;
      },
  ): Promise<readonly Slice<TaskResultRow>[]>;
  executions(projectId: string, executionIds: readonly string[]): Promise<readonly Execution[]>;
  /**
   * Newest start first, ordered as {@link CalibrationStore.taskResultSlices}, of equals the greater execution id
   * first.
   */
  executionSlice(
    scope: ChipScope & SliceBounds & { readonly filter: ExecutionFilter },
  ): Promise<Slice<Execution>>;
  /** Newest first, of equals the greater document id first. */
  machineNoteSlice(
    scope: ChipScope & SliceBounds & { readonly filter: MachineNoteFilter },
  ): Promise<Slice<MachineNote>>;
  /** Notes on the chips, their qubits and couplings, and on single metrics. One command for each kind. */
  humanNotes(scope: ChipScope): Promise<readonly HumanNoteRow[]>;
  /** Notes of people on task results, at most `limit`, newest first. */
  taskResultNotes(scope: ChipScope, limit: number): Promise<readonly HumanNoteRow[]>;
  /** Reviews of task results by language models, likewise. */
  aiReviews(scope: ChipScope, limit: number): Promise<readonly HumanNoteRow[]>;
  /** Issues on results of the chips with their replies, among the newest `limit` posts of the project. */
  issuePosts(scope: ChipScope, limit: number): Promise<NoteSlice>;
  /** Cases that people approved, learnt from issues; at most `limit`, newest first. */
  issueKnowledge(scope: ChipScope, limit: number): Promise<readonly HumanNoteRow[]>;
  /**
   * Forum posts that name the chips or, for `chipIds` null, no chip at all: newest first, at most `limit` threads, and
   * their replies.
   */
  forumPosts(
    scope: Pick<ChipScope, 'projectId'> & { readonly chipIds: readonly string[] | null },
    limit: number,
  ): Promise<NoteSlice>;
  /** Names of the collections that the database has; null if that may not be read. */
  collectionNames(): Promise<ReadonlySet<string> | null>;
  cooldowns(projectId: string): Promise<readonly Cooldown[]>;
  /** What people noted at changes of the wiring within these cool-downs, at most `limit`, newest first. */
  wiringNotes(
    projectId: string,
    cooldownIds: readonly string[],
    limit: number,
  ): Promise<readonly HumanNoteRow[]>;
  /** The newest versions of one parameter on each of the qids, newest first, at most `limit` of each. */
  parameterVersions(
    scope: ChipScope & {
      readonly parameter: string;
      readonly qids: readonly string[];
      readonly limit: number;
    },
  ): Promise<readonly StoredVersion[]>;
  versionsById(scope: ChipScope, entityIds: readonly string[]): Promise<readonly StoredVersion[]>;
  /**
   * Newest version number on the chips of each parameter and qid among these; may include pairs that were not
   * requested.
   */
  newestVersions(
    scope: ChipScope & { readonly parameters: readonly string[]; readonly qids: readonly string[] },
  ): Promise<readonly NewestVersion[]>;
  /** The relations from these entities and activities to their sources. */
  provenanceRelations(
    projectId: string,
    sourceIds: readonly string[],
  ): Promise<readonly ProvenanceRelation[]>;
  /** Text that changes with every new result, import or note; null while the database is unreachable. */
  chipMark(scope: ChipScope): Promise<string | null>;
  /** Text that changes with every write to the server, by any client; null if the server does not report it. */
  writeClock(): Promise<string | null>;
  activitiesById(scope: ChipScope, activityIds: readonly string[]): Promise<readonly ProvenanceActivity[]>;
};
