/**
 * Documents of single measured values, for sources without runs: each value is a task result with its own time, and the
 * newest usable one of each parameter is the current value. Knows no formats.
 */
import {
  documentId,
  IMPORT_USERNAME,
  NO_NOTE,
  type EntityDocument,
  type ExecutionDocument,
  type ParameterDocument,
  type TaskResultDocument,
} from './documents.ts';
import type { MeasuredValue } from '../domain/values/measured-value.ts';
import { IMPORT_DOUBT_TAG } from '../domain/values/task-result.ts';
import { inNameOrder, newerParameter } from './merge.ts';

/** Where values came from, as documents record it. */
export type ImportSource = {
  readonly projectId: string;
  readonly chipId: string;
  readonly executionId: string;
  /** In words, for messages: a device, a file. */
  readonly name: string;
  readonly tags: readonly string[];
  /** First and last time that the source records, stored as start and last update. */
  readonly since: Date;
  readonly until: Date;
};

/** What a task result records besides its value; `taskId` must be the same for the same measurement. */
export type ResultDetails = {
  readonly taskId: string;
  readonly description: string;
  readonly note: Readonly<Record<string, unknown>>;
  /** What its message says of it besides doubts. */
  readonly remark?: string | null;
};

/** A value as a completed run. */
export function resultOf(
  value: MeasuredValue,
  source: ImportSource,
  { taskId, description, note, remark = null }: ResultDetails,
): TaskResultDocument {
  const { qid, parameter, measuredAt, unusable, doubt } = value;
  const importDoubt = unusable ?? doubt;
  const said = importDoubt ?? remark;
  return {
    _id: documentId('task', source.projectId, taskId),
    project_id: source.projectId,
    username: IMPORT_USERNAME,
    task_id: taskId,
    name: value.task,
    upstream_id: '',
    status: 'completed',
    message: `Imported from ${source.name}${said === null ? '' : `: ${said}`}`,
    stack_trace: '',
    input_parameters: {},
    output_parameters: { [parameter]: parameterOf(value, source, taskId, description) },
    output_parameter_names: [parameter],
    run_parameters: {},
    quality_metrics: {},
    note,
    user_note: NO_NOTE,
    import_doubt: importDoubt ?? '',
    figure_path: [],
    json_figure_path: [],
    raw_data_path: [],
    start_at: measuredAt,
    end_at: measuredAt,
    elapsed_time: null,
    task_type: value.kind,
    qid,
    execution_id: source.executionId,
    tags: importDoubt === null ? source.tags : [...source.tags, IMPORT_DOUBT_TAG],
    chip_id: source.chipId,
    cooldown_id: '',
    source_task_id: null,
    excluded: unusable !== null,
    excluded_reason: unusable ?? '',
    excluded_by: unusable === null ? '' : IMPORT_USERNAME,
    excluded_at: unusable === null ? null : measuredAt,
    system_info: { created_at: measuredAt, updated_at: measuredAt },
  };
}

/** A value as a current value and the output of its result. */
export const parameterOf = (
  { parameter, kind, value, unit, error, measuredAt }: MeasuredValue,
  { executionId }: ImportSource,
  taskId: string,
  description: string,
): ParameterDocument => ({
  parameter_name: parameter,
  qid_role: kind === 'coupling' ? 'coupling' : '',
  value,
  value_type: 'float',
  error,
  unit,
  description,
  calibrated_at: measuredAt,
  execution_id: executionId,
  task_id: taskId,
});

/** Newest usable value of each parameter of each qubit and coupling. */
export function currentValues(
  taskResults: readonly TaskResultDocument[],
): ReadonlyMap<string, Readonly<Record<string, ParameterDocument>>> {
  const current = new Map<string, Record<string, ParameterDocument>>();
  for (const { qid, output_parameters: outputs, excluded } of taskResults) {
    if (excluded) continue;
    const data = current.get(qid) ?? {};
    for (const [name, parameter] of Object.entries(outputs)) {
      data[name] = newerParameter(data[name], parameter);
    }
    current.set(qid, data);
  }
  return current;
}

/** A qubit or coupling with its current values. */
export function entityOf(
  collection: 'qubit' | 'coupling',
  qid: string,
  data: EntityDocument['data'],
  { projectId, chipId, since, until }: ImportSource,
  name?: string,
): EntityDocument {
  return {
    _id: documentId(collection, projectId, chipId, qid),
    project_id: projectId,
    username: IMPORT_USERNAME,
    chip_id: chipId,
    qid,
    ...(name === undefined ? {} : { name }),
    status: Object.keys(data).length > 0 ? 'completed' : 'pending',
    data: inNameOrder(data),
    note: NO_NOTE,
    system_info: { created_at: since, updated_at: until },
  };
}

/** The import itself as an execution. */
export function executionOf(
  source: ImportSource,
  parts: Pick<ExecutionDocument, 'name' | 'note' | 'message'>,
): ExecutionDocument {
  const { projectId, chipId, executionId, since, until } = source;
  return {
    _id: documentId('execution', projectId, executionId),
    project_id: projectId,
    username: IMPORT_USERNAME,
    ...parts,
    execution_id: executionId,
    calib_data_path: '',
    status: 'completed',
    tags: source.tags,
    chip_id: chipId,
    start_at: since,
    end_at: until,
    elapsed_time: null,
    system_info: { created_at: since, updated_at: until },
  };
}

/** `20250226-193306-brisbane`: ids of executions order by time. */
export const executionIdOf = (at: Date, ...rest: readonly string[]): string =>
  [at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-'), ...rest].join('-');
