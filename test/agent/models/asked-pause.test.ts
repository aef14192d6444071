import { describe, expect, test } from '@jest/globals';
import { pauseInHeaders, pauseInWords, pauseWords } from '../../../src/agent/models/shared/asked-pause.ts';

const NOW = Date.parse('2026-11-22T10:00:00Z');

describe('The pause that headers ask for', () => {
  test.each([
    [{}, null],
    [{ 'retry-after': '30' }, 30_000],
    [{ 'retry-after': '30', 'retry-after-ms': '1500' }, 1_500],
    [{ 'retry-after': 'soon' }, null],
    [{ 'retry-after': '7.5s' }, 7_500],
    [{ 'retry-after': 'Sun, 22 Nov 2026 10:01:00 GMT' }, 60_000],
    [{ 'retry-after': 'Sun, 22 Nov 2026 09:00:00 GMT' }, 0],
    [{ 'retry-after': '-3' }, 0],
    [{ 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '6m0s' }, 360_000],
    [{ 'x-ratelimit-remaining-requests': '3', 'x-ratelimit-reset-requests': '6m0s' }, null],
    [
      {
        'anthropic-ratelimit-tokens-remaining': '0',
        'anthropic-ratelimit-tokens-reset': '2026-11-22T10:00:20Z',
        'anthropic-ratelimit-requests-remaining': '9',
        'anthropic-ratelimit-requests-reset': '2026-11-22T11:00:00Z',
      },
      20_000,
    ],
    [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW + 9_000) }, 9_000],
    [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String((NOW + 9_000) / 1000) }, 9_000],
  ])('%j is %j ms', (headers, pauseMs) => {
    expect(pauseInHeaders(new Headers(headers as Record<string, string>), NOW)).toBe(pauseMs);
  });
});

describe('The pause that words ask for', () => {
  test.each([
    ['Rate limit reached. Please try again in 1.2s. Visit https://platform.openai.com', 1_200],
    ['Please try again in 850ms.', 850],
    ['Please try again in 12m14.4s.', 734_400],
    ['Please retry after 26 seconds.', 26_000],
    ['Please retry in 34.07s.', 34_070],
    ['Please wait 2 minutes before trying again', 120_000],
    ['Retry after 1 hour', 3_600_000],
    ['Please try again later.', null],
    ['Try again with gpt-4', null],
    ['Limit 450000, Used 379102', null],
  ])('%s', (message, pauseMs) => {
    expect(pauseInWords(message)).toBe(pauseMs);
  });

  test.each([
    [200, '1 s'],
    [1_200, '2 s'],
    [90_000, '90 s'],
    [734_400, '13 min'],
    [3 * 3_600_000, '3 h'],
  ])('%i ms is shown as %s', (ms, words) => {
    expect(pauseWords(ms)).toBe(words);
  });
});
