/** What reports of jobs claim of changes, from the rows that tools answered. */
import { expect, test } from '@jest/globals';
import { stepOf } from '../../src/offline/jobs/agenda.ts';
import { JOB_WORDS } from '../../src/offline/jobs/messages.ts';
import { readJobRequest } from '../../src/offline/jobs/request.ts';
import { noteOf } from '../../src/offline/jobs/section.ts';

test.each(['en', 'ja'] as const)('a claim without rows is none: %s', (language) => {
  const empty = { type: 'RANKED', order: 'worst', descending: true, rows: [] } as const;
  const { claim } = JOB_WORDS[language];
  expect(() => claim('claim.worse', [empty], { count: 0 })).toThrow('no row carries');
  expect(() => claim('claim.worse', [], { count: 0 })).toThrow('no row carries');
});

test('conditions that could not be looked up are not said to be met by no part', () => {
  const now = new Date('2026-05-20T00:00:00Z');
  const texts = {
    task: 'Report on qubits with T1 below 30 us.',
    ownInstructions: null,
    reviewNotes: [],
    chipId: 'demo-64',
    now,
  };
  const job = { ...JOB_WORDS.en, chipId: 'demo-64', request: readJobRequest(texts), now };
  const state = stepOf(JOB_WORDS.en.t('todo.state'))!;
  expect(noteOf(state, job, new Map())).toBe('# State of the chip\n\nNot found: query_values was not run\n');
});
