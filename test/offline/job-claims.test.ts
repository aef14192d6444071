/** What reports of jobs claim of changes, from the rows that tools answered. */
import { expect, test } from '@jest/globals';
import { JOB_WORDS } from '../../src/offline/jobs/messages.ts';

test.each(['en', 'ja'] as const)('a claim without rows is none: %s', (language) => {
  const empty = { type: 'RANKED', order: 'worst', descending: true, rows: [] } as const;
  const { claim } = JOB_WORDS[language];
  expect(() => claim('claim.worse', [empty], { count: 0 })).toThrow('no row carries');
  expect(() => claim('claim.worse', [], { count: 0 })).toThrow('no row carries');
});
