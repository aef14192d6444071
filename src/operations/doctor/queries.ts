import type { CalibrationStore, ChipScope } from '../../stores/calibration-store.ts';

/** Fields of an index in their order. */
export type IndexKey = Readonly<Record<string, 1 | -1>>;

/** Names that exist in the database, so that the planner sees realistic queries. */
export type QuerySample = ChipScope & {
  readonly taskName: string;
  readonly qid: string;
  readonly parameter: string;
  readonly taskId: string;
  readonly executionId: string;
};

/** A kind of read, and the index (as QDash creates it) that each collection should have for it. */
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
const BY_REVIEW: IndexKey = { project_id: 1, chip_id: 1, 'ai_review_note.updated_at': -1 };
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

const query = (name: string, needs: CheckedQuery['needs'], run: CheckedQuery['run']): CheckedQuery => ({
  name,
  needs,
  run,
});

/** Every indexed read of QPilot. */
export const CHECKED_QUERIES: readonly CheckedQuery[] = [
  query('chips', { chip: { project_id: 1, chip_id: 1, username: 1 } }, (store, { projectId, chipIds }) =>
    store.chips(projectId, chipIds),
  ),
  query('current values of qubits', { qubit: BY_CHIP }, (store, sample) =>
    store.currentValues('QUBIT', { ...sample, qids: null, names: null }),
  ),
  query('current values of couplings', { coupling: BY_CHIP }, (store, sample) =>
    store.currentValues('COUPLING', { ...sample, qids: null, names: null }),
  ),
  query('latest value of each qubit, and its history', { task_result_history: BY_TASK }, (store, sample) =>
    store.latestMeasurements(measurements(sample), 10),
  ),
  query('best value of each qubit', { task_result_history: BY_TASK }, (store, sample) =>
    store.bestMeasurements(measurements(sample), 'GREATEST'),
  ),
  query('averages', { task_result_history: BY_TASK }, (store, sample) =>
    store.averages(measurements(sample)),
  ),
  query('newest runs of a task', { task_result_history: BY_TASK }, (store, sample) =>
    store.recentRuns({ ...sample, taskNames: [sample.taskName], qids: null, status: null }, 2),
  ),
  query('tasks of a chip', { task_result_history: BY_TASK }, (store, sample) => store.taskOutputs(sample)),
  query('lists of task results', { task_result_history: BY_START }, (store, sample) =>
    store.taskResultSlices({ ...sample, filter: {}, qids: null, limit: 20, after: null }),
  ),
  query(
    'task results by id',
    { task_result_history: { project_id: 1, task_id: 1 } },
    (store, { projectId, taskId }) => store.taskResults(projectId, [taskId]),
  ),
  query('user notes on task results', { task_result_history: BY_NOTE }, (store, sample) =>
    store.taskResultNotes(sample, 20),
  ),
  query('AI reviews of task results', { task_result_history: BY_REVIEW }, (store, sample) =>
    store.aiReviews(sample, 20),
  ),
  query('lists of executions', { execution_history: BY_START }, (store, sample) =>
    store.executionSlice({ ...sample, filter: {}, limit: 20, after: null }),
  ),
  query(
    'executions by id',
    { execution_history: { project_id: 1, execution_id: 1 } },
    (store, { projectId, executionId }) => store.executions(projectId, [executionId]),
  ),
  query('machine notes', { calibration_note: BY_TIMESTAMP }, (store, sample) =>
    store.machineNoteSlice({ ...sample, filter: {}, limit: 20, after: null }),
  ),
  query('versions of a parameter', { parameter_versions: BY_VERSION }, (store, sample) =>
    store.parameterVersions({ ...sample, qids: [sample.qid], limit: 10 }),
  ),
  query('versions by id', { parameter_versions: { entity_id: 1 } }, (store, sample) =>
    store.versionsById(sample, [sample.taskId]),
  ),
  query(
    'provenance of a value',
    { provenance_relations: { project_id: 1, source_type: 1, source_id: 1, relation_type: 1 } },
    (store, { projectId, taskId }) => store.provenanceRelations(projectId, [taskId]),
  ),
  query('runs that produced a value', { provenance_activities: { activity_id: 1 } }, (store, sample) =>
    store.activitiesById(sample, [sample.taskId]),
  ),
  query(
    'change detection of a chip',
    {
      task_result_history: BY_START,
      execution_history: BY_START,
      calibration_note: BY_TIMESTAMP,
      qubit: BY_CHIP,
      coupling: BY_CHIP,
    },
    (store, sample) => store.chipMark(sample),
  ),
];
