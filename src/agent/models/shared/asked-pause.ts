/** How long a provider asks to be left alone, in the forms in which providers say it. All results in milliseconds. */

const UNITS_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** `1.2s`, `6m0s`, `12m14.4s`, `850ms`; null for anything else. */
export function durationMs(text: string): number | null {
  if (!/^(?:\d+(?:\.\d+)?(?:ms|[smhd]))+$/.test(text)) return null;
  const parts = text.matchAll(/(\d{1,9}(?:\.\d{1,9})?)(ms|[smhd])/g);
  return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (UNITS_MS[unit ?? ''] ?? 0), 0);
}

/** What headers ask for: a pause as such, else the end of a limit that is used up; null where they ask for none. */
export function pauseInHeaders(headers: Headers, nowMs: number = Date.now()): number | null {
  const exact = Number.parseFloat(headers.get('retry-after-ms') ?? '');
  if (Number.isFinite(exact)) return Math.max(0, exact);
  const given = headers.get('retry-after');
  if (given !== null) return momentMs(given, 1_000, nowMs);
  return usedUpMs(headers, nowMs);
}

/** OpenAI and Groq, gateways with one limit, and Anthropic. `remaining` and `reset` stand for those words. */
const LIMIT_HEADERS = [
  'x-ratelimit-WHAT-requests',
  'x-ratelimit-WHAT-tokens',
  'x-ratelimit-WHAT',
  'anthropic-ratelimit-requests-WHAT',
  'anthropic-ratelimit-tokens-WHAT',
  'anthropic-ratelimit-input-tokens-WHAT',
  'anthropic-ratelimit-output-tokens-WHAT',
];

/** Every answer carries these headers: only a limit of which nothing remains is waited for. */
function usedUpMs(headers: Headers, nowMs: number): number | null {
  const pauses = LIMIT_HEADERS.flatMap((name) => {
    const reset = headers.get(name.replace('WHAT', 'reset'));
    if (reset === null || headers.get(name.replace('WHAT', 'remaining')) !== '0') return [];
    return momentMs(reset, 1, nowMs) ?? [];
  });
  return pauses.length === 0 ? null : Math.max(...pauses);
}

/** A plain number above this is a time: seconds since 1970. */
const EARLIEST_TIME_S = 1_000_000_000;

/** A duration, a date, seconds or milliseconds since 1970, or a plain number of `unitMs`. */
function momentMs(text: string, unitMs: number, nowMs: number): number | null {
  const duration = durationMs(text.trim());
  if (duration !== null) return duration;
  const number = Number(text);
  const isTime = number > EARLIEST_TIME_S;
  const at = Number.isNaN(number)
    ? Date.parse(text)
    : number > EARLIEST_TIME_S * 1000
      ? number
      : number * 1000;
  const pause = Number.isNaN(number) || isTime ? at - nowMs : number * unitMs;
  return Number.isFinite(pause) ? Math.max(0, pause) : null;
}

const IN_WORDS =
  /(?:try again|retry|retrying|wait|available)\D{0,30}?((?:\d+(?:\.\d+)?(?:ms|[smhd]))+|\d+(?:\.\d+)?) ?(ms|milli\w*|s|sec\w*|m|min\w*|h|hours?)?\b/i;

/** `Please try again in 1.2s`, `Please retry after 26 seconds`; null where a message names no time. */
export function pauseInWords(message: string): number | null {
  const [, amount = '', unit = ''] = IN_WORDS.exec(message) ?? [];
  const duration = durationMs(amount);
  if (duration !== null) return duration;
  if (amount === '' || unit === '') return null;
  const word = /^mil|^ms/i.test(unit) ? 'ms' : unit.charAt(0).toLowerCase();
  return Number(amount) * (UNITS_MS[word] ?? 1_000);
}

/** `1 s`, `90 s`, `13 min`, `2 h`: rounded up. */
export function pauseWords(pauseMs: number): string {
  const seconds = Math.max(1, Math.ceil(pauseMs / 1_000));
  if (seconds <= 120) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes <= 120 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}
