/** The sentence on how old the rows of an answer are, and whether that is too old. */
import { z } from 'zod';
import { formatTime } from '../../domain/text/display-text.ts';
import type { AnswerWords } from './messages.ts';
import type { Found } from '../shared/tool-answers.ts';
import { isLive } from './live-lines.ts';
import { linesIn } from '../shared/text.ts';

/** `isAsked`: the question was about age, so that fresh values are worth a sentence, too. */
export type AgeOptions = { readonly now: Date; readonly isAsked: boolean; readonly words: AnswerWords };

/** The oldest and the newest of the times of some answers, ISO 8601; null for none. When people wrote is no measuring time. */
export function spanOf(found: readonly Found[]): { readonly oldest: string; readonly newest: string } | null {
  const times = measuringTimes(found)
    .flatMap(({ oldestAt, newestAt }) => [oldestAt ?? [], newestAt ?? []].flat())
    .toSorted();
  const [oldest, newest] = [times[0], times.at(-1)];
  return oldest === undefined || newest === undefined ? null : { oldest, newest };
}

const measuringTimes = (found: readonly Found[]) =>
  found.flatMap(({ freshness }) => freshness ?? []).filter(({ source }) => source !== 'NOTES');

/** Null where no row had a time. */
export function ageText(found: readonly Found[], { now, isAsked, words }: AgeOptions): string | null {
  const span = spanOf(found);
  if (span === null) return null;
  const { oldest, newest } = span;
  const limits = measuringTimes(found).flatMap(({ staleAfterSeconds }) => staleAfterSeconds ?? []);
  const limitMs = limits.length === 0 ? Number.POSITIVE_INFINITY : Math.min(...limits) * 1000;
  const ageOf = (time: string): number => now.getTime() - new Date(time).getTime();
  const duration = (ms: number): string => durationText(ms, words);
  const times = { oldest: formatTime(new Date(oldest)), newest: formatTime(new Date(newest)) };
  // Of series the answers have the time of the newest result of each.
  const measured = words.t(found.some(isSeries) ? 'measuredNewest' : 'measured', {
    span: words.t(times.oldest === times.newest ? 'measuredAt' : 'measuredFromTo', {
      ...times,
      oldestAge: duration(ageOf(oldest)),
      newestAge: duration(ageOf(newest)),
    }),
    hasLive: found.some((answer) => linesIn(answer.formattedSummary).some(isLive)),
  });
  const isOld = ageOf(oldest) > limitMs;
  if (!isOld && !(isAsked && Number.isFinite(limitMs))) return measured;
  return `${measured}${words.t(isOld ? 'someTooOld' : 'allFresh', { limit: duration(limitMs) })}`;
}

const isSeries = ({ data }: Found): boolean => series.safeParse(data).success;
const series = z.union([
  z.object({ timeseries: z.array(z.unknown()) }),
  z.object({ current: z.object({ series: z.array(z.unknown()) }) }),
]);

const MINUTE_MS = 60_000;
const UNITS = [
  { unit: 'year', ms: 365.25 * 24 * 60 * MINUTE_MS, from: 2 },
  { unit: 'month', ms: 30.44 * 24 * 60 * MINUTE_MS, from: 2 },
  { unit: 'day', ms: 24 * 60 * MINUTE_MS, from: 2 },
  { unit: 'hour', ms: 60 * MINUTE_MS, from: 1.5 },
  { unit: 'minute', ms: MINUTE_MS, from: 0 },
] as const;

/** In the largest unit that is precise enough. */
function durationText(ms: number, { t }: AnswerWords): string {
  const { unit, ms: unitMs } = UNITS.find((each) => ms >= each.ms * each.from) ?? UNITS[4];
  return t(`duration.${unit}`, { count: Math.max(0, Math.round(ms / unitMs)) });
}
