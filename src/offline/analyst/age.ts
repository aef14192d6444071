/** Says how old the rows are that an answer used, and whether that is too old. */
import { formatTime } from '../../domain/text/display-text.ts';
import type { AnswerWords, Duration } from './answer-words.ts';
import type { Found } from './answers.ts';
import { isLive } from './live-lines.ts';
import { linesIn } from './text.ts';

/** How an age is told. `isAsked`: the question was about age, so that fresh is worth saying too. */
export type AgeOptions = { readonly now: Date; readonly isAsked: boolean; readonly words: AnswerWords };

/** Null where no row had a time. */
export function ageText(found: readonly Found[], { now, isAsked, words }: AgeOptions): string | null {
  const ages = found.flatMap(({ freshness }) => freshness ?? []);
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
  const measured = words.measured({
    oldest: formatTime(new Date(oldest)),
    oldestAge: duration(ageOf(oldest)),
    newest: formatTime(new Date(newest)),
    newestAge: duration(ageOf(newest)),
    hasLive: found.some((answer) => linesIn(answer.formattedSummary).some(isLive)),
  });
  if (ageOf(oldest) > limitMs) return `${measured}${words.someTooOld(duration(limitMs))}`;
  return isAsked && Number.isFinite(limitMs) ? `${measured}${words.allFresh(duration(limitMs))}` : measured;
}

const MINUTE_MS = 60_000;
const UNITS = [
  { unit: 'year', ms: 365.25 * 24 * 60 * MINUTE_MS, from: 2 },
  { unit: 'month', ms: 30.44 * 24 * 60 * MINUTE_MS, from: 2 },
  { unit: 'day', ms: 24 * 60 * MINUTE_MS, from: 2 },
  { unit: 'hour', ms: 60 * MINUTE_MS, from: 1.5 },
  { unit: 'minute', ms: MINUTE_MS, from: 0 },
] as const;

/** In the largest unit that still says something. */
function duration(ms: number): Duration {
  const { unit, ms: unitMs } = UNITS.find((each) => ms >= each.ms * each.from) ?? UNITS[4];
  return { count: Math.max(0, Math.round(ms / unitMs)), unit };
}
