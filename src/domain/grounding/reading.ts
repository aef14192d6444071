/** Reads a text once: its numbers and times, what it names, and how it is cut. */
import { findNumbers, type TextNumber } from './find-numbers.ts';
import { findTimes, withoutTimes, type TextTime } from './find-times.ts';
import {
  findParameters,
  findStatistics,
  findSubjects,
  type ParameterMention,
  type StatisticMention,
  type SubjectMention,
  type Vocabulary,
} from './mentions.ts';
import { plainText } from './plain-text.ts';
import { findSentences, type Sentence } from './sentences.ts';

/** One sentence with what was found in it. */
export type ReadSentence = Sentence & {
  readonly numbers: readonly TextNumber[];
  readonly times: readonly TextTime[];
  readonly subjects: readonly SubjectMention[];
  readonly parameters: readonly ParameterMention[];
  readonly statistics: readonly StatisticMention[];
};

/** A text with everything found in it; offsets are those of the text. */
export type Reading = {
  /** The text with names, times and the marks of Markdown blanked. */
  readonly plain: string;
  readonly sentences: readonly ReadSentence[];
};

/** Reads Markdown with the words that the results of the conversation know. */
export function readText(text: string, vocabulary: Vocabulary): Reading {
  const named = plainText(text);
  const times = findTimes(named);
  const timeless = withoutTimes(named, times);
  const subjects = findSubjects(timeless, vocabulary);
  const plain = withoutPlaces(timeless, subjects);
  const parameters = findParameters(timeless, vocabulary);
  const statistics = findStatistics(timeless, parameters);
  const numbers = findNumbers(withoutPlaces(plain, parameters));
  const within = <Item extends { readonly start: number }>(items: readonly Item[]) => sorter(items);
  const [ofNumbers, ofTimes, ofSubjects, ofParameters, ofStatistics] = [
    within(numbers),
    within(times),
    within(subjects),
    within(parameters),
    within(statistics),
  ];
  return {
    plain,
    sentences: findSentences(timeless).map((sentence) => ({
      ...sentence,
      numbers: ofNumbers(sentence),
      times: ofTimes(sentence),
      subjects: ofSubjects(sentence),
      parameters: ofParameters(sentence),
      statistics: ofStatistics(sentence),
    })),
  };
}

/** Hands out the items of one sentence after another; both are in order of the text. */
function sorter<Item extends { readonly start: number }>(items: readonly Item[]) {
  let next = 0;
  return ({ end }: Sentence): readonly Item[] => {
    const from = next;
    while (next < items.length && (items[next]?.start ?? end) < end) next += 1;
    return items.slice(from, next);
  };
}

function withoutPlaces(
  text: string,
  places: readonly { readonly start: number; readonly end: number }[],
): string {
  let rest = '';
  let from = 0;
  for (const { start, end } of places) {
    if (start < from) continue;
    rest += text.slice(from, start) + ' '.repeat(end - start);
    from = end;
  }
  return rest + text.slice(from);
}
