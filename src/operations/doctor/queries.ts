import type { CalibrationStore, ChipScope } from '../../stores/calibration-store.ts';

/** Fields of an index in their order. */
export type IndexKey = Readonly<Record<string, 1 | -1>>;

/** What queries are asked about: names that are in the database, so that its planner sees what it would see. */
export type QuerySample = ChipScope & {
  readonly taskName: string;
  readonly qid: string;
  readonly parameter: string;
  readonly taskId: string;
  readonly executionId: string;
};

/** One kind of read, and the index that each collection should have for it: those that QDash makes. */
export type CheckedQuery = {
  readonly name: string;
  readonly needs: Readonly<Record<string, IndexKey>>;
  readonly run: (store: CalibrationStore, sample: QuerySample) => Promise<unknown>;
};

const BY_CHIP: IndexKey = { project_id: 1, chip_id: 1 };
const BY_TASK: IndexKey = { project_id: 1, chip_id: 1, name: 1, qid: 1, end_at: -1 };
const BY_START: IndexKey = { project_id: 1, chip_id: 1, start_at: -1 };
const BY_TIMESTAMP: IndexKey = { project_id: 1, chip_id: 1, timestamp: 1 };
const BY_NOTE: IndexKey = { project_id: 1, chip_id: 1, 'user_note.updated_at': -1 };
const BY_VERSION: IndexKey = { project_id: 1, parameter_name: 1, qid: 1, version: -1 };

const measurements = ({ projectId, chipIds, parameter, taskName }: QuerySample) => ({
  projectId,
  chipIds,
  kind: 'QUBIT' as const,
  parameter,
  taskNames: [taskName],
  qids: null,
  cooldownId: null,
  from: null,
  to: null,
});

/** Everything that QPilot reads over an index, in words for people. */
export const CHECKED_QUERIES: readonly CheckedQuery[] = [
  {
    name: 'chips',
    needs: { chip: { project_id: 1, chip_id: 1, username: 1 } },
    run: (store, { projectId, chipIds }) => store.chips(projectId, chipIds),
  },
  {
    name: 'current values of qubits',
    needs: { qubit: BY_CHIP },
    run: (store, sample) => store.currentValues('QUBIT', { ...sample, qids: null, names: null }),
  },
  {
    name: 'current values of couplings',
    needs: { coupling: BY_CHIP },
    run: (store, sample) => store.currentValues('COUPLING', { ...sample, qids: null, names: null }),
  },
  {
    name: 'latest value of each qubit, and its history',
    needs: { task_result_history: BY_TASK },
    run: (store, sample) => store.latestMeasurements(measurements(sample), 10),
  },
  {
    name: 'best value of each qubit',
    needs: { task_result_history: BY_TASK },
    run: (store, sample) => store.bestMeasurements(measurements(sample), 'GREATEST'),
  },
  {
    name: 'averages',
    needs: { task_result_history: BY_TASK },
    run: (store, sample) => store.averages(measurements(sample)),
  },
  {
    name: 'newest runs of a task',
    needs: { task_result_history: BY_TASK },
    run: (store, sample) =>
      store.recentRuns({ ...sample, taskNames: [sample.taskName], qids: null, status: null }, 2),
  },
  {
    name: 'tasks of a chip',
    needs: { task_result_history: BY_TASK },
    run: (store, sample) => store.taskOutputs(sample),
  },
  {
    name: 'lists of task results',
    needs: { task_result_history: BY_START },
    run: (store, sample) => store.taskResultSlice({ ...sample, filter: {}, limit: 20, after: null }),
  },
  {
    name: 'task results by id',
    needs: { task_result_history: { project_id: 1, task_id: 1 } },
    run: (store, { projectId, taskId }) => store.taskResults(projectId, [taskId]),
  },
  {
    name: 'notes of people on task results',
    needs: { task_result_history: BY_NOTE },
    run: (store, sample) => store.taskResultNotes(sample, 20),
  },
  {
    name: 'lists of executions',
    needs: { execution_history: BY_START },
    run: (store, sample) => store.executionSlice({ ...sample, filter: {}, limit: 20, after: null }),
  },
  {
    name: 'executions by id',
    needs: { execution_history: { project_id: 1, execution_id: 1 } },
    run: (store, { projectId, executionId }) => store.executions(projectId, [executionId]),
  },
  {
    name: 'notes of machines',
    needs: { calibration_note: BY_TIMESTAMP },
    run: (store, sample) => store.machineNoteSlice({ ...sample, filter: {}, limit: 20, after: null }),
  },
  {
    name: 'versions of a parameter',
    needs: { parameter_versions: BY_VERSION },
    run: (store, sample) => store.parameterVersions({ ...sample, qids: [sample.qid], limit: 10 }),
  },
  {
    name: 'versions by id',
    needs: { parameter_versions: { entity_id: 1 } },
    run: (store, sample) => store.versionsById(sample, [sample.taskId]),
  },
  {
    name: 'origins of a value',
    needs: { provenance_relations: { project_id: 1, source_type: 1, source_id: 1, relation_type: 1 } },
    run: (store, { projectId, taskId }) => store.provenanceRelations(projectId, [taskId]),
  },
  {
    name: 'runs that made a value',
    needs: { provenance_activities: { activity_id: 1 } },
    run: (store, sample) => store.activitiesById(sample, [sample.taskId]),
  },
  {
    name: 'whether a chip has news',
    needs: {
      task_result_history: BY_START,
      execution_history: BY_START,
      calibration_note: BY_TIMESTAMP,
      qubit: BY_CHIP,
      coupling: BY_CHIP,
    },
    run: (store, sample) => store.chipMark(sample),
  },
];
