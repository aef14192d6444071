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
  };
  return Object.fromEntries(Object.entries(said).filter(([, words]) => words !== undefined && words !== ''));
}
