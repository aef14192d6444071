import { expect, test } from '@jest/globals';
import type { ToolCall } from '../../../src/domain/conversation/session.ts';
import type { StepRecord } from '../../../src/domain/conversation/step-record.ts';
import { resumedInput } from '../../../src/agent/jobs/resumed-input.ts';

const call = (callId: string) => ({ callId, name: 'look', arguments: '{}' });

const record = (more: Partial<StepRecord>): StepRecord => ({
  number: 1,
  purpose: 'ANSWER',
  model: 'm',
  provider: 'p',
  instructions: '',
  inputFrom: 0,
  input: [],
  toolsHash: '',
  toolChoice: 'auto',
  answerSchema: null,
  sampling: null,
  text: '',
  refusal: '',
  calls: [],
  items: [],
  reason: 'calls',
  usage: null,
  error: null,
  durationMs: 0,
  isCut: false,
  ...more,
});

const toolCall = (callId: string, more: Partial<ToolCall> = {}): ToolCall => ({
  id: callId,
  sessionId: 's',
  turnId: 't',
  callId,
  tool: 'look',
  label: '',
  description: '',
  arguments: {},
  status: 'OK',
  durationMs: 1,
  dataSource: null,
  preview: null,
  freshness: null,
  resultJson: `{"found":"${callId}"}`,
  error: null,
  ...more,
});

const question = { type: 'user', text: 'Phase 1' } as const;
const firstRound = {
  type: 'round',
  provider: 'p',
  items: [{ id: 1 }],
  text: 'I look',
  calls: [call('a')],
} as const;
const firstOutput = { type: 'tool-output', callId: 'a', output: 'A' } as const;
const records = [
  record({ input: [question], text: 'I look', calls: [call('a')], items: [...firstRound.items] }),
  record({
    number: 2,
    inputFrom: 1,
    input: [{ ...firstRound, items: [], itemsOf: [1], calls: [...firstRound.calls] }, firstOutput],
    text: 'once more',
    calls: [call('b'), call('c')],
    items: [{ thought: 'Signed.' }, { id: 2 }],
  }),
];
const secondRound = {
  type: 'round',
  provider: 'p',
  items: [{ thought: 'Signed.' }, { id: 2 }],
  text: 'once more',
  calls: [call('b'), call('c')],
};

test('rounds that were sent back to the model are told as they were', () => {
  expect(
    resumedInput(records, [toolCall('a'), toolCall('b', { status: 'RUNNING', resultJson: null })]),
  ).toEqual([firstRound, firstOutput]);
});

test('a last round whose calls all ended comes back with its thoughts, failed calls as failures', () => {
  const calls = [
    toolCall('a'),
    toolCall('b'),
    toolCall('c', {
      status: 'ERROR',
      resultJson: null,
      error: { code: 'FAILED', message: 'no such chip', retryable: false },
    }),
  ];
  expect(resumedInput(records, calls)).toEqual([
    firstRound,
    firstOutput,
    secondRound,
    { type: 'tool-output', callId: 'b', output: '{"found":"b"}' },
    { type: 'tool-output', callId: 'c', output: '{"error":"no such chip"}' },
  ]);
});

test.each([
  ['was cut off', toolCall('c', { status: 'CANCELLED', resultJson: null })],
  ['has a result too long to be told again', toolCall('c', { resultJson: 'x'.repeat(40_000) })],
])('a last round of which a call %s is asked for again', (_what, last) => {
  expect(resumedInput(records, [toolCall('a'), toolCall('b'), last])).toEqual([firstRound, firstOutput]);
});

test('of calls with one id the newest is meant', () => {
  for (const newest of ['a#2', 'a@1f', 'a#2@1f']) {
    const [, ...rest] = resumedInput(
      [record({ input: [question], calls: [call('a')] })],
      [toolCall('a'), toolCall(newest), toolCall('ab@1f')],
    );
    expect(rest).toEqual([{ type: 'tool-output', callId: 'a', output: `{"found":"${newest}"}` }]);
  }
});

test('a turn without records, or with records that were cut, is begun anew', () => {
  expect(resumedInput([], [toolCall('a')])).toEqual([]);
  expect(
    resumedInput([record({ isCut: true, input: [question], calls: [call('a')] })], [toolCall('a')]),
  ).toEqual([]);
});
