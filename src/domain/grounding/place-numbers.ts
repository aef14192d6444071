/** Selects the numbers of a text that are about data, with their context. */
import { bind } from './binding.ts';
import { nounAt, type CountedNoun } from './fact.ts';
import type { FactBook } from './fact-book.ts';
import type { TextNumber } from './find-numbers.ts';
import type { PlacedNumber } from './match.ts';
import type { Reading, ReadSentence } from './reading.ts';
import { cuesIn } from './words.ts';

/** Numbers of `text` that can have a source; `reading` is its reading. */
export const placeNumbers = (text: string, reading: Reading, book: FactBook): readonly PlacedNumber[] =>
  reading.sentences.flatMap((sentence) => placedNumbers(sentence, { text, reading, book }));

/** Counting words of Japanese, and the words of `3 of 64`, that make a bare number a count. */
const COUNTER_AFTER = /^\s*(?:個|つ|件|本|台|(?:out )?of (?:the |its |all )?\d|\/\s*\d|のうち|中)/iu;
const TOTAL_BEFORE = /(?:\bof(?: the| all)?|\/|のうち)\s*$/iu;
const VALUE_BEFORE = /(?:[=:≈~<>≤≥±]|\bis|\bwas|\bof|\bare|\bat|は|が)\s*$/iu;

function placedNumbers(
  sentence: ReadSentence,
  { text, reading, book }: { readonly text: string; readonly reading: Reading; readonly book: FactBook },
): readonly PlacedNumber[] {
  if (sentence.numbers.length === 0) return [];
  const words = reading.plain.slice(sentence.start, sentence.end);
  const cues = cuesIn(words);
  const raw = text.slice(sentence.start, sentence.end);
  const chipIds = new Set(
    book.chipIds.size > 1 ? [...book.chipIds].filter((chipId) => raw.includes(chipId)) : [],
  );
  return sentence.numbers.flatMap((number) => {
    const noun = countedNoun(reading.plain, number);
    const binding = bind({ reading, sentence, number }, book.vocabulary);
    const isCounting = isBare(number) && COUNTER_AFTER.test(behind(reading.plain, number));
    const placed = { number, binding, sentence, words, cues, noun, isCounting, chipIds };
    return isAboutData(reading.plain, placed) ? [placed] : [];
  });
}

const isBare = ({ unit, isInteger }: TextNumber): boolean => unit === null && isInteger;

const behind = (plain: string, { unitEnd }: TextNumber): string => plain.slice(unitEnd, unitEnd + 48);

const countedNoun = (plain: string, number: TextNumber): CountedNoun | null =>
  isBare(number) ? nounAt(behind(plain, number).trimStart()) : null;

/** `2048 shots`, `14 jobs`: a number of two digits is not a figure of speech. */
const PLURAL_AFTER = /^ [a-z]{2,}(?<!s)s\b/u;
const SPOKEN_BELOW = 10;

/**
 * A bare whole number is about data only where something shows that it counts or measures: `2 ways to go on`
 * does neither.
 */
function isAboutData(plain: string, { number, noun, isCounting, sentence, binding }: PlacedNumber): boolean {
  if (!isBare(number) || number.isSigned || number.isError || noun !== null || isCounting) return true;
  const before = plain.slice(Math.max(0, number.start - 12), number.start);
  if (TOTAL_BEFORE.test(before)) return true;
  if (number.value >= SPOKEN_BELOW && PLURAL_AFTER.test(behind(plain, number))) return true;
  if (sentence.kind === 'row') return sentence.headerIndex !== null;
  const isNamed = binding.isSubjectNamed || binding.isParameterNamed;
  return isNamed && VALUE_BEFORE.test(before);
}
