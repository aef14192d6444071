import { expect, test } from '@jest/globals';
import { readQuestion } from '../../src/domain/questions/read-question.ts';

const now = new Date('2026-05-20T10:00:00Z');

test.each([
  'Can I use Q12 of fez?',
  'Is Q12 of torino usable?',
  'Which couplings of torino should I avoid?',
  'How is fez doing today compared with torino?',
])('%s names a chip or a parameter, so the chips are looked up', (question) =>
  expect(readQuestion(question, { now }).needsChips).toBe(true),
);

test('a question whose words are all known looks up nothing', () =>
  expect(readQuestion('What is the T1 of Q12?', { now })).toMatchObject({
    needsChips: false,
    needsNames: false,
  }));

test('a part on each of two chips is asked of each, and no chip is taken for a parameter', () => {
  const names = { chips: ['torino', 'fez'], parameters: ['t1'], tasks: [] };
  const { asks, unread } = readQuestion('Compare Q1 of torino with Q1 of fez', { now, names });
  expect(unread).toEqual([]);
  expect(asks).toMatchObject([
    { kind: 'values', chipId: 'torino', qids: ['1'], metrics: [] },
    { kind: 'values', chipId: 'fez', qids: ['1'], metrics: [] },
  ]);
});

test.each(['which couplings to avoid?', '避けるべきカップリングは？', '避けた方がいい量子ビットは？'])(
  '%s asks for the worst',
  (question) => {
    const { asks, unread } = readQuestion(question, { now });
    expect([asks.map(({ kind, order }) => `${kind} ${order}`), unread]).toEqual([['rank worst'], []]);
  },
);

test.each([
  ['Is Q27 usable?', 'Which couplings should I avoid?', 'zx90_gate_fidelity'],
  ['What is the T1 of Q3?', 'and the worst couplings?', 'zx90_gate_fidelity'],
  ['Bell state fidelity of 3-5', 'which are the worst couplings?', 'bell_state_fidelity'],
])('after “%s”, “%s” is about %s', (before, question, metric) => {
  const { asks, unread } = readQuestion(question, { now, history: [{ question: before, answer: '' }] });
  expect(asks).toMatchObject([{ kind: 'rank', metrics: [metric], qids: [], order: 'worst' }]);
  expect(unread).toEqual([]);
});

test('what is better than at an earlier time is compared with it', () =>
  expect(readQuestion('Is the T1 of Q4 better than in March 2026?', { now }).asks).toMatchObject([
    {
      period: { from: '2026-04-01T00:00:00.000Z', to: null },
      before: { from: '2026-03-01T00:00:00.000Z', to: '2026-04-01T00:00:00.000Z' },
    },
  ]));

test.each([
  'What changed since the last cooldown?',
  'What changed after the cool-down began?',
  'How did T1 of Q12 change since the current cooldown?',
  '最後の冷却以降、何が変わりましたか？',
])('%s is about the time since the chip was cooled down', (question) => {
  expect(readQuestion(question, { now })).toMatchObject({ unread: [], needsNames: true });
  const names = { chips: [], parameters: [], tasks: [] };
  const none = readQuestion(question, { now, names: { ...names, cooldownStart: null } });
  expect(none.asks).toMatchObject([{ period: { problem: 'NO_COOLDOWN' } }]);
  const cooldownStart = new Date('2026-04-12T06:00:00Z');
  const known = readQuestion(question, { now, names: { ...names, cooldownStart } });
  expect(known.unread).toEqual([]);
  expect(known.asks).toMatchObject([
    {
      period: { from: '2026-04-12T06:00:00.000Z', to: null },
      before: { from: '2026-04-11T06:00:00.000Z', to: '2026-04-12T06:00:00.000Z' },
    },
  ]);
});
