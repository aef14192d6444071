/** From what was asked to tool calls, and from what was fetched to the calls that need it. */
import { z } from 'zod';
import type { Ask } from './ask.ts';
import { statisticProgram, type PythonColumn } from './python.ts';
import { COUPLING_METRICS, isCoupling } from './vocabulary.ts';

/** A tool call to be made; two with the same text are one. */
export type PlannedCall = { readonly name: string; readonly arguments: string };

/** What a tool answered, by the text of its call; unreadable and failed answers hold an error. */
export type Answers = ReadonlyMap<string, ToolAnswer>;

const freshness = z.object({
  newestAt: z.iso.datetime().nullable(),
  oldestAt: z.iso.datetime().nullable(),
  staleAfterSeconds: z.number().nullable(),
});

const toolAnswer = z.union([
  z.object({ error: z.string() }),
  z.object({ data: z.unknown(), formattedSummary: z.string(), freshness: freshness.nullable() }),
]);

/** A tool's answer as the analyst reads it. */
export type ToolAnswer = z.infer<typeof toolAnswer>;

/** Reads the text that the loop gives back for a call. */
export function readAnswer(output: string): ToolAnswer {
  try {
    return toolAnswer.parse(JSON.parse(output));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) {
      return { error: 'the tool answered in a form that I cannot read' };
    }
    throw error;
  }
}

/** Key of a call in {@link Answers}. */
export const keyOf = (call: PlannedCall): string => `${call.name} ${call.arguments}`;

/** A window where the question says no length. */
const WEEK_HOURS = 24 * 7;

/** Parameters that stand in where a question about the best or worst names none. */
const MAIN_METRICS = ['t1', 't2_echo', 'average_readout_fidelity'];

/** The calls that an ask begins with. */
export function firstCalls(ask: Ask): readonly PlannedCall[] {
  const { kind, metrics, qids, chipId: chip_id, order, count } = ask;
  const named = (fallback: readonly string[]) => (metrics.length > 0 ? metrics : fallback);
  const rank = (metric_name: string) =>
    planned('rank_qubits', { chip_id, metric_name, order, count, within_hours: null });
  switch (kind) {
    case 'health':
      return [planned('get_chip_summary', { chip_id, param_names: null })];
    case 'rank':
      return named(MAIN_METRICS).map(rank);
    case 'heatmap':
      return named(['t1']).map((metric_name) =>
        COUPLING_METRICS.has(metric_name)
          ? rank(metric_name)
          : planned('generate_chip_heatmap', {
              chip_id,
              metric_name,
              selection_mode: null,
              within_hours: null,
            }),
      );
    case 'trend':
      return named(defaultSeries(qids)).map((name) => historyOf(ask, name));
    case 'periods':
      return named(defaultSeries(qids)).map((name) => comparisonOf(ask, name));
    case 'values':
      return qids.map((qid) => valuesOf(ask, qid));
    case 'compare':
      return qids.some(isCoupling)
        ? qids.map((qid) => valuesOf(ask, qid))
        : [planned('compare_qubits', { chip_id, qids, param_names: metrics.length > 0 ? metrics : null })];
    case 'outliers':
      return named([]).length > 0
        ? metrics.map((metric_name) => planned('find_outliers', { chip_id, metric_name, min_score: null }))
        : [planned('find_outliers', { chip_id, metric_name: null, min_score: null })];
    case 'topology':
      return [planned('get_chip_topology', { chip_id })];
    case 'parameters':
      return [planned('list_available_parameters', { chip_id, qid: qids[0] ?? null })];
    case 'figures':
      return metrics.some((name) => COUPLING_METRICS.has(name))
        ? metrics.map(rank)
        : [planned('get_chip_summary', { chip_id, param_names: metrics })];
    case 'statistic':
      return isTooVague(ask)
        ? []
        : [planned('get_chip_summary', { chip_id, param_names: named(['t1']).slice(0, 2) })];
  }
}

/** What a history is of where the question does not say. */
const defaultSeries = (qids: readonly string[]): readonly string[] =>
  qids.some(isCoupling) ? ['zx90_gate_fidelity'] : ['t1'];

const someOf = (qids: readonly string[]): readonly string[] | null => (qids.length > 0 ? qids : null);

function historyOf({ chipId: chip_id, qids, lastN }: Ask, parameter_name: string): PlannedCall {
  const args = { chip_id, parameter_name, qids: someOf(qids), last_n: lastN ?? 30 };
  return planned('get_chip_parameter_timeseries', args);
}

function comparisonOf({ chipId: chip_id, qids, windowHours }: Ask, parameter_name: string): PlannedCall {
  return planned('compare_periods', {
    chip_id,
    parameter_name,
    window_hours: windowHours ?? WEEK_HOURS,
    from: null,
    to: null,
    level: null,
    qids: someOf(qids),
    include_series: false,
  });
}

/** Current values of one qubit or coupling. */
function valuesOf({ chipId: chip_id, metrics }: Ask, qid: string): PlannedCall {
  if (!isCoupling(qid)) return planned('get_qubit_params', { chip_id, qid });
  const param_names = metrics.length > 0 ? metrics : null;
  return planned('get_coupling_params', { chip_id, coupling_id: qid, qubit_id: null, param_names });
}

/** A correlation of fewer than two parameters. */
export const isTooVague = ({ statistic, metrics }: Ask): boolean =>
  statistic?.type === 'correlation' && metrics.length < 2;

/** What a fetched chip summary says of its parameters. */
const fetchedSummary = z.object({
  data_key: z.string(),
  statistics: z.record(z.string(), z.object({ scale: z.number(), display_unit: z.string() })),
});

/** The Python call of a statistic, once its summary was fetched; null for everything else. */
export function secondCall(ask: Ask, answers: Answers): PlannedCall | null {
  const [fetch] = firstCalls(ask);
  if (ask.statistic === null || fetch === undefined) return null;
  const answer = answers.get(keyOf(fetch));
  if (answer === undefined || 'error' in answer) return null;
  const summary = fetchedSummary.safeParse(answer.data);
  if (!summary.success) return null;
  const columns = Object.entries(summary.data.statistics).map(
    ([name, { scale, display_unit: unit }]): PythonColumn => ({ name, unit, scale }),
  );
  const ordered = ask.metrics.flatMap((name) => columns.find((column) => column.name === name) ?? []);
  const [first = columns[0], ...others] = ordered;
  if (first === undefined) return null;
  return planned('execute_python_analysis', {
    code: statisticProgram(ask.statistic, summary.data.data_key, [first, ...others]),
  });
}

const planned = (name: string, args: object): PlannedCall => ({ name, arguments: JSON.stringify(args) });
