import type { Chip } from '../../domain/chip/chip.ts';
import type { CalibrationServices } from '../../services/calibration/calibration-services.ts';

/** What an example may look up in the demo data. */
export type ExampleSource = { readonly services: CalibrationServices; readonly chip: Chip };

type Arguments = Readonly<Record<string, unknown>>;

/** A call that shows what a tool is for; arguments left out are null. */
const EXAMPLES: Readonly<Record<string, Arguments | ((source: ExampleSource) => Promise<Arguments>)>> = {
  get_chip_summary: {},
  rank_qubits: { metric_name: 't1', order: 'worst', count: 5 },
  find_outliers: { metric_name: 'average_readout_fidelity' },
  compare_periods: { parameter_name: 't1', window_hours: 168, level: 'chip', include_series: false },
  get_qubit_params: { qid: 'Q12' },
  compare_qubits: { qids: ['12', '13'], param_names: ['t1', 'qubit_frequency'] },
  get_coupling_params: { qubit_id: '12' },
  get_chip_parameter_timeseries: { parameter_name: 't1', qids: ['12', '13'], last_n: 3 },
  get_parameter_timeseries: { parameter_name: 't1', qid: '12', last_n: 5 },
  generate_chip_heatmap: { metric_name: 't1', selection_mode: 'latest' },
  get_chip_topology: {},
  list_available_parameters: { qid: '12' },
  list_entities: { kind: 'metric', name_contains: 'fidelity' },
  get_lab_context: {},
  get_latest_task_result: { task_name: 'CheckT1', qid: '12' },
  get_task_history: { task_name: 'CheckT1', qid: '12', last_n: 3 },
  search_task_results: { status: 'failed', last_n: 3 },
  get_execution_history: { last_n: 3 },
  get_calibration_notes: { kind: 'human', last_n: 3 },
  get_parameter_lineage: { parameter_name: 't1', qid: '12', last_n: 3 },
  get_provenance_lineage_graph: async ({ services, chip }) => {
    const versions = await services.lineage.versions(chip, { parameter: 't1', qids: ['12'], lastN: 1 });
    return { entity_id: versions.get('12')?.[0]?.entityId ?? '', max_depth: 2 };
  },
  propose_job: {
    expert_id: 'researcher',
    description: 'Find out since when and why T1 of Q27 falls',
    finding: 'T1 of Q27 is the lowest of the chip',
  },
  // Stands behind get_chip_summary, which keeps its rows for it.
  make_chart: {
    df_name: 'chip_summary',
    logical_name: 'qubits',
    chart_type: 'scatter',
    x_field: 't1',
    x_label: 'T1 in μs',
    y_label: 'T2 Echo in μs',
    series: [{ name: 'T2 Echo', y_field: 't2_echo' }],
    title: 'T2 Echo against T1',
    note: '',
  },
  // As is this.
  execute_python_analysis: {
    code: [
      'import statistics',
      'rows = [r for r in data["chip_summary"]["qubits"] if r["t1"] and r["t2_echo"]]',
      'ratio = statistics.median(r["t2_echo"] / r["t1"] for r in rows)',
      'result = {"output": f"T2 Echo over T1: median {ratio:.2f} of {len(rows)} qubits"}',
    ].join('\n'),
  },
  query_dataset: {
    dataset: 'pulse_sweep',
    group_by: ['qid'],
    aggregate: [{ column: 'contrast', figure: 'max' }],
    descending: false,
  },
  get_live_parameters: { qids: ['12'], param_names: ['t1'] },
  verify_against_live: { qids: ['12'], param_names: ['t1'] },
};

/** Arguments of the example of a tool. @throws Error for a tool without one, which is a mistake in this file. */
export async function exampleOf(name: string, source: ExampleSource): Promise<Arguments> {
  const example = EXAMPLES[name];
  if (example === undefined) throw new Error(`${name} has no example`);
  return typeof example === 'function' ? example(source) : example;
}
