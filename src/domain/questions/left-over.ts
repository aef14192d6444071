/** The words of a clause that nothing has read. */
import { unreadWords } from './unread.ts';
import { namedOrder, PLACE } from './order.ts';
import { MOVED } from './period.ts';
import type { Ask, AskKind } from './query.ts';
import { COMPARATIVE, LISTED, remainderOf, WHEN } from './said.ts';
import { COUNT, LAST, namePattern, OUT_OF } from './slots.ts';
import { STATISTIC_WORDS } from './statistic.ts';
import { AGAINST_CHIP, NEIGHBOURS, ORDER, RATIO, withoutTopicWords, WINNER } from './topics.ts';
import { COUPLING_METRICS, UNIT_ASKED } from './vocabulary.ts';
import type { Named } from './named.ts';
import { FOLLOW_UP, LONE_NUMBER, NOT_BESIDE, isOverTime, FAILED } from './complete.ts';

/** The words of a clause that are for no slot, and that none of its asks has as a topic. */
export function leftOf(named: Named, asks: readonly Ask[]): readonly string[] {
  const kinds = asks.map(({ kind }) => kind);
  if (kinds.includes('action')) return [];
  const [ask] = asks;
  const used = [
    ...asks.flatMap(({ chipId }) => (chipId === null ? [] : [namePattern([chipId])])),
    ...(asks.length === 0 ? [namePattern(named.chipIds)] : []),
    ...(named.lastN !== null &&
    named.period === null &&
    (kinds.some(isOverTime) || named.windowHours === null)
      ? LAST
      : []),
    ...(named.windowHours !== null && named.period === null && kinds.some(isOverTime) ? [WINDOW_WORDS] : []),
    ...(named.count === null ? [] : [COUNT]),
    ...(ask?.isError === true || named.found.conditions.some(({ quantity }) => quantity.isError)
      ? [/\berrors?\b|\binfidelit\w+|エラー|誤り/iu]
      : []),
    ...(ask?.isFailed === true ? [FAILED] : []),
    ...(ask?.metrics ?? []).map((name) => new RegExp(namePattern(name.split(' ')).source, 'iu')),
    ...(kinds.includes('runs') ? [LONE_NUMBER] : []),
    ...(kinds.includes('periods') ? [/\bbefore\b/iu] : []),
    ...(ask?.said.order === undefined ? [] : [/\bfirst\b/iu]),
    ...(kinds.some((kind) => REASONED.has(kind)) ? [/\bwhy\b|\bever\b/iu] : []),
    ...(kinds.includes('select') ? [SHARE, OUT_OF] : []),
    ...(kinds.includes('ratio') ? [RATIO] : []),
    ...(named.before === null ? [] : [/\bsnapshots?\b/iu]),
    ...(ask?.beside === 'others' ? [NOT_BESIDE] : []),
    ...(kinds.includes('statistic') && asks.length > 1 ? [AGAINST_CHIP] : []),
    ...(kinds.includes('periods') || kinds.includes('changes') || kinds.includes('states')
      ? PERIOD_WORDS
      : []),
    PLACE,
    UNIT_ASKED,
    ...STATISTIC_WORDS,
    WHEN,
    LISTED,
    FOLLOW_UP,
    /\bbetween(?=\s*(?:the\s+)?[■□])/iu,
  ];
  const { rest, others } = withoutTopicWords(remainderOf(named), kinds, used, [
    /\bagainst\b|\bversus\b|\bvs\b|\bplotted\b/iu,
    ORDER,
    COMPARATIVE,
    WINNER,
  ]);
  return [
    ...(kinds.includes('age') ? [] : (DAYS_ASKED.exec(named.clause) ?? [])),
    ...asks.flatMap(({ unit, metrics }) =>
      unit !== null && /s$|Hz$/u.test(unit) && metrics.some((name) => name.endsWith('fidelity'))
        ? [`in ${unit}`]
        : [],
    ),
    ...(named.qids.length === 0 || kinds.includes('select') ? (DEGREE.exec(named.clause) ?? []) : []),
    ...(kinds.includes('rank') && named.mentions.length > 1 ? severalOrders(named) : []),
    ...quantityWords(named, ask),
    ...others,
    ...unreadWords(rest),
  ];
}

/** Days as the answer, which no tool goes through one by one, and days counted from another one. */
const DAYS_ASKED =
  /\b(?:which|what|how many) (?:days|dates|weeks|months)\b(?! old)|\b(?:days?|weeks?|months?) (?:later|earlier)\b|何日(?!前|間前)|翌[日週月]|前日/iu;
/** Qubits by how many neighbours they have. */
const DEGREE =
  /(?<=\b(?:have|has|having|with|on)\s+(?:just |only |exactly |the |a ){0,3})(?:no|one|two|three|four|single|most|fewest|least|\d) (?:neighbou?rs?|coupl(?:ers?|ings?)|links?|connections?)\b|\b(?:most|best|least) (?:connected|coupled)\b|(?:隣|結合|カップリング)が(?:\d|最|多|少|一番)/iu;

/** Parts that are at an end of several orders at once. */
const IN_ALL =
  /\bboth\b|\balso in\b|\bin common\b|\boverlap\w*|\bat (?:once|the same time)\b|\bsimultaneously\b|両方とも|同時に/iu;

/** `T1 of the worst by readout`, `worst in both`: orders that rest on each other, and no list for each. */
function severalOrders({ clause, mentions }: Named): readonly string[] {
  const between = mentions.slice(1).map(({ at }, index) => clause.slice(mentions[index]?.end ?? 0, at));
  return [
    ...(IN_ALL.exec(clause) ?? []),
    ...between.filter((text) => !AND.test(text)).map((text) => text.trim()),
  ];
}
const AND =
  /^(?!.*(?:\b(?:their|its|whose|those|these|same)\b|その|それら)).*(?:\band\b|\bor\b|[,&/、]|と|または)|^\s*$/iu;

/** Words by which it is another quantity than the one that was read. */
function quantityWords({ rest, clause, qids, before }: Named, ask: Ask | undefined): readonly string[] {
  const { kind, metrics } = ask ?? { kind: null, metrics: [] };
  const isOfGates = metrics.some((name) => name.endsWith('gate_fidelity'));
  const areTimes = metrics.length > 0 && metrics.every((name) => /^t[12]/u.test(name));
  return [
    ...(isOfGates ? (DURATION.exec(rest)?.slice(0, 1) ?? []) : []),
    ...(areTimes ? (/\bin (?:percent|per cent|%)|パーセントで|[%％]で/iu.exec(rest) ?? []) : []),
    ...(areTimes && qids.length === 0 ? (NEIGHBOURS.exec(rest) ?? []) : []),
    ...(metrics.length === 0 && (kind === 'values' || kind === 'rank') ? (UNNAMED.exec(rest) ?? []) : []),
    ...(kind === 'select' ? (OF_ENDS.exec(rest) ?? []) : []),
    ...(kind === 'runs' || kind === 'executions' || kind === 'notes'
      ? (/\btoday\b|今日/iu.exec(rest) ?? [])
      : []),
    // `最も` alone has no direction, and no ratio or change in percent is computed of values.
    ...(metrics.length > 0 && kind !== 'changes' && namedOrder(clause) === null
      ? (MOST.exec(rest) ?? [])
      : []),
    ...(kind === 'ratio' ? [] : (FACTOR.exec(clause) ?? [])),
    ...(kind === 'select' || kind === 'ratio' ? [] : (PERCENT.exec(clause) ?? [])),
    ...(kind === 'age' ? (EVENT.exec(clause) ?? []) : []),
    ...(kind === 'states' && before !== null ? (AT_EACH.exec(clause) ?? []) : []),
    ...(metrics.some((name) => COUPLING_METRICS.has(name)) && qids.length === 0
      ? (OF_QUBITS.exec(clause) ?? [])
      : []),
    ...(/\bbefore and(?= (?:after\b|◇))|\band (?:its|their|the) (?:\w+ )?neighbou?rs\b/iu.exec(clause) ?? []),
  ];
}
const MOST = /最も|もっとも|一番|いちばん/u;
const FACTOR = /\b(?:by )?(?:what|which) factor\b|\bhow many times (?=\w+er\b|as\b|more\b|less\b)|何倍/iu;
const PERCENT =
  /\b(?:by )?(?:how many|how much|what) (?:percent|per ?cent|%)|\b(?:percent(?:age)?|relative) (?:change|drop|loss|gain|increase|decrease|difference|improvement)\b|何(?:%|パーセント)|変化率/iu;
/** The time of an event is not the time of a measurement. */
const EVENT = /\bwhen did\b(?!.{0,200}\b(?:measur|calibrat|taken|record|updat|import|run))/iu;
/** A number at each time; what is compared are the parts that changed. */
const AT_EACH = /\bhow many\b(?=.{0,200}\beach\b)|\brespectively\b|\beach\b|それぞれ|各々/iu;
/** Qubits by their gates: the plan lists gates. */
const OF_QUBITS =
  /(?:^\s*|\b(?:which|what|how many|number of|count(?: the)?|all|the|any|list(?: the)?|are there) (?:\w+ )?)qubits\b(?! (?:pairs?|gates?))|(?<![2二\d])量子ビット(?=[はをがも]|の?(?:数|一覧))/iu;
const UNNAMED =
  /\b(?:which|what) (?:metric|parameter|quantity)\b|\b(?:gates?|couplings?|couplers?|pairs?)\b|ゲート|カップリング/iu;
const OF_ENDS = /\bof the (?:\w+ )?(?:best|worst|top|bottom|highest|lowest|longest|shortest)\b/iu;
const DURATION =
  /■\s*(?:gates? )?(?:times?|lengths?|durations?)\b|\bhow (?:long|fast)\b|\b(?:gate times?|durations?|lengths?)\b|ゲート時間|■の?(?:時間|長さ)|ゲート長|(?:何|どのくらい)(?:の)?時間/iu;

/** Words around the names of periods, and of what moved between them. */
const PERIOD_WORDS: readonly RegExp[] = [
  /\b(?:between|from|since|before|after|during|until|then|ago|earlier|times?|years?)\b/iu,
  /\b(?:percentage )?points?\b|\bdifference\b|年/iu,
  /\b(?:ever|up|down)\b/iu,
  MOVED,
];

/** Each count of parts that meet conditions comes with its share. */
const SHARE = /\b(?:share|fraction|percentage|percent|proportion|ratio|yield)\b|割合|比率|歩留/iu;

/** The length of a window. */
export const WINDOW_WORDS =
  /\b(?:this|last|past|previous|the)?\s*(?:\w+\s+)?(?:days?|weeks?|months?|hours?)(?: ago)?\b|\b(?:since )?(?:today|yesterday)\b|\bsince\b|\bbefore\b|\bover\b|\bwithin\b|(?:今|先|昨)[日週月]|[日週月]間?|\d+\s*(?:日|週|か月)/iu;

/** Kinds whose answers have reasons in them: messages of failures, people's words, limits that were passed. */
const REASONED: ReadonlySet<AskKind> = new Set(['runs', 'executions', 'notes', 'health']);
