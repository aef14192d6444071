/** Single records: runs, notes, and versions of parameters. Long lists come in pages. */
import type { Chip } from '../../domain/chip/chip.ts';
import type { Viewer } from '../../domain/conversation/session.ts';
import type { Execution, ExecutionFilter } from '../../domain/records/execution.ts';
import type { HumanNote, MachineNote, MachineNoteFilter } from '../../domain/records/notes.ts';
import type { ParameterVersion, ProvenanceGraph } from '../../domain/records/provenance.ts';
import type { TaskResult, TaskResultFilter } from '../../domain/values/task-result.ts';
import type { Page } from '../page-cursor.ts';

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
