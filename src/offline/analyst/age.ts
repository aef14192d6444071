/** The sentence on how old the rows of an answer are, and whether that is too old. */
import { formatTime } from '../../domain/text/display-text.ts';
import type { AnswerWords } from './messages.ts';
import type { Found } from '../shared/tool-answers.ts';
import { isLive } from './live-lines.ts';
import { linesIn } from '../shared/text.ts';

/** `isAsked`: the question was about age, so that fresh values are worth a sentence, too. */
export type AgeOptions = { readonly now: Date; readonly isAsked: boolean; readonly words: AnswerWords };

/** Null where no row had a time; when people wrote is no measuring time. */
export function ageText(found: readonly Found[], { now, isAsked, words }: AgeOptions): string | null {
  const ages = found.flatMap(({ freshness }) => freshness ?? []).filter(({ source }) => source !== 'NOTES');
  const newest = ages
    .flatMap(({ newestAt }) => newestAt ?? [])
    .toSorted()
    .at(-1);
  const oldest = ages
    .flatMap(({ oldestAt }) => oldestAt ?? [])
    .toSorted()
    .at(0);
  if (newest === undefined || oldest === undefined) return null;
  const limits = ages.flatMap(({ staleAfterSeconds }) => staleAfterSeconds ?? []);
  const limitMs = limits.length === 0 ? Number.POSITIVE_INFINITY : Math.min(...limits) * 1000;
  const ageOf = (time: string): number => now.getTime() - new Date(time).getTime();
  const duration = (ms: number): string => durationText(ms, words);
  const times = { oldest: formatTime(new Date(oldest)), newest: formatTime(new Date(newest)) };
  const measured = words.t('measured', {
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
