/**
 * IBM-style backend snapshots as QDash documents. One snapshot is one execution; every value is a task result with its
 * own date. Snapshots repeat values that were not measured anew: a value's identity is what was measured, when, so a
 * repeated one is the same task result, and the order of importing does not matter.
 */
import {
  documentId,
  IMPORT_USERNAME,
  NO_NOTE,
  taskIdOf,
  type ChipDocument,
  type ChipDocuments,
  type EntityDocument,
  type ExecutionDocument,
  type ParameterDocument,
  type TaskResultDocument,
} from './documents.ts';
import type { IbmSnapshot } from './ibm-json.ts';
import { valuesOf, type MeasuredValue } from './ibm-values.ts';
import { inNameOrder, newerParameter } from './merge.ts';

/** A snapshot as documents, and what is worth telling a person about it. */
export type IbmImport = {
  readonly documents: ChipDocuments;
  /** Kept as measured, in doubt: one plain sentence each. */
  readonly doubts: readonly string[];
  /** Kept, but excluded from every figure. */
  readonly excluded: readonly string[];
  /** Not in the file as a usable number. */
  readonly leftOut: readonly string[];
  /** Own dates of the values. */
  readonly oldestAt: Date;
  readonly newestAt: Date;
};

/** The chip id that a device gets: its name after the first `_`, so `ibm_brisbane` is `brisbane`. */
export function chipIdOf(backendName: string): string {
  const separator = backendName.indexOf('_');
  return separator < 0 ? backendName : backendName.slice(separator + 1);
}

/** Turns a checked snapshot into documents of `projectId` and `chipId`. Pure. */
export function importIbmSnapshot(snapshot: IbmSnapshot, projectId: string, chipId: string): IbmImport {
  const snapshotAt = new Date(snapshot.properties.last_update_date);
  const context: Context = {
    projectId,
    chipId,
    snapshotAt,
    executionId: `${snapshotAt.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')}-${chipId}`,
    device: snapshot.properties.backend_name,
  };
  const { values, leftOut } = valuesOf(snapshot.properties);
  const taskResults = values.map((value) => taskResult(value, context));
  const current = currentValues(taskResults);
  const entity = (collection: string) => (qid: string) =>
    entityDocument(collection, qid, current.get(qid) ?? {}, context);
  const times = values.map((value) => value.measuredAt).sort((a, b) => a.getTime() - b.getTime());
  return {
    documents: {
      chip: chipDocument(snapshot, context),
      qubits: snapshot.properties.qubits.map((_, index) => entity('qubit')(String(index))),
      couplings: couplingIds(snapshot).map(entity('coupling')),
      executions: [execution(values, context)],
      taskResults,
      calibrationNotes: [],
      parameterVersions: [],
      provenanceRelations: [],
      provenanceActivities: [],
    },
    doubts: values.flatMap(({ doubt, parameter, qid }) =>
      doubt ? [`${parameter} of ${qid}: ${doubt}`] : [],
    ),
    excluded: values.flatMap(({ unusable, parameter, qid }) =>
      unusable ? [`${parameter} of ${qid}: ${unusable}`] : [],
    ),
    leftOut,
    oldestAt: times.at(0) ?? snapshotAt,
    newestAt: times.at(-1) ?? snapshotAt,
  };
}

type Context = {
  readonly projectId: string;
  readonly chipId: string;
  readonly snapshotAt: Date;
  readonly executionId: string;
  readonly device: string;
};

function chipDocument(snapshot: IbmSnapshot, context: Context): ChipDocument {
  const { projectId, chipId, snapshotAt, device } = context;
  const online = new Date(snapshot.configuration.online_date ?? Number.NaN);
  return {
    _id: documentId('chip', projectId, chipId),
    project_id: projectId,
    username: IMPORT_USERNAME,
    chip_id: chipId,
    size: snapshot.configuration.n_qubits,
    topology_id: device,
    layout: layoutOf(snapshot),
    source: device,
    installed_at: Number.isNaN(online.getTime()) ? snapshotAt : online,
    activity_status: 'active',
    current_cooldown_id: null,
    note: NO_NOTE,
    system_info: { created_at: snapshotAt, updated_at: snapshotAt },
  };
}

/** `coords` are `[x, y]` with an origin of the vendor's choice, x to the right and y downwards. */
function layoutOf({ configuration }: IbmSnapshot): ChipDocument['layout'] {
  const coords = configuration.coords;
  if (!coords || coords.length !== configuration.n_qubits) return null;
  const left = Math.min(...coords.map(([x]) => x));
  const top = Math.min(...coords.map(([, y]) => y));
  return Object.fromEntries(coords.map(([x, y], index) => [String(index), { row: y - top, col: x - left }]));
}

/** Directed pairs of the coupling map; where there is none, those that two-qubit gates were measured on. */
function couplingIds({ properties, configuration }: IbmSnapshot): readonly string[] {
  const measuredPairs = properties.gates.map(({ qubits }) => qubits).filter(({ length }) => length === 2);
  const pairs = [...(configuration.coupling_map ?? []), ...measuredPairs];
  return [...new Set(pairs.map((pair) => pair.join('-')))];
}

function entityDocument(
  collection: string,
  qid: string,
  data: EntityDocument['data'],
  context: Context,
): EntityDocument {
  return {
    _id: documentId(collection, context.projectId, context.chipId, qid),
    project_id: context.projectId,
    username: IMPORT_USERNAME,
    chip_id: context.chipId,
    qid,
    status: Object.keys(data).length > 0 ? 'completed' : 'pending',
    data: inNameOrder(data),
    note: NO_NOTE,
    system_info: { created_at: context.snapshotAt, updated_at: context.snapshotAt },
  };
}

function execution(values: readonly MeasuredValue[], context: Context): ExecutionDocument {
  const { projectId, chipId, snapshotAt, executionId, device } = context;
  return {
    _id: documentId('execution', projectId, executionId),
    project_id: projectId,
    username: IMPORT_USERNAME,
    name: `Snapshot of ${device}`,
    execution_id: executionId,
    calib_data_path: '',
    note: { source: 'ibm-backend', device },
    status: 'completed',
    tags: ['import', 'ibm'],
    chip_id: chipId,
    start_at: snapshotAt,
    end_at: snapshotAt,
    elapsed_time: null,
    message: `${values.length} values, each measured at its own time`,
    system_info: { created_at: snapshotAt, updated_at: snapshotAt },
  };
}

function taskResult(value: MeasuredValue, context: Context): TaskResultDocument {
  const { projectId, chipId, executionId, device } = context;
  const { qid, parameter, measuredAt, unusable, doubt, origin } = value;
  const identity = [
    projectId,
    chipId,
    origin.gate ?? '',
    parameter,
    qid,
    measuredAt.toISOString(),
    String(origin.value),
  ];
  const taskId = taskIdOf('ibm', ...identity);
  const remark = unusable ?? doubt;
  return {
    _id: documentId('task', projectId, taskId),
    project_id: projectId,
    username: IMPORT_USERNAME,
    task_id: taskId,
    name: value.task,
    upstream_id: '',
    status: 'completed',
    message: remark === null ? `Imported from ${device}` : `Imported from ${device}: ${remark}`,
    stack_trace: '',
    input_parameters: {},
    output_parameters: { [parameter]: parameterDocument(value, executionId, taskId) },
    output_parameter_names: [parameter],
    run_parameters: {},
    quality_metrics: {},
    note: { source: 'ibm-backend', ...origin },
    user_note:
      remark === null ? NO_NOTE : { content: remark, updated_by: IMPORT_USERNAME, updated_at: measuredAt },
    figure_path: [],
    json_figure_path: [],
    raw_data_path: [],
    start_at: measuredAt,
    end_at: measuredAt,
    elapsed_time: null,
    task_type: value.kind,
    qid,
    execution_id: executionId,
    tags: ['import', 'ibm'],
    chip_id: chipId,
    cooldown_id: '',
    source_task_id: null,
    excluded: unusable !== null,
    excluded_reason: unusable ?? '',
    excluded_by: unusable === null ? '' : IMPORT_USERNAME,
    excluded_at: unusable === null ? null : measuredAt,
    system_info: { created_at: measuredAt, updated_at: measuredAt },
  };
}

const parameterDocument = (
  { parameter, kind, value, unit, measuredAt, origin }: MeasuredValue,
  executionId: string,
  taskId: string,
): ParameterDocument => ({
  parameter_name: parameter,
  qid_role: kind === 'coupling' ? 'coupling' : '',
  value,
  value_type: 'float',
  error: 0,
  unit,
  description: origin.gate === undefined ? origin.record : `${origin.gate} ${origin.record}`,
  calibrated_at: measuredAt,
  execution_id: executionId,
  task_id: taskId,
});

/** Newest usable value of each parameter of each qubit and coupling. */
function currentValues(
  taskResults: readonly TaskResultDocument[],
): ReadonlyMap<string, Record<string, ParameterDocument>> {
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
