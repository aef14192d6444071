/** The tool calls of what was asked: first calls, and calls that need the answer of a first one. */
import { z } from 'zod';
import { layout } from './layout-text.ts';
import {
  foundIn,
  isFound,
  keyOf,
  namesIn,
  planned,
  type Answers,
  type PlannedCall,
} from '../shared/tool-answers.ts';
import type { Ask, Condition } from '../../domain/questions/query.ts';
import { isImpossible } from '../../domain/questions/period.ts';
import { statisticCall, type PythonColumn } from './python.ts';
import {
  quantityOf,
  queryOf,
  rowsOf,
  figureIn,
  figureOf,
  isDrawing,
  someOf,
  failedOnly,
  outliersOf,
  isOfCouplings,
  rankingOf,
  heatmapOf,
  historyOf,
  comparisonOf,
  valuesOf,
  searchOf,
  notesOf,
  lineageOf,
  tasksOf,
} from './calls.ts';
import { courseCall, isCourse, resultsOf } from './course.ts';
import { isOfTwoStates, snapshotsOf, timesCall } from './two-times.ts';
import { isCoupling } from '../../domain/questions/vocabulary.ts';

/** Taken where a question about the best or worst names no parameter. */
const MAIN_METRICS = ['t1', 't2_echo', 'average_readout_fidelity'];

/** The calls that an ask begins with; none where there is nothing to look up. */
export function firstCalls(ask: Ask): readonly PlannedCall[] {
  if (isImpossible(ask.period)) return [];
  const { kind, metrics, qids, chipId: chip_id } = ask;
  const named = (fallback: readonly string[]) => (metrics.length > 0 ? metrics : fallback);
  if (isCourse(ask)) return named(defaultSeries(qids)).map((name) => resultsOf(ask, name));
  switch (kind) {
    case 'health':
      return [planned('get_chip_summary', { chip_id })];
    case 'rank':
      return named(MAIN_METRICS).map((name) =>
        isPlain(ask) && qids.length === 0 ? rankingOf(ask, name) : rowsOf(ask, name),
      );
    case 'select':
      return selectCalls(ask);
    case 'plausible':
      return plausibleCalls(ask);
    case 'states':
      return ask.before === null ? stateCalls(ask) : [snapshotsOf(ask)];
    case 'heatmap':
      return named(['t1']).map((name) => heatmapOf(ask, name));
    case 'trend':
      return named(defaultSeries(qids)).map((name) => historyOf(ask, name));
    case 'changes':
    case 'periods':
      if (isOfTwoStates(ask)) return [snapshotsOf(ask)];
      return named(defaultSeries(qids)).map((name) => comparisonOf(ask, name));
    case 'ratio':
      return qids.map((qid) => valuesOf(ask, qid));
    case 'values':
      return isPlain(ask) && (!isOfCouplings(metrics) || qids.every(isCoupling))
        ? qids.map((qid) => valuesOf(ask, qid))
        : metrics.map((name) => rowsOf(ask, name));
    case 'compare':
      if (!isPlain(ask)) return metrics.map((name) => rowsOf(ask, name));
      return qids.some(isCoupling)
        ? qids.map((qid) => valuesOf(ask, qid))
        : [planned('compare_qubits', { chip_id, qids, param_names: someOf(metrics) })];
    case 'outliers': {
      const about = unusualCalls(ask);
      if (about === null) return outliersOf(ask);
      const ofQubits = about.qubits.flatMap(({ values, notes }) => [values, notes]);
      return [...about.outliers, ...ofQubits, about.course];
    }
    case 'topology':
      return [planned('get_chip_topology', { chip_id })];
    case 'parameters':
      return [planned('list_available_parameters', { chip_id, qid: qids[0] ?? null })];
    case 'figures':
      return figuresOf(ask);
    case 'age':
      return qids.length > 0 ? qids.map((qid) => valuesOf(ask, qid)) : figuresOf(ask);
    case 'statistic':
      if (isTooVague(ask)) return [];
      return !isDrawn(ask)
        ? named(['t1']).map((name) => figureOf(ask, name))
        : [planned('get_chip_summary', { chip_id, param_names: named(['t1']).slice(0, 2) })];
    case 'runs':
      // Task names have to match exactly, so the existing ones are listed first where the question names one.
      return [ask.task === null ? searchOf(ask, null) : tasksOf(chip_id)];
    case 'tasks':
      return [tasksOf(chip_id)];
    case 'laboratory':
      return [planned('get_lab_context', {})];
    case 'executions':
      return [planned('get_execution_history', { chip_id, status: failedOnly(ask), last_n: ask.lastN })];
    case 'notes':
      return (qids.length > 0 ? qids : [null]).map((qid) => notesOf(ask, qid));
    case 'lineage':
      return isTooVague(ask) ? [] : metrics.flatMap((name) => qids.map((qid) => lineageOf(ask, name, qid)));
    case 'action':
      return [];
  }
}

/** The call that needs what an earlier one fetched; null where there is none, or not yet. */
export function secondCall(ask: Ask, answers: Answers): PlannedCall | null {
  if (isCourse(ask)) return courseCall(ask, firstCalls(ask), answers);
  const [fetch] = firstCalls(ask);
  const answer = fetch === undefined ? undefined : answers.get(keyOf(fetch));
  if (answer === undefined || !isFound(answer)) return null;
  if (isDrawn(ask)) return analysisOf(ask, answer.data);
  if (isOfNeighbours(ask)) return neighboursOf(ask, answer.data);
  if (ask.kind === 'select') return selectionAfter(ask, answer.data, answers);
  if (ask.before !== null || isOfTwoStates(ask)) return timesCall(ask, answer.data);
  return ask.kind === 'runs' && ask.task !== null ? runsOf(ask, ask.task, answers) : null;
}

/** All calls of an ask that are known so far. */
export const callsFor = (ask: Ask, answers: Answers): readonly PlannedCall[] => {
  const second = secondCall(ask, answers);
  return second === null ? firstCalls(ask) : [...firstCalls(ask), second];
};

/** Whether the answer is a chart. */
export const isDrawn = ({ kind, statistic }: Ask): boolean =>
  kind === 'statistic' && statistic !== null && isDrawing(statistic);

/** Whether values are asked for as they are stored: not as errors, in no other unit, without leaving any out. */
export const isPlain = ({ kind, isError, unit, excluded, metrics }: Ask): boolean =>
  metrics.length === 0
    ? kind !== 'rank' || excluded.length === 0
    : !isError && unit === null && excluded.length === 0;

/** Calls for conditions: a figure or a layout that they rest on comes first; named parts come with their values. */
function selectCalls(ask: Ask): readonly PlannedCall[] {
  if (ask.beside !== null) return [planned('get_chip_topology', { chip_id: ask.chipId })];
  const figures = ask.conditions.flatMap((condition) => limitOf(ask, condition));
  if (figures.length > 0) return figures;
  const named = ask.qids.length <= FEW_QUBITS ? ask.qids : [];
  return [selectionOf(ask), ...named.map((qid) => valuesOf(ask, qid))];
}

/** The figure of the chip that a condition is held against; of another quantity it is another figure. */
const limitOf = (ask: Ask, { quantity, of }: Condition): readonly PlannedCall[] =>
  of === null
    ? []
    : [queryOf({ ...ask, qids: [], count: null, join: 'and' }, { show: quantityOf(quantity), figure: of })];

const figuresFound = z.object({
  figures: z.record(z.string(), z.number().nullable()),
  display_unit: z.string(),
});

/** The selection, once what it rests on is known. */
function selectionAfter(ask: Ask, found: unknown, answers: Answers): PlannedCall | null {
  if (ask.beside !== null) {
    const qids = besideIn(ask, found);
    return qids.length === 0 ? null : selectionOf({ ...ask, qids });
  }
  if (ask.conditions.every(({ of }) => of === null)) return null;
  const conditions = ask.conditions.flatMap((condition): readonly Condition[] => {
    const [call] = limitOf(ask, condition);
    if (call === undefined) return [condition];
    const { figures, display_unit: unit = '' } =
      figuresFound.safeParse(foundIn(answers, call)?.data).data ?? {};
    const limit = figures?.[condition.of ?? ''] ?? null;
    return limit === null ? [] : [{ ...condition, value: condition.value * limit, unit, of: null }];
  });
  return conditions.length < ask.conditions.length ? null : selectionOf({ ...ask, conditions });
}

/** Parts in a state, and the values of those that are named; those that work are those with a value. */
function stateCalls(ask: Ask): readonly PlannedCall[] {
  const named = ask.qids.length <= FEW_QUBITS ? ask.qids.filter(isCoupling) : [];
  return [...listingOf(ask), ...named.map((qid) => valuesOf(ask, qid))];
}

function listingOf(ask: Ask): readonly PlannedCall[] {
  const { state, metrics, chipId, qids, said } = ask;
  const [metric] = metrics;
  // A summary shortens lists; a count wants all of them.
  const isCounted = said.number !== undefined;
  if (state === 'Working' && metric !== undefined) return [rowsOf({ ...ask, isError: true }, metric)];
  if (state === null || state === 'Working' || (chipId !== null && !isCounted)) {
    return [planned('get_chip_summary', { chip_id: chipId })];
  }
  const isOfPairs = metric === undefined ? qids.length > 0 && qids.every(isCoupling) : isOfCouplings(metrics);
  const kinds = isOfPairs ? ['coupling'] : metric === undefined ? ['qubit', 'coupling'] : ['qubit'];
  return kinds.map((kind) => planned('list_entities', { chip_id: chipId, kind, state: state.toLowerCase() }));
}

/** The parts that meet conditions; what is shown of them is what the question names besides the conditions. */
function selectionOf(ask: Ask): PlannedCall {
  const { conditions, metrics, statistic } = ask;
  const conditional = conditions.map(({ quantity }) => quantity.metric);
  const other = metrics.find((name) => !conditional.includes(name));
  const [first] = conditions;
  const own = first?.quantity ?? { metric: metrics[0] ?? 't1', isError: false };
  return queryOf(ask, {
    show: other === undefined ? quantityOf(own) : other,
    where: conditions.map(({ quantity, is, value, unit, than }) => ({
      quantity: quantityOf(quantity),
      is,
      value,
      unit: unit === '' ? null : unit,
      than: than === null ? null : quantityOf(than),
    })),
    ...figureIn(statistic),
  });
}

/** Coherence cannot outlive twice the relaxation; besides, the values themselves or the outliers. */
function plausibleCalls(ask: Ask): readonly PlannedCall[] {
  const than = { quantity: 't2_echo', is: 'above', value: 2, unit: null, than: 't1' };
  const qubits = ask.qids.filter((qid) => !isCoupling(qid));
  const isAboutCoherence = ask.metrics.length === 0 || ask.metrics.some((name) => /^t[12]/u.test(name));
  return [
    ...(ask.qids.length > 0 ? ask.qids.map((qid) => valuesOf(ask, qid)) : outliersOf(ask)),
    ...(ask.qids.length > 0
      ? ask.metrics.map((name) => figureOf({ ...ask, qids: [], statistic: { type: 'median' } }, name))
      : []),
    ...(isAboutCoherence && (qubits.length > 0 || ask.qids.length === 0)
      ? [queryOf({ ...ask, qids: qubits, order: 'highest', unit: null }, { show: 't2_echo', where: [than] })]
      : []),
  ];
}

/** More qubits are not examined one by one; the answer is then the outliers of the chip. */
const FEW_QUBITS = 4;

/** The calls for what is unusual about named qubits; null where an ask names none or more than a few. `courseOf`: of `course`. */
export function unusualCalls(ask: Ask) {
  const qids = ask.qids.filter((qid) => !isCoupling(qid));
  if (ask.kind !== 'outliers' || qids.length === 0 || qids.length > FEW_QUBITS) return null;
  const { chipId: chip_id } = ask;
  const [courseOf = 't1'] = ask.metrics;
  return {
    outliers: outliersOf(ask),
    qubits: qids.map((qid) => ({
      qid,
      values: planned('get_qubit_params', { chip_id, qid }),
      notes: notesOf(ask, qid),
    })),
    course: historyOf({ ...ask, qids }, courseOf),
    courseOf,
  };
}

export type UnusualCalls = NonNullable<ReturnType<typeof unusualCalls>>;

/** A correlation of fewer than two parameters, or a lineage without parameter or qubit. */
export const isTooVague = ({ kind, statistic, metrics, qids }: Ask): boolean =>
  (statistic?.type === 'correlation' && metrics.length < 2) ||
  (kind === 'lineage' && (metrics.length === 0 || qids.length === 0));

/** The parameter of a history where the question names none. */
const defaultSeries = (qids: readonly string[]): readonly string[] =>
  qids.some(isCoupling) ? ['zx90_gate_fidelity'] : ['t1'];

function figuresOf(ask: Ask): readonly PlannedCall[] {
  const { chipId: chip_id, metrics } = ask;
  return metrics.length > 0 && (isOfCouplings(metrics) || !isPlain(ask))
    ? metrics.flatMap((name) => [
        rowsOf(ask, name),
        figureOf({ ...ask, statistic: { type: 'median' } }, name),
      ])
    : [planned('get_chip_summary', { chip_id, param_names: someOf(metrics) })];
}

/** The newest result of a task on one qubit, otherwise its runs; the tool refuses an unknown task. */
function runsOf(ask: Ask, written: string, answers: Answers): PlannedCall {
  const names = namesIn(answers, tasksOf(ask.chipId)) ?? [];
  const task_name = names.find((name) => name.toLowerCase() === written.toLowerCase()) ?? written;
  const [qid] = ask.qids;
  if (ask.isFailed || ask.lastN !== null || qid === undefined) return searchOf(ask, task_name);
  return planned('get_latest_task_result', { chip_id: ask.chipId, task_name, qid });
}

/** Whether it is about the values of the qubits beside some. */
export const isOfNeighbours = ({ kind, metrics, qids }: Ask): boolean =>
  kind === 'topology' && metrics.length > 0 && qids.length > 0;

/** The qubits beside those that are named, or all others. */
function besideIn({ qids, beside }: Ask, found: unknown): readonly string[] {
  const { qubits = [] } = layout.safeParse(found).data ?? {};
  const near = new Set(qubits.flatMap(({ qid, neighbors }) => (qids.includes(qid) ? neighbors : [])));
  return beside === 'others'
    ? qubits.flatMap(({ qid }) => (near.has(qid) || qids.includes(qid) ? [] : [qid]))
    : [...near];
}

/** The values of the qubits beside those that are named. */
function neighboursOf(ask: Ask, found: unknown): PlannedCall | null {
  const beside = besideIn(ask, found);
  const [metric] = ask.metrics;
  return beside.length === 0 || metric === undefined ? null : rowsOf({ ...ask, qids: beside }, metric);
}

const fetchedSummary = z.object({
  data_key: z.string(),
  statistics: z.record(z.string(), z.object({ scale: z.number(), display_unit: z.string() })),
});

/** The Python call of a statistic over a fetched summary. */
function analysisOf({ statistic, metrics }: Ask, fetched: unknown): PlannedCall | null {
  const { data_key: key, statistics } = fetchedSummary.safeParse(fetched).data ?? {};
  if (statistic === null || key === undefined) return null;
  const columns = Object.entries(statistics ?? {}).map(
    ([name, { scale, display_unit: unit }]): PythonColumn => ({ name, unit, scale }),
  );
  const ordered = metrics.flatMap((name) => columns.find((column) => column.name === name) ?? []);
  const [first = columns[0], ...others] = ordered;
  return first === undefined ? null : statisticCall(statistic, key, [first, ...others]);
}
