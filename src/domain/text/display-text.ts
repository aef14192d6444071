/**
 * Numbers, times and lists as people read them in summaries. Everything here is in display scale; what is rounded is
 * rounded for reading only.
 */

/** `45.23`, `99.951`, `4.7216`: enough digits to distinguish measurements, none that suggest more precision. */
export function formatNumber(value: number, unit = ''): string {
  const size = Math.abs(value);
  switch (unit) {
    case '%':
      return value.toFixed(size >= 99.9 ? 3 : 2);
    case 'GHz':
      return value.toFixed(4);
    case 'fraction':
      return String(Number(value.toPrecision(4)));
    default:
      if (size !== 0 && (size < 0.01 || size >= 1e6)) return value.toPrecision(3);
      return value.toFixed(size >= 100 ? 1 : size >= 1 ? 2 : 4);
  }
}

/** A number with its unit: `45.23 μs`, `99.95 %`; `–` for nothing. Arbitrary units are not worth naming. */
export function formatQuantity(value: number | null, unit: string): string {
  if (value === null) return '–';
  const number = formatNumber(value, unit);
  return unit === '' || unit === 'a.u.' || unit === 'fraction' ? number : `${number} ${unit}`;
}

/** `+1.84 μs`, `-0.000041 GHz`: a difference that is not zero has digits that show it. */
export function formatDifference(difference: number | null, unit: string): string {
  const sign = (difference ?? 0) > 0 ? '+' : '';
  if (difference === null || difference === 0 || Number(formatNumber(difference, unit)) !== 0) {
    return `${sign}${formatQuantity(difference, unit)}`;
  }
  return `${sign}${Number(difference.toPrecision(2))} ${unit}`.trimEnd();
}

/** `± 1.9 μs`, `± 0.000021 GHz`: an error has two significant digits. */
export function formatError(error: number, unit: string): string {
  const number = error < 10 ? error.toPrecision(2) : error.toFixed(0);
  return `± ${unit === '' || unit === 'a.u.' ? number : `${number} ${unit}`}`;
}

/** `2026-05-19 23:22 UTC`. */
export const formatTime = (time: Date): string => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** `measured 2026-05-18 23:21 to 2026-05-19 23:22 UTC`; with words for a missing time. */
export function formatMeasured(oldestAt: Date | null, newestAt: Date | null): string {
  // no claim: says that no time is known
  if (oldestAt === null || newestAt === null) return 'measured at an unknown time';
  const [from, to] = [formatTime(oldestAt), formatTime(newestAt)];
  return from === to ? `measured ${to}` : `measured ${from.slice(0, -4)} to ${to}`;
}

/** `under a minute`, `25 minutes`, `3 hours 25 minutes`, `2 days 3 hours`. */
export function formatDuration(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return 'under a minute';
  const [days, hours] = [Math.floor(minutes / 1_440), Math.floor(minutes / 60) % 24];
  const parts =
    days > 0
      ? [countOf(days, 'day'), hours > 0 && countOf(hours, 'hour')]
      : [hours > 0 && countOf(hours, 'hour'), minutes % 60 > 0 && countOf(minutes % 60, 'minute')];
  return parts.filter(Boolean).join(' ');
}

/** `Q01, Q02 and Q03`. */
export function joinWords(words: readonly string[]): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
}

/** `1 qubit`, `5 qubits`. */
export const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
