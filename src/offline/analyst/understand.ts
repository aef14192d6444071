/**
 * Reads what a question asks for. These are fixed rules: clauses are matched by their words, and what a follow-up
 * leaves out is taken from the question before it.
 */
import type { Ask, AskKind } from './ask.ts';
import { defaultKind, kindsOf, WINNER } from './kinds.ts';
import { respelt } from '../../domain/questions/lexicon.ts';
import { readPeriod } from './period.ts';
import { readSlots, type Slots } from '../../domain/questions/slots.ts';
import { statisticOf } from './statistic.ts';
import { NEUTRAL_METRICS } from '../../domain/questions/vocabulary.ts';

/** An earlier question and its answer, which is empty where there was none. */
export type Exchange = { readonly question: string; readonly answer: string };

/** The qubit that the instructions select. */
export type Selection = { readonly qid: string | null };

/** Earlier questions that a follow-up can refer to. */
const REMEMBERED = 6;

/** All that `question` asks for, in order; nothing where it is not understood. */
export function understand(
  question: string,
  history: readonly Exchange[] = [],
  selection: Selection = { qid: null },
  now = new Date(),
): readonly Ask[] {
  let base: Ask | null = null;
  let answer = '';
  for (const exchange of history.slice(-REMEMBERED)) {
    base = readQuestion(exchange.question, { base, answer, selection, now }).at(-1) ?? base;
    answer = exchange.answer;
  }
  return distinct(readQuestion(question, { base, answer, selection, now }));
}

type Context = {
  readonly base: Ask | null;
  readonly answer: string;
  readonly selection: Selection;
  readonly now: Date;
};

/** What a clause names, with its period. */
type Named = Slots & Pick<Ask, 'period'>;

function readQuestion(question: string, context: Context): readonly Ask[] {
  const asks: Ask[] = [];
  for (const clause of clausesOf(question)) {
    const base = asks.at(-1) ?? context.base;
    asks.push(...readClause(clause, { ...context, base }, asks.length > 0));
  }
  return asks;
}

/** Sentences, and parts of them that begin anew with a verb or a question word. */
function clausesOf(question: string): readonly string[] {
  return respelt(question)
    .split(
      /[.?!;。\n]+(?=\s|$)|[?!。]|,?\s+(?:and|then|also)\s+(?=(?:then |also )?(?:show|draw|plot|list|compare|give|tell|which|what|how|find|rank|is|are)\b)/iu,
    )
    .map((clause) => clause.trim())
    .filter((clause) => clause !== '');
}

const FOLLOW_UP =
  /^(?:and|so|ok(?:ay)?|what about|how about|also|same|now|then|for|on|では|じゃあ|それでは)\b|^(?:では|じゃあ|それでは)/iu;

const AS_WELL = /\b(?:as well|too|also)$/iu;

function readClause(written: string, context: Context, isLater: boolean): readonly Ask[] {
  const { base, now } = context;
  const { period, rest: clause } = readPeriod(written, now);
  const slots = { ...withPointers(clause, readSlots(clause), context), period };
  const kinds = kindsOf(clause, slots);
  if (kinds.length > 0) {
    const leans = isLater || FOLLOW_UP.test(clause) || needsMetric(kinds, slots);
    return kinds.map((kind) => complete(kind, clause, slots, leans ? base : null));
  }
  const isFollowUp = FOLLOW_UP.test(clause) || AS_WELL.test(clause) || /[はも]$/u.test(clause);
  if (isFollowUp && base !== null) {
    const followed = followUp(base, slots);
    if (followed !== null) return [followed];
  }
  const kind = defaultKind(clause, slots);
  return kind === null ? [] : [complete(kind, clause, slots, isLater ? base : null)];
}

/**
 * `it`, `that qubit`, `them`: the qubits asked about before, else those that the answer named first; `this qubit`:
 * the selected one.
 */
function withPointers(clause: string, slots: Slots, { base, answer, selection }: Context): Slots {
  if (slots.qids.length > 0) return slots;
  if (/\bthis qubit\b|この量子ビット/iu.test(clause) && selection.qid !== null) {
    return { ...slots, qids: [selection.qid] };
  }
  const one = /\bits?\b|\bthat (?:one|qubit)\b|\bthe (?:same )?qubit\b(?! frequenc)|その量子ビット/iu.test(
    clause,
  );
  const many = /\bthem\b|\bthose\b|\bthese\b|\btheir\b|それら/iu.test(clause);
  if (!one && !many) return slots;
  const known = base !== null && base.qids.length > 0 ? base.qids : qubitsNamedIn(answer);
  return { ...slots, qids: many ? known.slice(0, 8) : known.slice(0, 1) };
}

/** Qubits of the first line that names any; couplings are not qubits. */
function qubitsNamedIn(answer: string): readonly string[] {
  for (const line of answer.split('\n')) {
    const labels = [...line.matchAll(/(?<![\w-])Q0*(\d+)(?![\w-])/gu)].map(([, qid]) => qid ?? '');
    if (labels.length > 0) return [...new Set(labels)];
  }
  return [];
}

const needsMetric = (kinds: readonly AskKind[], { metrics }: Slots): boolean =>
  metrics.length === 0 &&
  kinds.some((kind) => kind === 'heatmap' || isOverTime(kind) || kind === 'rank' || kind === 'statistic');

/** An ask with everything that the clause names, completed by `base`. */
function complete(asked: AskKind, clause: string, slots: Named, base: Ask | null): Ask {
  const kind = datedKind(asked, slots);
  const own = slots.metrics.length > 0 ? slots.metrics : unknownMetric(kind, slots);
  const metrics = own.length > 0 ? own : (base?.metrics ?? []);
  return {
    kind,
    metrics,
    qids:
      slots.qids.length > 0 || !isOverTime(kind) || base?.kind === 'rank' ? slots.qids : (base?.qids ?? []),
    chipId: slots.chipId ?? base?.chipId ?? null,
    order: orderOf(clause, metrics),
    count: slots.count ?? 5,
    lastN: slots.lastN,
    windowHours: slots.windowHours,
    period: slots.period,
    statistic: kind === 'statistic' || kind === 'trend' ? statisticOf(slots) : null,
    task: slots.task,
    isFailed: FAILED.test(clause),
    wantsWinner: WINNER.test(clause),
  };
}

/** Statistics and histories of named days are those of a window, compared with the one before it. */
function datedKind(kind: AskKind, named: Named): AskKind {
  if (named.period === null) return kind;
  const statistic = kind === 'statistic' ? statisticOf(named) : null;
  const isSummed =
    statistic?.type === 'mean' || statistic?.type === 'median' || statistic?.type === 'deviation';
  return isSummed || OF_A_WINDOW.has(kind) ? 'periods' : kind;
}

const OF_A_WINDOW: ReadonlySet<AskKind> = new Set(['trend', 'periods', 'figures', 'values', 'compare']);

const isOverTime = (kind: AskKind): boolean => kind === 'trend' || kind === 'periods';

const FAILED = /\bfail|\bwrong\b|\bbroken?\b|\babort|\bstopped\b|失敗/iu;

/** Unknown words where a parameter is expected, so that the tool lists the parameters that exist. */
function unknownMetric(kind: AskKind, { unknown }: Slots): readonly string[] {
  return unknown.length > 0 && ABOUT_A_PARAMETER.has(kind) ? [unknown.join(' ')] : [];
}

/** Kinds that are about some parameter whether it is named or not. */
const ABOUT_A_PARAMETER: ReadonlySet<AskKind> = new Set([
  'heatmap',
  'rank',
  'trend',
  'periods',
  'values',
  'compare',
  'statistic',
  'outliers',
  'lineage',
]);

/** The highest error is the lowest fidelity. */
function orderOf(clause: string, metrics: readonly string[]): Ask['order'] {
  const named = namedOrder(clause);
  const [first = ''] = metrics;
  if (NEUTRAL_METRICS.has(first)) return named === 'best' ? 'highest' : named === 'worst' ? 'lowest' : named;
  const isError = /\berrors?\b|エラー/iu.test(clause) && first.endsWith('fidelity');
  if (!isError) return named;
  return named === 'highest' ? 'lowest' : named === 'lowest' ? 'highest' : named;
}

function namedOrder(clause: string): Ask['order'] {
  if (/\b(?:worst|bottom|poorest|weakest|bad)\b|ワースト|悪い|下位/iu.test(clause)) return 'worst';
  if (/\b(?:shortest|lowest|smallest|least|minimum)\b|短い|低い|最低|最小/iu.test(clause)) return 'lowest';
  if (/\b(?:longest|highest|largest|biggest|most|maximum)\b|長い|高い|最高|最大/iu.test(clause))
    return 'highest';
  return /\b(?:best|top|strongest|good)\b|ベスト|良い|上位/iu.test(clause) ? 'best' : 'worst';
}

/** The earlier ask with the changes of the follow-up; null when that names nothing. */
function followUp(base: Ask, named: Named): Ask | null {
  const { metrics, qids, chipId, count, lastN, windowHours, period } = named;
  const saysMore = [chipId, count, lastN, windowHours, period].some((each) => each !== null);
  if (metrics.length === 0 && qids.length === 0 && !saysMore) return null;
  return {
    ...base,
    kind: datedKind(followedKind(base.kind, metrics.length > 0, qids.length), named),
    metrics: metrics.length > 0 ? metrics : base.metrics,
    qids: qids.length > 0 ? qids : base.qids,
    chipId: chipId ?? base.chipId,
    count: count ?? base.count,
    lastN: lastN ?? base.lastN,
    windowHours: windowHours ?? base.windowHours,
    period: period ?? base.period,
  };
}

/** The kind of a follow-up: a question about a chip becomes one about qubits or a parameter once these are named. */
function followedKind(kind: AskKind, hasMetric: boolean, qubits: number): AskKind {
  switch (kind) {
    case 'health':
    case 'topology':
    case 'parameters':
      return hasMetric
        ? qubits > 0
          ? 'values'
          : 'figures'
        : qubits > 0 && kind === 'health'
          ? 'values'
          : kind;
    case 'rank':
    case 'heatmap':
    case 'figures':
    case 'statistic':
      return qubits > 1 ? 'compare' : qubits === 1 ? 'values' : kind;
    case 'values':
    case 'compare':
      return qubits > 1 ? 'compare' : qubits === 1 ? 'values' : kind;
    case 'action':
    case 'age':
    case 'executions':
    case 'laboratory':
    case 'lineage':
    case 'notes':
    case 'outliers':
    case 'periods':
    case 'runs':
    case 'tasks':
    case 'trend':
      return kind;
  }
}

const distinct = (asks: readonly Ask[]): readonly Ask[] => [
  ...new Map(asks.map((ask) => [JSON.stringify(ask), ask])).values(),
];
