/** Reads an answer as a person would: which numbers it gives, of what, and what it names. */
import type { KnownParameter } from '../../../src/domain/grounding/fact.ts';
import { createVocabulary, type Vocabulary } from '../../../src/domain/grounding/mentions.ts';
import { readText, type ReadSentence, type Reading } from '../../../src/domain/grounding/reading.ts';
import type { TextTime } from '../../../src/domain/grounding/find-times.ts';
import { unitOf } from '../../../src/domain/grounding/text-units.ts';
import { ASKED_PARAMETERS } from '../data/parameters.ts';

/** What came of a question. */
export type Answer = {
  readonly text: string;
  /** Kinds of charts, and `TABLE`. */
  readonly visuals: readonly string[];
};

/** A number as the text gives it, in the base of its dimension. */
export type GivenNumber = {
  readonly value: number;
  /** Step of its last digit. */
  readonly resolution: number;
  readonly dimension: string;
  /** The text names a unit. */
  readonly hasUnit: boolean;
  readonly isInteger: boolean;
  readonly isError: boolean;
  /** Whose it may be; empty where the text names nobody. */
  readonly subjects: readonly string[];
  readonly parameters: readonly string[];
};

/** An answer that was read. */
export type ReadAnswer = Answer & {
  readonly numbers: readonly GivenNumber[];
  /** Qubits and couplings in order of first mention; of a coupling its id in both directions. */
  readonly named: readonly (readonly string[])[];
  readonly times: readonly TextTime[];
};

/** Reads an answer about a chip with these couplings. */
export function readAnswer(answer: Answer, couplings: ReadonlySet<string>): ReadAnswer {
  const reading = readText(answer.text, vocabularyOf(couplings));
  const named = new Map<string, readonly string[]>();
  for (const { ids } of reading.sentences.flatMap(({ subjects }) => subjects)) {
    const key = ids.toSorted().join(' ');
    if (!named.has(key)) named.set(key, ids);
  }
  return {
    ...answer,
    numbers: reading.sentences.flatMap((sentence) => numbersOf(sentence, reading)),
    named: [...named.values()],
    times: reading.sentences.flatMap(({ times }) => times),
  };
}

const PARAMETERS: ReadonlyMap<string, KnownParameter> = new Map(
  ASKED_PARAMETERS.map(({ name, words, unit }) => [
    name,
    { name, title: words.known[0] ?? name, unit: unitOf(unit) },
  ]),
);

const vocabularyOf = (couplings: ReadonlySet<string>): Vocabulary => createVocabulary(PARAMETERS, couplings);

function numbersOf(sentence: ReadSentence, reading: Reading): readonly GivenNumber[] {
  return sentence.numbers.map(({ value, resolution, unit, isInteger, isError, start }, index) => {
    const factor = unit?.factor ?? 1;
    const subjects = nearest(sentence, start, reading, ({ subjects: all }) => all);
    const parameters = nearest(sentence, start, reading, ({ parameters: all }) => all);
    const inOrder =
      sentence.subjects.length === sentence.numbers.length ? sentence.subjects[index] : undefined;
    return {
      value: value * factor,
      resolution: resolution * factor,
      dimension: unit?.dimension ?? 'ratio',
      hasUnit: unit !== null,
      isInteger,
      isError,
      subjects: [...(subjects?.ids ?? []), ...(inOrder?.ids ?? [])],
      parameters: parameters?.names ?? [],
    };
  });
}

/** What comes before the number in its sentence, else behind it, else in the sentence that it continues. */
function nearest<Mention extends { readonly start: number }>(
  sentence: ReadSentence,
  at: number,
  reading: Reading,
  mentionsIn: (sentence: ReadSentence) => readonly Mention[],
): Mention | null {
  const own = mentionsIn(sentence);
  const found = own.findLast(({ start }) => start < at) ?? own[0];
  if (found !== undefined) return found;
  const lead = sentence.leadIndex === null ? undefined : reading.sentences[sentence.leadIndex];
  return lead === undefined ? null : nearest(lead, Infinity, reading, mentionsIn);
}
