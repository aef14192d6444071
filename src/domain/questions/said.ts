/** What a clause says beside its parameters and parts. */
import { conditionTexts, type Named } from './named.ts';
import { PLACE } from './order.ts';
import { isImpossible } from './period.ts';
import type { Said } from './query.ts';
import { COUNT } from './slots.ts';
import { STATISTIC_WORDS } from './statistic.ts';
import { NEIGHBOURS, ORDER } from './topics.ts';

/** `better`, `longer`: one of several against the others, or a time against another. */
export const COMPARATIVE =
  /\b(?:better|worse|higher|lower|longer|shorter|larger|smaller|bigger|more|less|nicer|faster|slower|greater|ahead)\b/iu;

/** A time as the answer; of several days `left-over.ts` says that nothing goes through them. */
export const WHEN =
  /\bsince when\b|\bhow long (?:has|have|had|did|does|ago|until|since)\b|\bhow often\b|\b(?:until|till) when\b|(?:^|[,.?;]\s*|\b(?:tell|say|know|and|me|us|exactly|check|show)\s)when\b|\b(?:which|what) (?:day|date|week|month|year|time)\b|\bfrom what (?:day|date)\b|いつ(?!も)|どの[日週月]|何月何日|何日(?!前|間前|に?一度)|どれくらいの(?:間|期間)|何[日週か]+月?間/iu;

/** The values of a time one by one, not a figure of them. */
export const LISTED =
  /\b(?:day|week|month)[- ]by[- ](?:day|week|month)\b|\bdaily\b|\b(?:each|every|per) (?:single )?(?:day|date)s?\b|\bhistory\b|(?:日|回)ごと|日毎|日別|毎日|日々|(?:一|1)(?:日|件)ずつ|推移|履歴/iu;

/** A number of parts as the answer; others are refused by what they count (`left-over.ts`). */
const HOW_MANY = /\bhow many\b(?! (?:%|percent|times|days|dates|weeks|months|hours))|いくつ|何[個本組対]/iu;

/** What is left of a clause once its parts, parameters and conditions are read. */
export const remainderOf = ({ found, rest }: Named): string =>
  found.conditions.length > 0 ? found.rest : rest;

/** The words that a clause has for each slot. */
export function saidIn(named: Named, unit: string | null): Said {
  const rest = remainderOf(named);
  const conditions = conditionTexts(named);
  const wordsOf = (patterns: readonly RegExp[]): string | undefined =>
    patterns.flatMap((pattern) => pattern.exec(rest)?.[0].trim() ?? [])[0];
  const said: Record<keyof Said, string | undefined> = {
    parts: named.qids.length > 0 ? named.qids.map((qid) => `Q${qid}`).join(', ') : undefined,
    order: wordsOf([ORDER]),
    place: wordsOf([PLACE]),
    count: (named.count ?? 1) > 1 ? wordsOf([COUNT]) : undefined,
    statistic: wordsOf(STATISTIC_WORDS),
    comparative: wordsOf([COMPARATIVE]),
    beside: named.qids.length > 0 ? wordsOf([NEIGHBOURS]) : undefined,
    conditions: conditions[0],
    excluded: named.excluded.length > 0 ? `without ${named.excluded.join(', ')}` : undefined,
    unit: unit === null ? undefined : `in ${unit}`,
    period: named.period === null || isImpossible(named.period) ? undefined : named.periodText,
    before: named.before === null ? undefined : named.periodText,
    when: wordsOf([WHEN]),
    listed: wordsOf([LISTED]),
    number: wordsOf([HOW_MANY]),
  };
  return Object.fromEntries(Object.entries(said).filter(([, words]) => words !== undefined && words !== ''));
}
