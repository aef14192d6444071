/** Says which statistic a number is: `median 83.72 μs`, `on average 78.49 μs`. */
import { groupOf, inOrderOf, TIGHT_BEFORE, withoutMentions, type NumberInText } from './near.ts';
import type { StatisticMention } from './mentions.ts';

/**
 * The statistic right beside the number, before it in the same clause, or at the head of the sentence: `On average,
 * …`.
 */
export function statisticFor(place: NumberInText): StatisticMention['statistic'] | null {
  const {
    reading: { plain },
    sentence,
    number,
  } = place;
  const before = sentence.statistics.findLast(({ end }) => end <= number.start);
  if (before !== undefined && isOf(before, place)) {
    const group = groupOf(plain, sentence.statistics, before);
    const [own, ...others] = inOrderOf(group, sentence, number);
    // `Mean and median are 78 and 84`: equally many numbers and statistics pair up in order.
    return own !== undefined && others.length === 0 ? own.statistic : before.statistic;
  }
  const after = sentence.statistics.find(({ start }) => start >= number.unitEnd);
  const isAfter =
    after !== undefined &&
    /^\s{0,9}(?:\(\s{0,9})?(?:(?:on|as|in|is|,)\s{1,9})?(?:(?:the|its|an|a)\s{1,9})?の?\s{0,9}$/u.test(
      plain.slice(number.unitEnd, after.start),
    );
  return isAfter ? after.statistic : null;
}

/** `the mean of Q12 is`: the statistic is the qubit's own. */
const STATISTIC_OF = /^\s{0,9}(?:values?\s{1,9})?(?:of|for|の)\s/iu;
const SENTENCE_HEAD = /^\W{0,40}(?:(?:on|in|taken as)\s{0,9})?(?:(?:the|an)\s{0,9})?$/iu;

function isOf(
  { start, end }: StatisticMention,
  { reading: { plain }, sentence, number }: NumberInText,
): boolean {
  const gap = withoutMentions(plain, { start: end, end: number.start }, sentence);
  const between = sentence.subjects.filter((each) => each.start >= end && each.end <= number.start);
  const [first, last] = [between.at(0), between.at(-1)];
  // The commas of an enumeration of qubits do not end the clause.
  const clause =
    first === undefined || last === undefined
      ? gap
      : gap.slice(0, first.start - end) + gap.slice(last.end - end);
  const isClause = !/[,;(\d、]/u.test(clause) && clause.length <= 60;
  const isOwn = between.length === 0 || TIGHT_BEFORE.test(gap) || STATISTIC_OF.test(gap);
  const isOfAll = /^\s*,/u.test(gap) && SENTENCE_HEAD.test(plain.slice(sentence.start, start));
  return (isClause && isOwn) || isOfAll;
}
