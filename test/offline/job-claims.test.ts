/** What reports of jobs claim of orders and changes, from the rows that tools answered. */
import { expect, test } from '@jest/globals';
import { ranking } from '../../src/offline/jobs/calls.ts';
import { readJobRequest } from '../../src/offline/jobs/job-request.ts';
import { JOB_WORDS } from '../../src/offline/jobs/messages.ts';
import { extremes } from '../../src/offline/jobs/writing-steps.ts';
import { subjectOf, type Subject } from '../../src/offline/jobs/subject.ts';
import { keyOf, type Answers } from '../../src/offline/shared/tool-answers.ts';

const now = new Date('2026-05-20T00:00:00Z');
const subjectFor = (task: string): Subject =>
  subjectOf(readJobRequest({ task, ownInstructions: null, reviewNotes: [], now }), 'demo-64', now);

/** The answer to the ranking of one metric, the rows in the order of the tool. */
function answered(subject: Subject, metric: string, values: Readonly<Record<string, number>>): Answers {
  const rows = Object.entries(values).map(([qid, value]) => ({
    qid,
    label: `Q0${qid}`,
    value,
    rating: null,
    measured_at: null,
  }));
  const data = { scale: 1, display_unit: 'μs', measured: rows.length, missing: 0, rows };
  const found = { data, formattedSummary: '', freshness: null };
  return new Map([[keyOf(ranking(subject, metric, 'worst')), found]]);
}

const told = (task: string, metric: string, values: Readonly<Record<string, number>>): string => {
  const subject = subjectFor(task);
  return JSON.stringify(extremes.note(subject, answered(subject, metric, values)));
};

test('values that are equal to the last one shown are marked as tied', () => {
  const text = told('Only the worst two qubits by T1', 't1', { 1: 5, 2: 7, 3: 7, 4: 9 });
  expect(text).toContain(
    'The 2 worst T1 of 4 qubits: Q01 5.00 μs, Q02 7.00 μs; 1 more tied with the last of these.',
  );
});

test('a frequency has no worst and no best value, only lowest and highest ones', () => {
  const text = told('Rank the qubit frequencies, two worst', 'qubit_frequency', { 1: 5, 2: 6, 3: 7 });
  expect(text).toContain('The 2 lowest Qubit Frequency of 3 qubits: Q01');
  expect(text).not.toMatch(/worst|best/u);
});

test('the best are in front of the best, whichever way is better', () => {
  const text = told('Only the best two qubits by anharmonicity', 'anharmonicity', { 1: 0.5, 2: 0.3, 3: 0.2 });
  expect(text).toContain('The 2 best Anharmonicity of 3 qubits: Q03 0.2000 μs, Q02 0.3000 μs.');
});

test.each(['en', 'ja'] as const)('a claim without rows is none: %s', (language) => {
  const empty = { type: 'RANKED', order: 'worst', descending: true, rows: [] } as const;
  const { claim } = JOB_WORDS[language];
  expect(() => claim('claim.outliers', [empty], { count: 0, farthest: [] })).toThrow('no row carries');
  expect(() => claim('claim.outliers', [], { count: 0, farthest: [] })).toThrow('no row carries');
});
