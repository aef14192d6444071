/** Says how old the rows are that an answer used, and whether that is too old. */
import { formatTime } from '../../../domain/display-text.ts';
import type { Found } from './answers.ts';
import { isLive } from './live-lines.ts';
import { linesIn } from './text.ts';

/** Null where no row had a time. `isAsked`: the question was about age, so that fresh is worth saying too. */
export function ageSentence(found: readonly Found[], now: Date, isAsked: boolean): string | null {
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
  const ageMs = now.getTime() - new Date(oldest).getTime();
  const limitMs = limits.length === 0 ? Number.POSITIVE_INFINITY : Math.min(...limits) * 1000;
  const [from, to] = [new Date(oldest), new Date(newest)];
  const span =
    from.getTime() === to.getTime()
      ? `measured ${formatTime(to)}, ${duration(now.getTime() - to.getTime())} ago`
      : `measured from ${formatTime(from)} (${duration(ageMs)} ago) to ${formatTime(to)} (${duration(now.getTime() - to.getTime())} ago)`;
  const hasLive = found.some((answer) => linesIn(answer.formattedSummary).some(isLive));
  return `${hasLive ? 'The stored results were' : 'These are stored results,'} ${span}.${verdict(ageMs, limitMs, isAsked)}`;
}

function verdict(ageMs: number, limitMs: number, isAsked: boolean): string {
  if (ageMs > limitMs) {
    return ` Some are older than the limit of ${duration(limitMs)}, so measure again before relying on them.`;
  }
  return isAsked && Number.isFinite(limitMs) ? ` All are within the limit of ${duration(limitMs)}.` : '';
}

const MINUTE_MS = 60_000;
const UNITS = [
  { name: 'year', ms: 365.25 * 24 * 60 * MINUTE_MS, from: 2 },
  { name: 'month', ms: 30.44 * 24 * 60 * MINUTE_MS, from: 2 },
  { name: 'day', ms: 24 * 60 * MINUTE_MS, from: 2 },
  { name: 'hour', ms: 60 * MINUTE_MS, from: 1.5 },
  { name: 'minute', ms: MINUTE_MS, from: 0 },
] as const;

/** `2 hours`, `15 days`: in the largest unit that still says something. */
function duration(ms: number): string {
  const unit = UNITS.find((each) => ms >= each.ms * each.from) ?? UNITS[4];
  const count = Math.max(0, Math.round(ms / unit.ms));
  return `${count} ${unit.name}${count === 1 ? '' : 's'}`;
}
