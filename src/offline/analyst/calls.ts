/** The calls of tools that plans are made of. */
import { isPeriod, type Period } from '../../domain/questions/period.ts';
import { type Ask, type Quantity } from '../../domain/questions/query.ts';
import { endOf } from '../../domain/questions/order.ts';
import type { Statistic } from '../../domain/questions/statistic.ts';
import { COUPLING_METRICS, isCoupling, isNeutral } from '../../domain/questions/vocabulary.ts';
import { planned, type PlannedCall } from '../shared/tool-answers.ts';

/** Default length of a window. */
const WEEK_HOURS = 24 * 7;

export const quantityOf = ({ metric, isError }: Quantity): string => (isError ? `1 - ${metric}` : metric);

/** Kinds that list as many rows as the tool gives where the question says no number; of a ranking it is a few. */
const WHOLE: ReadonlySet<string> = new Set(['select', 'values', 'compare', 'states', 'topology']);
const countIn = ({ kind, count, qids }: Ask): number | null =>
  count ?? (WHOLE.has(kind) || (kind === 'rank' && qids.length > 0) ? 100 : kind === 'rank' ? 5 : null);

type RowsWanted = {
  readonly show: string;
  readonly where?: readonly object[];
  readonly figure?: string | null;
  readonly percent?: number | null;
};

/** A call for rows of one quantity. */
export const queryOf = (ask: Ask, { show, where = [], figure, percent }: RowsWanted): PlannedCall =>
  planned('query_values', {
    chip_id: ask.chipId,
    show,
    where,
    join: ask.join,
    qids: someOf(ask.qids),
    without: someOf(ask.excluded),
    order: endOf(ask.order, { metric: show.replace('1 - ', ''), isError: show.startsWith('1 - ') }),
    count: countIn(ask),
    figure,
    percent,
    unit: ask.unit,
  });

/** Whether a parameter is asked for as its error: only fidelities have one. */
export const isErrorOf = ({ isError }: Ask, metric: string): boolean =>
  isError && metric.endsWith('fidelity');

/** The title of a parameter as it is asked for: of fidelities also as their error. */
export const titleFor = (ask: Ask, metric: string, title: string): string =>
  isErrorOf(ask, metric) ? title.replace(/Fidelity$/u, 'Error') : title;

/** As tools take it: of fidelities the error is `1 - ` it. */
const shownOf = (ask: Ask, metric: string): string => quantityOf({ metric, isError: isErrorOf(ask, metric) });

export const rowsOf = (ask: Ask, metric: string): PlannedCall => queryOf(ask, { show: shownOf(ask, metric) });

/** A statistic as tools take it: a figure of the values; those that are drawn are none. */
export const figureIn = (statistic: Statistic | null): Pick<RowsWanted, 'figure' | 'percent'> =>
  statistic === null || isDrawing(statistic)
    ? {}
    : { figure: statistic.type, percent: statistic.type === 'percentile' ? statistic.percent : null };

/** Statistics with a chart, which Python draws; the others are a tool's own. */
export const isDrawing = ({ type }: Statistic): boolean => type === 'distribution' || type === 'correlation';

export const figureOf = (ask: Ask, metric: string): PlannedCall =>
  queryOf(ask, {
    show: shownOf(ask, metric),
    ...figureIn(ask.statistic),
  });

export const someOf = (items: readonly string[]): readonly string[] | null =>
  items.length > 0 ? items : null;

export const failedOnly = ({ isFailed }: Ask): string | null => (isFailed ? 'failed' : null);

export const outliersOf = ({ chipId: chip_id, metrics }: Ask): readonly PlannedCall[] =>
  (metrics.length > 0 ? metrics : [null]).map((metric_name) =>
    planned('find_outliers', { chip_id, metric_name }),
  );

export const isOfCouplings = (metrics: readonly string[]): boolean =>
  metrics.some((name) => COUPLING_METRICS.has(name));

export const rankingOf = ({ chipId: chip_id, order, count }: Ask, metric_name: string): PlannedCall =>
  planned('rank_qubits', {
    chip_id,
    metric_name,
    order: isNeutral(metric_name) ? endOf(order, { metric: metric_name, isError: false }) : order,
    count: count ?? 5,
  });

export const heatmapOf = (ask: Ask, metric_name: string): PlannedCall =>
  COUPLING_METRICS.has(metric_name)
    ? rankingOf(ask, metric_name)
    : planned('generate_chip_heatmap', { chip_id: ask.chipId, metric_name });

/** The newest results of a time, or of all times. */
export function historyOf(
  { chipId: chip_id, qids, lastN }: Ask,
  parameter_name: string,
  { from, to }: Period = { from: null, to: null },
): PlannedCall {
  const args = { chip_id, parameter_name, qids: someOf(qids), last_n: lastN ?? 30, from, to };
  return planned('get_chip_parameter_timeseries', args);
}

export function comparisonOf(ask: Ask, parameter_name: string): PlannedCall {
  const { chipId: chip_id, qids, windowHours, period, before } = ask;
  const { from, to } = isPeriod(period) ? period : { from: null, to: null };
  return planned('compare_periods', {
    chip_id,
    parameter_name,
    window_hours: from === null ? (windowHours ?? WEEK_HOURS) : null,
    from,
    to,
    previous_from: before?.from ?? null,
    previous_to: before?.to ?? null,
    qids: someOf(qids),
    include_series: period !== null && ask.before === null && ask.kind !== 'changes',
  });
}

/** Current values of a qubit or coupling, or of a qubit's couplings for a parameter of couplings. */
export function valuesOf({ chipId: chip_id, metrics }: Ask, qid: string): PlannedCall {
  const param_names = someOf(metrics);
  if (isCoupling(qid)) {
    return planned('get_coupling_params', { chip_id, coupling_id: qid, param_names });
  }
  return isOfCouplings(metrics)
    ? planned('get_coupling_params', { chip_id, qubit_id: qid, param_names })
    : planned('get_qubit_params', { chip_id, qid });
}

export const searchOf = (ask: Ask, task_name: string | null): PlannedCall =>
  planned('search_task_results', {
    chip_id: ask.chipId,
    task_name,
    qid: ask.qids[0] ?? null,
    status: failedOnly(ask),
    last_n: ask.lastN,
  });

export const notesOf = ({ chipId: chip_id }: Ask, qid: string | null): PlannedCall =>
  planned('get_calibration_notes', { chip_id, kind: 'human', qid });

export const tasksOf = (chip_id: string | null): PlannedCall =>
  planned('list_entities', { chip_id, kind: 'task' });

export const lineageOf = (
  { chipId: chip_id, lastN: last_n }: Ask,
  parameter_name: string,
  qid: string,
): PlannedCall => planned('get_parameter_lineage', { chip_id, parameter_name, qid, last_n });
