/** Calls that several steps of offline jobs make. */
import { planned, type PlannedCall } from '../offline-analyst/answers.ts';

const WEEK_HOURS = 24 * 7;

/** All parameters of a chip. */
export const chipSummary = (chip_id: string | null): PlannedCall =>
  planned('get_chip_summary', { chip_id, param_names: null });

/** This week against the one before it. */
export const weekOf = (
  chip_id: string | null,
  parameter_name: string,
  level: 'qubit' | 'chip',
): PlannedCall =>
  planned('compare_periods', {
    chip_id,
    parameter_name,
    window_hours: WEEK_HOURS,
    from: null,
    to: null,
    level,
    qids: null,
    include_series: false,
  });

/** The first or last of a ranking. */
export const ranking = (
  chip_id: string | null,
  metric_name: string,
  order: 'best' | 'worst',
  count: number,
): PlannedCall => planned('rank_qubits', { chip_id, metric_name, order, count, within_hours: null });

/** Values far from the rest. */
export const outliers = (chip_id: string | null): PlannedCall =>
  planned('find_outliers', { chip_id, metric_name: null, min_score: null });

/** Newest runs of tasks. */
export const taskRuns = (
  chip_id: string | null,
  given: { readonly qid?: string; readonly failed?: boolean; readonly lastN: number },
): PlannedCall =>
  planned('search_task_results', {
    chip_id,
    task_name: null,
    qid: given.qid ?? null,
    status: given.failed === true ? 'failed' : null,
    execution_id: null,
    last_n: given.lastN,
  });

/** Newest calibration runs. */
export const executions = (chip_id: string | null): PlannedCall =>
  planned('get_execution_history', { chip_id, status: null, tags: null, last_n: 5 });

/** What people wrote. */
export const notesOn = (chip_id: string | null, qid: string | null): PlannedCall =>
  planned('get_calibration_notes', {
    chip_id,
    kind: 'human',
    qid,
    execution_id: null,
    task_id: null,
    last_n: 10,
  });

/** A reference to a current value. */
export const citation = (chip_id: string | null, qid: string, parameter: string): PlannedCall =>
  planned('cite_record', { kind: 'current_value', record_id: null, chip_id, qid, parameter });
