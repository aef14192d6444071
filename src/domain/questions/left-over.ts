/** The words of a clause that none of its asks uses. */
import { unreadWords } from './unread.ts';
import { isImpossible, MOVED } from './period.ts';
import { type Ask, type AskKind } from './query.ts';
import { COUNT, LAST, namePattern } from './slots.ts';
import { AGAINST_CHIP, RATIO, WINNER, withoutTopicWords } from './topics.ts';
import { UNIT_ASKED } from './vocabulary.ts';
import { type Named, conditionTexts } from './named.ts';
import { FOLLOW_UP, LONE_NUMBER, PLACE, NOT_BESIDE, isOverTime, FAILED } from './complete.ts';

/** The words of a clause that none of its asks uses. */
export function leftOf(named: Named, asks: readonly Ask[]): readonly string[] {
  const kinds = asks.map(({ kind }) => kind);
  const [ask] = asks;
  const used = [
    ...asks.flatMap(({ chipId }) => (chipId === null ? [] : [namePattern([chipId])])),
    ...(ask?.unit == null ? [] : [UNIT_ASKED]),
    ...(named.lastN !== null && kinds.some(usesWindow) ? LAST : []),
    ...(named.windowHours !== null && kinds.some(usesWindow) ? [WINDOW_WORDS] : []),
    ...(named.count === null || kinds.includes('statistic') ? [] : [COUNT]),
    ...(ask?.isError === true || named.found.conditions.some(({ quantity }) => quantity.isError)
      ? [/\berrors?\b|\binfidelit\w+|エラー|誤り/iu]
      : []),
    ...(ask?.isFailed === true ? [FAILED] : []),
    ...(ask?.metrics ?? []).map((name) => new RegExp(namePattern(name.split(' ')).source, 'iu')),
    ...(kinds.includes('runs') ? [LONE_NUMBER] : []),
    ...(kinds.includes('periods') ? [/\bbefore\b/iu] : []),
    ...(kinds.includes('select') ? [SHARE] : []),
    ...(kinds.includes('topology') && named.metrics.length > 0 ? [WINNER] : []),
    ...(kinds.includes('ratio') ? [RATIO] : []),
    ...(named.before === null ? [] : [/\bsnapshots?\b/iu]),
    ...(ask?.beside === 'others' ? [NOT_BESIDE] : []),
    ...(ask?.place == null ? [] : [PLACE]),
    ...(kinds.includes('statistic') && asks.length > 1 ? [AGAINST_CHIP] : []),
    ...(kinds.includes('periods') || kinds.includes('changes') || kinds.includes('states')
      ? PERIOD_WORDS
      : []),
    FOLLOW_UP,
    /\bbetween(?=\s*(?:the\s+)?[■□])/iu,
  ];
  const { rest, others } = withoutTopicWords(
    named.found.conditions.length > 0 ? named.found.rest : named.rest,
    kinds,
    used,
  );
  const periods = named.period !== null && !kinds.some(usesPeriod) && !isImpossible(named.period);
  if (kinds.includes('action')) return [];
  return [
    ...(periods && named.periodText !== '' ? [named.periodText] : []),
    ...(kinds.includes('select') ? [] : conditionTexts(named)),
    ...(kinds.some(usesRows) ? [] : rowWords(named, asks)),
    ...(kinds.includes('age') ? [] : (DAYS_ASKED.exec(named.clause) ?? [])),
    ...asks.flatMap(({ unit, metrics }) =>
      unit !== null && /s$|Hz$/u.test(unit) && metrics.some((name) => name.endsWith('fidelity'))
        ? [`in ${unit}`]
        : [],
    ),
    ...(kinds.includes('topology') && named.qids.length === 0 ? (DEGREE.exec(named.clause) ?? []) : []),
    ...others,
    ...unreadWords(rest),
  ];
}

/** Days as the answer, which no tool goes through one by one, and days counted from another one. */
const DAYS_ASKED =
  /\b(?:which|what|how many) (?:days|dates|weeks|months)\b(?! old)|\b(?:days?|weeks?|months?) (?:later|earlier)\b|何日(?!前|間前)|どの日|翌[日週月]|前日/iu;
/** Qubits by how many neighbours they have. */
const DEGREE =
  /\b(?:no|one|two|three|four|single|\d) (?:neighbou?rs?|coupl(?:ers?|ings?)|links?)\b|(?:隣|結合|カップリング)が\d/iu;

/** What stands around the names of periods, and of what moved between them. */
const PERIOD_WORDS: readonly RegExp[] = [
  /\b(?:between|from|since|before|after|during|until|then|ago|earlier|times?|years?)\b/iu,
  /\b(?:averages?|means?|medians?)\b|平均|中央値/iu,
  /\b(?:percentage )?points?\b|\bdifference\b|年/iu,
  /\b(?:better|worse|more|less|longer|shorter|higher|lower|most|least|ever|up|down)\b/iu,
  MOVED,
];

/** Each count of parts that meet conditions comes with its share. */
const SHARE = /\b(?:share|fraction|percentage|percent|proportion|ratio|yield)\b|割合|比率|歩留/iu;

const OF_ROWS: ReadonlySet<AskKind> = new Set([
  'rank',
  'select',
  'values',
  'compare',
  'statistic',
  'figures',
  'topology',
]);
const usesRows = (kind: AskKind): boolean => OF_ROWS.has(kind);

/** What only lists of values can follow: parts to leave out, and a unit to answer in. */
const rowWords = ({ excluded }: Named, asks: readonly Ask[]): readonly string[] => [
  ...excluded.map((qid) => `without ${qid}`),
  ...asks.flatMap(({ unit }) => (unit === null ? [] : [`in ${unit}`])),
];

/** The length of a window. */
export const WINDOW_WORDS =
  /\b(?:this|last|past|previous|the)?\s*(?:\w+\s+)?(?:days?|weeks?|months?|hours?)(?: ago)?\b|\b(?:since )?(?:today|yesterday)\b|\bsince\b|\bbefore\b|\bover\b|\bwithin\b|(?:今|先|昨)[日週月]|[日週月]間?|\d+\s*(?:日|週|か月)/iu;

const usesWindow = (kind: AskKind): boolean => isOverTime(kind) || kind === 'runs' || kind === 'executions';
const usesPeriod = (kind: AskKind): boolean => isOverTime(kind) || kind === 'states';
