/** Words of order that the figures after them do not bear out: "worst first" over values that are not sorted. */
import type { Statement } from './statements.ts';

const ORDERED =
  /(?<from>worst|best|lowest|highest|smallest|largest|longest|shortest|oldest|newest) first|(?:the )?(?:\d+ )?(?<of>lowest|highest|shortest|longest|smallest|largest|best|worst)\b[^:]*:|(?<ja>高い|低い|悪い|良い|大きい|小さい|長い|短い)順/iu;

/** One sentence for each statement whose order is false. */
export function falseOrders(statements: readonly Statement[]): readonly string[] {
  return statements.flatMap(({ text, figures }) => {
    const word = ORDERED.exec(text);
    // Of several metrics, each with its limit, the figures alone do not show which is worst.
    const limits = new Set([...text.matchAll(/(?:limit|限界) ([\d.]+)/gu)].map(([, limit]) => limit));
    if (word === null || limits.size > 1) return [];
    const after = figures.filter(({ unit, of, at }) => unit !== null && of.length > 0 && at > word.index);
    // One figure a part, the first: limits and times stand behind it.
    const firsts = [
      ...new Map(after.toReversed().map((figure) => [figure.of[0], figure])).values(),
    ].toReversed();
    const sameUnit = firsts.filter(({ unit }) => unit === firsts[0]?.unit).map(({ value }) => value);
    return sameUnit.length < 3 || isSorted(sameUnit) ? [] : [`“${word[0]}” over ${sameUnit.join(', ')}`];
  });
}

/** Either way, as which one is better depends on the metric; or by size, as correlations and changes are. */
const isSorted = (values: readonly number[]): boolean =>
  [values, values.map(Math.abs)].some((each) => {
    const steps = each.slice(1).map((value, index) => value - (each[index] ?? value));
    return steps.every((step) => step >= 0) || steps.every((step) => step <= 0);
  });
