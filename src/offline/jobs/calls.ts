/** Calls that several steps make. */
import type { End } from '../../domain/claims/ranked.ts';
import { planned, type PlannedCall } from '../shared/tool-answers.ts';
import { COUPLING_METRICS, isCoupling, isNeutral } from '../../domain/questions/vocabulary.ts';
import { namedQubits, type Subject } from './subject.ts';

/** Most rows that one ranking gives. */
const MOST_ROWS = 100;

/** All parameters of a chip, or those that the job names. */
export const chipSummary = ({ chipId: chip_id, request, metrics }: Subject): PlannedCall => {
  const named = request.metrics.length === 0 ? [] : metrics.filter((name) => !COUPLING_METRICS.has(name));
  return planned('get_chip_summary', { chip_id, param_names: named.length === 0 ? null : named });
};

/** The job's window against the one before it. */
export function comparison(subject: Subject, parameter_name: string, level: 'qubit' | 'chip'): PlannedCall {
  const { chipId: chip_id, windowHours: window_hours, request } = subject;
  const qids = COUPLING_METRICS.has(parameter_name) ? request.qids.filter(isCoupling) : namedQubits(subject);
  return planned('compare_periods', {
    chip_id,
    parameter_name,
    window_hours: request.period === null ? window_hours : null,
    from: request.period?.from ?? null,
    to: request.period?.to ?? null,
    level,
    qids: qids.length === 0 ? null : qids,
    include_series: false,
  });
}

/** An end of a ranking; by number where neither direction is better. */
export function endOf(metric: string, end: 'best' | 'worst'): End {
  const byNumber = end === 'best' ? 'highest' : 'lowest';
  return isNeutral(metric) ? byNumber : end;
}

/** One end of a ranking, as many rows as possible. */
export const ranking = (
  { chipId: chip_id }: Subject,
  metric_name: string,
  end: 'best' | 'worst',
): PlannedCall =>
  planned('rank_qubits', {
    chip_id,
    metric_name,
    order: endOf(metric_name, end),
    count: MOST_ROWS,
  });

/** Outliers. */
export const outliers = ({ chipId: chip_id }: Subject, metric_name: string | null): PlannedCall =>
  planned('find_outliers', { chip_id, metric_name });

/** Newest runs of tasks. */
export const taskRuns = (
  { chipId: chip_id }: Subject,
  given: { readonly qid?: string; readonly task?: string; readonly failed?: boolean; readonly lastN: number },
): PlannedCall =>
  planned('search_task_results', {
    chip_id,
    task_name: given.task ?? null,
    qid: given.qid ?? null,
    status: given.failed === true ? 'failed' : null,
    last_n: given.lastN,
  });

/** Newest calibration runs. */
export const executions = ({ chipId: chip_id }: Subject): PlannedCall =>
  planned('get_execution_history', { chip_id, last_n: 5 });

/** Notes that people left. */
export const notesOn = ({ chipId: chip_id }: Subject, qid: string | null): PlannedCall =>
  planned('get_calibration_notes', {
    chip_id,
    kind: 'human',
    qid,
    last_n: 10,
  });

/** The history of a parameter of one qubit or coupling. */
export const course = ({ chipId: chip_id }: Subject, qid: string, parameter_name: string): PlannedCall =>
  planned('get_parameter_timeseries', { chip_id, parameter_name, qid, last_n: 30 });

/** A reference to a current value. */
export const citation = ({ chipId: chip_id }: Subject, qid: string, parameter: string): PlannedCall =>
  planned('cite_record', { kind: 'current_value', chip_id, qid, parameter });
