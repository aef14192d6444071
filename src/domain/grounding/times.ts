/** Grounds dates, times of day, and spans of time such as ages. */
import { bind } from './binding.ts';
import type { Fact, TimeFact } from './fact.ts';
import type { FactBook } from './fact-book.ts';
import { isTime, type TextTime } from './find-times.ts';
import type { GroundedNumber, GroundingStatus } from './grounded-number.ts';
import type { PlacedNumber } from './match.ts';
import type { Reading, ReadSentence } from './reading.ts';

/**
 * A date or time of the text with the record that it is of. It may be of anything that the sentence does not name
 * otherwise.
 */
export function groundTime(
  time: TextTime,
  {
    text,
    reading,
    sentence,
    book,
  }: {
    readonly text: string;
    readonly reading: Reading;
    readonly sentence: ReadSentence;
    readonly book: FactBook;
  },
): GroundedNumber {
  const number = { start: time.start, unitEnd: time.end, group: -1, unit: null };
  const { subjects, parameters } = bind({ reading, sentence, number }, book.vocabulary);
  const found = book.times.filter(
    ({ atMs, subject }) =>
      isTime(time, new Date(atMs)) && (subjects === null || subject === null || subjects.includes(subject)),
  );
  const score = ({ subject, parameter, recordId }: TimeFact): number =>
    (subject !== null && subjects?.includes(subject) ? 4 : 0) +
    (parameter !== null && parameters?.includes(parameter) ? 2 : 0) +
    (recordId === null ? 0 : 1);
  const best = found.toSorted((a, b) => score(b) - score(a))[0];
  return {
    text: text.slice(time.start, time.end),
    offset: time.start,
    status: best !== undefined ? 'SOURCED' : statusWithout(time, book),
    callId: best?.callId ?? null,
    recordId: best?.recordId ?? null,
    unit: null,
    measuredAt: best === undefined ? null : new Date(best.measuredAtMs ?? best.atMs),
  };
}

/** The time of the turn needs no source; other times may be the user's. */
function statusWithout(time: TextTime, { userTimes, now }: FactBook): GroundingStatus {
  const isStated = userTimes.some(
    (stated) =>
      stated.month === time.month &&
      stated.day === time.day &&
      stated.hour === time.hour &&
      stated.minute === time.minute,
  );
  if (isStated) return 'FROM_USER';
  return isTime(time, now) ? 'SOURCED' : 'UNSOURCED';
}

/** Shortest unit of ages. */
const AGE_FROM_SECONDS = 60;

/** `2 hours ago`, `over 15 days`: from a time of a record to the turn, or between two of them, cut or rounded. */
export function groundSpan(
  { number }: PlacedNumber,
  { times, now }: FactBook,
): { readonly status: GroundingStatus; readonly facts: readonly Fact[] } | null {
  const { unit, value, resolution } = number;
  if (unit?.dimension !== 'time' || unit.factor < AGE_FROM_SECONDS) return null;
  const moments = [...new Set(times.map(({ atMs }) => atMs))].toSorted((a, b) => a - b);
  const isSpan = (ms: number): boolean => Math.abs(Math.abs(ms) / 1000 / unit.factor - value) < resolution;
  const isAge = moments.some((atMs) => isSpan(now.getTime() - atMs));
  const [oldest, newest] = [moments.at(0), moments.at(-1)];
  const isRange = oldest !== undefined && newest !== undefined && isSpan(newest - oldest);
  return isAge || isRange ? { status: 'DERIVED', facts: [] } : null;
}
