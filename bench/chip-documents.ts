import {
  documentId,
  IMPORT_USERNAME,
  NO_NOTE,
  taskIdOf,
  type ChipDocuments,
  type EntityDocument,
  type ParameterDocument,
  type TaskResultDocument,
} from '../src/import/documents.ts';
import { VIEWER } from './chat.ts';

/** Parameters of each qubit: metrics that the shipped catalogue knows, with a middling value in its stored unit. */
const PARAMETERS = [
  ['qubit_frequency', 4.7, 'GHz'],
  ['readout_frequency', 10.2, 'GHz'],
  ['anharmonicity', -0.3, 'GHz'],
  ['t1', 80, 'μs'],
  ['t2_echo', 100, 'μs'],
  ['t2_star', 30, 'μs'],
  ['average_readout_fidelity', 0.96, ''],
  ['x90_gate_fidelity', 0.997, ''],
  ['x180_gate_fidelity', 0.996, ''],
  ['maximum_rabi_frequency', 0.1, 'MHz/a.u.'],
  ['hpi_amplitude', 0.02, 'a.u.'],
  ['hpi_length', 20, 'ns'],
] as const;

const MEASURED_AT = new Date('2026-01-02T03:04:05Z');
const SYSTEM_INFO = { created_at: MEASURED_AT, updated_at: MEASURED_AT };

/** How large a chip is, and how many results each parameter of a qubit has had. */
export type ChipSize = { readonly qubits: number; readonly results: number };

/**
 * A chip without couplings. Each qubit has a current value for every parameter and the task result behind it;
 * {@link olderResults} makes the results before it.
 */
export function makeChip({ qubits: size, results }: ChipSize): ChipDocuments {
  const chipId = `bench-${size}-${results}`;
  const owned = { project_id: VIEWER.projectId, username: IMPORT_USERNAME, chip_id: chipId };
  const qids = Array.from({ length: size }, (_, index) => String(index));
  const values = new Map(qids.map((qid) => [qid, valuesOf(chipId, qid, Number(qid) / size)]));
  const qubits = [...values].map(([qid, data]): EntityDocument => ({
    ...owned,
    _id: documentId('qubit', chipId, qid),
    qid,
    status: 'completed',
    data: Object.fromEntries(data.map((parameter) => [parameter.parameter_name, parameter])),
    note: NO_NOTE,
    system_info: SYSTEM_INFO,
  }));
  return {
    chip: {
      ...owned,
      _id: documentId('chip', chipId),
      size,
      topology_id: `square-lattice-mux-${size}`,
      layout: null,
      source: 'bench',
      installed_at: MEASURED_AT,
      activity_status: 'active',
      current_cooldown_id: 'bench-1',
      note: NO_NOTE,
      system_info: SYSTEM_INFO,
    },
    qubits,
    couplings: [],
    executions: [],
    taskResults: [...values].flatMap(([qid, data]) =>
      data.map((parameter) => resultOf(owned, qid, parameter)),
    ),
    calibrationNotes: [],
    parameterVersions: [],
    provenanceRelations: [],
    provenanceActivities: [],
  };
}

/** Results before the current ones, an hour apart, a qubit at a time: all of them would be too much to hold. */
export function* olderResults(
  { chip, qubits }: ChipDocuments,
  results: number,
): Generator<readonly TaskResultDocument[]> {
  for (const { qid, data } of qubits) {
    const older = Object.values(data).flatMap((newest) =>
      Array.from({ length: results - 1 }, (_, index) => {
        const age = index + 1;
        const calibrated_at = new Date(MEASURED_AT.getTime() - age * 3_600_000);
        return resultOf(chip, qid, { ...newest, calibrated_at, task_id: `${newest.task_id}-${age}` });
      }),
    );
    if (older.length > 0) yield older;
  }
}

/** `place` is 0 to 1 and spreads the values by a fifth, so that ratings differ. */
function valuesOf(chipId: string, qid: string, place: number): ParameterDocument[] {
  return PARAMETERS.map(([parameter_name, middle, unit]) => ({
    parameter_name,
    qid_role: 'self',
    value: middle * (0.9 + 0.2 * place),
    value_type: 'float',
    error: Math.abs(middle) / 100,
    unit,
    description: '',
    calibrated_at: MEASURED_AT,
    execution_id: '20260102-001',
    task_id: taskIdOf(chipId, qid, parameter_name),
  }));
}

function resultOf(
  { project_id, username, chip_id }: Pick<TaskResultDocument, 'project_id' | 'username' | 'chip_id'>,
  qid: string,
  parameter: ParameterDocument,
): TaskResultDocument {
  return {
    project_id,
    username,
    chip_id,
    _id: documentId('task_result', parameter.task_id),
    task_id: parameter.task_id,
    name: `Check_${parameter.parameter_name}`,
    upstream_id: '',
    status: 'completed',
    message: '',
    stack_trace: '',
    input_parameters: {},
    output_parameters: { [parameter.parameter_name]: parameter },
    output_parameter_names: [parameter.parameter_name],
    run_parameters: {},
    quality_metrics: {},
    note: {},
    import_doubt: '',
    user_note: NO_NOTE,
    figure_path: [],
    json_figure_path: [],
    raw_data_path: [],
    start_at: parameter.calibrated_at,
    end_at: parameter.calibrated_at,
    elapsed_time: 30,
    task_type: 'qubit',
    qid,
    execution_id: parameter.execution_id,
    tags: [],
    cooldown_id: 'bench-1',
    source_task_id: null,
    excluded: false,
    excluded_reason: '',
    excluded_by: '',
    excluded_at: null,
    system_info: SYSTEM_INFO,
  };
}
