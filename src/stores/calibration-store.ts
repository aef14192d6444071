/**
 * Port to a calibration database. It only reads. Adapters narrow and order in the database and hand over words of the domain; the
 * rules of reduction are applied to what comes back, so an adapter may return too much but never too little.
 *
 * All functions take the chips of one project; results are in no order unless said.
 */
import type { Chip } from '../domain/chip.ts';
import type { CurrentValuesRow } from '../domain/current-values.ts';
import type { Measurement, MeasurementAverage } from '../domain/measurement.ts';
import type { StoredParameter } from '../domain/stored-parameter.ts';
import type { TaskResult, TaskResultFilter, TaskStatus } from '../domain/task-result.ts';

/** Chips of one project. */
export type ChipScope = { readonly projectId: string; readonly chipIds: readonly string[] };

/** One stored chip; the same chip may be stored once a user. */
export type ChipRow = Chip & { readonly documentId: string };

/** One stored qubit or coupling; the same may be stored once a user. */
export type EntityRow = {
  readonly chipId: string;
  readonly qid: string;
  /** Names of its current values. */
  readonly parameterNames: readonly string[];
};

/** Where current values are kept. */
export type EntityKind = 'QUBIT' | 'COUPLING';

/** Which results of a parameter: usable ones of all time or of a window, `from` inclusive and `to` exclusive. */
export type MeasurementQuery = ChipScope & {
  readonly parameter: string;
  /** Tasks that write the parameter; null where that is not known, which makes the database look at all results. */
  readonly taskNames: readonly string[] | null;
  /** Null: all qubits. */
  readonly qids: readonly string[] | null;
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

/** What some run of a task put out; `outputs` null where that run cannot tell. */
export type TaskOutputs = { readonly taskName: string; readonly outputs: readonly string[] | null };

/** A task result with its parameters as stored. */
export type TaskResultRow = Omit<TaskResult, 'inputParameters' | 'outputParameters'> & {
  readonly inputParameters: readonly StoredParameter[];
  readonly outputParameters: readonly StoredParameter[];
};

/** Where a page of task results ends: its last row's start as stored (a time, ISO text, or nothing) and its id. */
export type TaskResultCursor = {
  readonly startAt: Date | string | null;
  readonly taskId: string;
};

/** A page of task results and where it ends. */
export type TaskResultSlice = readonly { readonly row: TaskResultRow; readonly cursor: TaskResultCursor }[];

/** Reads of a calibration database: one command each (a page of results: two), whatever the number of chips and qubits. */
export type CalibrationStore = {
  projects(): Promise<readonly { readonly projectId: string; readonly name: string }[]>;
  /** `chipIds` null: all of the project. */
  chips(projectId: string, chipIds: readonly string[] | null): Promise<readonly ChipRow[]>;
  entities(kind: EntityKind, scope: ChipScope): Promise<readonly EntityRow[]>;
  /** Current values; `qids` and `names` null mean all. May hold qids of one chip that were meant for another. */
  currentValues(
    kind: EntityKind,
    scope: ChipScope & { readonly qids: readonly string[] | null; readonly names: readonly string[] | null },
  ): Promise<readonly CurrentValuesRow[]>;
  /** Those of `taskIds` whose results were excluded from statistics. */
  excludedTaskIds(projectId: string, taskIds: readonly string[]): Promise<readonly string[]>;
  /** At least the `limit` latest of each qubit. */
  latestMeasurements(query: MeasurementQuery, limit: number): Promise<readonly Measurement[]>;
  /** The greatest or least of each qubit, by the number as stored. */
  bestMeasurements(query: MeasurementQuery, best: 'GREATEST' | 'LEAST'): Promise<readonly Measurement[]>;
  /** One a qubit and unit. */
  averages(query: MeasurementQuery): Promise<readonly MeasurementAverage[]>;
  /** At least the `limit` newest runs of each of the tasks on each qubit. */
  recentRuns(
    scope: ChipScope & { readonly taskNames: readonly string[] },
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
    scope: ChipScope & {
      readonly filter: TaskResultFilter;
      readonly limit: number;
      readonly after: TaskResultCursor | null;
    },
  ): Promise<TaskResultSlice>;
};
