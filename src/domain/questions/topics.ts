/** What a clause is about, by its words: the lists of `english.json` and `japanese.json`. */
import english from './english.json' with { type: 'json' };
import japanese from './japanese.json' with { type: 'json' };
import type { AskKind, Condition } from './query.ts';
import { blanked, type Slots } from './slots.ts';
import { statisticOf } from './statistic.ts';
import { COUPLING_METRICS, isCoupling } from './vocabulary.ts';

type Topic = keyof typeof english.topics;

const patternOf = (words: readonly string[], flags = 'iu'): RegExp =>
  new RegExp(words.join('|') || '(?!)', flags);

/** Patterns of topics, the special before the general; the first that fits is what the clause is about. */
const TOPICS: readonly (readonly [topic: Topic, pattern: RegExp])[] = (
  Object.keys(english.topics) as Topic[]
).map((topic) => [topic, patternOf([...english.topics[topic], ...japanese.topics[topic]])]);

/** Words by which one of several is to be named as the better one. */
export const WINNER = patternOf([...english.winner, ...japanese.winner]);

/** Words for one end of an order. */
export const ORDER = patternOf([...english.topics.rank, ...japanese.topics.rank]);

/** Words for the qubits beside one. */
export const NEIGHBOURS =
  /\bneighbou?r|\badjacent|\bnext to\b(?! (?:(?:its |the )?■|each other))|\b(?:coupled|connected|linked|wired|attached) (?:directly )?(?:to|with)\b|\b(?:coupling|connection|link|edge)s? (?:to|with)\b|\bbeside\b|隣|つなが|繋が|接続/iu;

/** Words by which a part is held against a figure of the whole chip. */
export const AGAINST_CHIP =
  /\b(?:vs\.?|versus|compar\w*|against|relative|than|from|off|deviat\w*|differ\w*|next to|chip|overall|rest)\b|比べ|比較|平均より|中央値より|対して/iu;

const HEATMAP = patternOf([...english.heatmap, ...japanese.heatmap]);
const CHART = patternOf([...english.chart, ...japanese.chart]);

/** Topics in whose questions the words of statistics mean something else. */
const OVERRULES: ReadonlySet<AskKind> = new Set([
  'action',
  'changes',
  'executions',
  'lineage',
  'notes',
  'periods',
  'runs',
]);

/** Topics that conditions on values do not belong to. */
const WITHOUT_CONDITIONS: ReadonlySet<AskKind> = new Set([
  'action',
  'executions',
  'lineage',
  'notes',
  'runs',
]);

/** What a clause is about; a heatmap may be asked for along with anything else. */
export function kindsOf(clause: string, slots: Slots, conditions: readonly Condition[]): readonly AskKind[] {
  const wantsHeatmap = HEATMAP.test(clause);
  const special = fittingKind(slots);
  if (conditions.length > 0 && !(special !== null && WITHOUT_CONDITIONS.has(special))) {
    return wantsHeatmap ? ['select', 'heatmap'] : ['select'];
  }
  const isStatistic = !(special !== null && OVERRULES.has(special)) && statisticOf(slots) !== null;
  if (isStatistic && slots.qids.length > 0 && slots.lastN === null && AGAINST_CHIP.test(clause)) {
    return [slots.qids.length > 1 ? 'compare' : 'values', 'statistic'];
  }
  if (isRatio(slots)) return ['ratio'];
  const kind = isStatistic ? statisticKind(slots) : primaryKind(special, slots);
  if (!wantsHeatmap) return kind === null ? [] : [kind];
  return kind === null || kind === 'health' || kind === 'topology' ? ['heatmap'] : [kind, 'heatmap'];
}

/** `T2/T1 of Q10`, `the ratio of T2 to T1 for Q5`. */
export const RATIO = /\bratio\b|■\s*[/÷]\s*■|\bdivided by\b|比率?(?!べ|較)/iu;
const isRatio = ({ rest, metrics, qids }: Pick<Slots, 'rest' | 'metrics' | 'qids'>): boolean =>
  metrics.length === 2 && qids.length > 0 && RATIO.test(rest);

/** Statistics are over the qubits of a chip; for named qubits the answer is their values or history. */
function statisticKind(slots: Slots): AskKind {
  const { qids, lastN, metrics } = slots;
  const type = statisticOf(slots)?.type;
  const isOfPairs = metrics.some((name) => COUPLING_METRICS.has(name)) && !qids.some(isCoupling);
  return (qids.length !== 1 && (qids.length === 0 || lastN === null)) || type === 'correlation' || isOfPairs
    ? 'statistic'
    : 'trend';
}

/** The kind whose words the clause has; a question that names a task is about its runs. */
function fittingKind({ rest, task }: Slots): AskKind | null {
  const fitting = TOPICS.find(([, pattern]) => pattern.test(rest))?.[0] ?? null;
  const isAboutTask = task !== null && fitting !== 'action' && fitting !== 'notes';
  return isAboutTask ? 'runs' : fitting;
}

function primaryKind(fitting: AskKind | null, slots: Slots): AskKind | null {
  const { qids, metrics, rest, lastN } = slots;
  const names = metrics.length + qids.length > 0;
  const ofQubits = qids.length > 1 ? 'compare' : qids.length > 0 ? 'values' : null;
  if (fitting === null) {
    // A chart of one parameter of some qubits, or its last so many values, is a course over time.
    return metrics.length > 0 && (lastN !== null || (qids.length > 0 && CHART.test(rest))) ? 'trend' : null;
  }
  if (fitting === 'compare') return ofQubits ?? (metrics.length > 0 ? 'figures' : null);
  if (fitting === 'health') {
    if (names) return ofQubits ?? 'figures';
    return isAboutChip(slots) ? 'health' : null;
  }
  if (fitting === 'rank') {
    if (NEIGHBOURS.test(rest) && qids.length > 0 && !qids.some(isCoupling) && metrics.length > 0)
      return 'topology';
    const isOfPairs = metrics.length > 0 && metrics.every((name) => COUPLING_METRICS.has(name));
    return (qids.length > 2 && metrics.length > 0) || (isOfPairs && !qids.some(isCoupling))
      ? 'rank'
      : (ofQubits ?? 'rank');
  }
  if (fitting === 'topology') return topologyKind(slots);
  // Outliers exist for qubits only; for couplings the answer is their values and ratings.
  if (fitting === 'outliers') return qids.length > 0 && qids.every(isCoupling) ? 'values' : 'outliers';
  return fitting;
}

/** “How is the weather” has the words of a question about health, but is not one. */
const isAboutChip = ({ rest, chipId, unknown }: Slots): boolean =>
  unknown.length === 0 || chipId !== null || /\bchip|\bdevice|\bprocessor|チップ/iu.test(rest);

function topologyKind({ qids, metrics, rest }: Slots): AskKind {
  const isOfCouplings = metrics.some((name) => COUPLING_METRICS.has(name));
  if (qids.some(isCoupling)) return 'values';
  if (isOfCouplings) return qids.length > 0 ? 'values' : 'rank';
  if (metrics.length > 0 && !NEIGHBOURS.test(rest)) return qids.length > 0 ? 'values' : 'figures';
  return 'topology';
}

/** A clause that only names things: values of qubits, or the figures of a parameter. */
export function defaultKind(clause: string, { metrics, qids }: Slots): AskKind | null {
  if (qids.length > 1) return 'compare';
  if (qids.length === 1) return 'values';
  return metrics.length > 0 && clause.length < 200 ? 'figures' : null;
}

/** Topics whose words are used along with those of another. */
const ALONG: Readonly<Partial<Record<AskKind, readonly Topic[]>>> = {
  select: ['topology', 'compare', 'health', 'states', 'plausible'],
  rank: ['topology', 'compare', 'health', 'states'],
  values: ['health', 'topology', 'compare', 'parameters', 'age', 'outliers', 'states', 'plausible'],
  ratio: ['compare', 'health'],
  compare: ['health', 'topology', 'outliers', 'parameters'],
  figures: ['health', 'compare', 'age', 'parameters'],
  statistic: ['compare', 'topology', 'health'],
  trend: ['periods', 'topology', 'compare', 'runs', 'age', 'health', 'changes'],
  periods: ['trend', 'compare', 'age', 'health', 'changes', 'topology', 'plausible'],
  changes: ['trend', 'periods', 'compare', 'topology', 'health', 'states'],
  health: ['compare', 'outliers', 'parameters', 'states'],
  heatmap: ['health', 'topology', 'parameters'],
  outliers: ['compare', 'trend', 'health', 'plausible', 'topology', 'age'],
  plausible: ['health', 'outliers', 'compare', 'topology', 'age', 'trend'],
  states: ['topology', 'health', 'age', 'changes', 'trend', 'compare', 'laboratory'],
  topology: ['health', 'compare', 'states'],
  parameters: ['health', 'topology'],
  age: ['trend', 'health', 'runs'],
  runs: ['age', 'tasks', 'health', 'trend', 'executions', 'notes'],
  executions: ['runs', 'health', 'age'],
  notes: ['runs', 'health', 'states', 'outliers', 'topology', 'age'],
  lineage: ['age', 'executions', 'trend', 'topology'],
  tasks: ['runs', 'health'],
  laboratory: ['health', 'tasks', 'compare'],
};

/** `rest` with all words blanked that mean something to these kinds, and the words of other topics in it. */
export function withoutTopicWords(
  rest: string,
  kinds: readonly AskKind[],
  before: readonly RegExp[],
  after: readonly RegExp[],
): { readonly rest: string; readonly others: readonly string[] } {
  const topics = kinds.flatMap((kind): readonly string[] => [kind, ...(ALONG[kind] ?? [])]);
  const fitting = TOPICS.filter(([topic]) => topics.includes(topic)).map(([, pattern]) => pattern);
  // Patterns may end within a word, whose ending is read with it.
  const left = [...before, ...fitting, ...after, HEATMAP, CHART].reduce(
    (text, pattern) => blanked(text, new RegExp(`(?:${pattern.source})(?:(?<=[a-z])[a-z]+)?`, 'giu')),
    rest,
  );
  const others = TOPICS.flatMap(([, pattern]) => {
    const found = new RegExp(`(?:${pattern.source})(?:(?<=[a-z])[a-z]+)?`, 'iu').exec(left)?.[0] ?? '';
    return found.match(/[^\s▫■□▢▣◇]+/gu) ?? [];
  });
  return { rest: left, others };
}
