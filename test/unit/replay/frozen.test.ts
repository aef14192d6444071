import { expect, test } from '@jest/globals';
import type { ModelRequest } from '../../../src/agent/model.ts';
import { callTool, createScriptedModel, say } from '../../support/scripted-model.ts';
import { watchedModel } from '../../../src/agent/watch/model-watch.ts';
import { createStepRecorder } from '../../../src/agent/watch/step-recorder.ts';
import type { StepRecord } from '../../../src/domain/conversation/step-record.ts';
import { attemptOf } from '../../../src/operations/replay/attempt.ts';
import { comparisonText } from '../../../src/operations/replay/comparison-text.ts';
import { compareAttempts } from '../../../src/operations/replay/comparison.ts';
import type { Message } from '../../../src/domain/conversation/session.ts';
import { replayFrozen } from '../../../src/operations/replay/frozen.ts';

const tools = [
  {
    name: 'get',
    description: 'Gets.',
    parameters: { type: 'object', properties: {}, required: [], additionalProperties: false },
  },
];
const first: ModelRequest = {
  instructions: 'Be brief.',
  input: [{ type: 'user', text: 'T1 of Q0?' }],
  tools,
  toolChoice: 'auto',
  sessionId: 's',
};
const { signal } = new AbortController();
const free = () => 0.5;

/** The record of a turn that called `get` for Q0, was told 80, and said so. */
async function recordedTurn(input: ModelRequest['input'] = first.input): Promise<readonly StepRecord[]> {
  const records: StepRecord[] = [];
  const recorder = createStepRecorder({
    save: async (record) => void records.push(record),
    onFailure: (error) => {
      throw error;
    },
    clock: () => 0,
  });
  const script = createScriptedModel([[callTool('get', '{"qid": "0"}', 'c1')], say('It is 80 µs.')]);
  const model = watchedModel(script, [recorder.watch('ANSWER')]);
  const calls = [{ callId: 'c1', name: 'get', arguments: '{"qid": "0"}' }];
  const second: ModelRequest['input'] = [
    ...input,
    { type: 'round', provider: 'scripted', items: [], text: '', calls },
    { type: 'tool-output', callId: 'c1', output: '{"t1": 80}' },
  ];
  for (const request of [
    { ...first, input },
    { ...first, input: second },
  ]) {
    for await (const _event of model.stream(request, signal));
  }
  await recorder.close();
  return records;
}

test('messages that joined the turn are given behind its first round, once', async () => {
  const model = createScriptedModel([
    [callTool('get', '{"qid":"0"}', 'x')],
    [callTool('get', '{"qid":"1"}', 'y')],
    say('It is 80 µs.'),
  ]);
  const message: Message = {
    id: 'm',
    sessionId: 's',
    turnId: 't',
    role: 'USER',
    text: 'And Q1, please',
    blocks: [],
    freshness: [],
    model: null,
    assessment: null,
    strippedTables: 0,
    unverifiedTable: false,
    createdAt: new Date(0),
  };
  const records = await recordedTurn();
  await replayFrozen({ model, records, joined: [message], tools, priceOf: free, signal });
  const typesOf = (at: number) => model.requests[at]?.input.map(({ type }) => type);
  expect(typesOf(1)).toEqual(['user', 'round', 'tool-output', 'user']);
  expect(model.requests[1]?.input[3]).toEqual({ type: 'user', text: 'And Q1, please' });
  expect(typesOf(2)).toEqual(['user', 'round', 'tool-output', 'user', 'round', 'tool-output']);
});

test('calls are answered from the record whatever their ids and spaces, and others honestly', async () => {
  const model = createScriptedModel(
    [[callTool('get', '{"qid":"0"}', 'x'), callTool('get', '{"qid":"1"}', 'y')], say('It is 90 µs.')],
    'other',
  );
  const records = await recordedTurn();
  const replayed = await replayFrozen({ model, records, joined: [], tools, priceOf: free, signal });
  expect(model.requests[0]).toMatchObject({
    instructions: 'Be brief.',
    input: first.input,
    tools,
    toolChoice: 'auto',
  });
  expect(model.requests[1]?.input.slice(2)).toEqual([
    { type: 'tool-output', callId: 'x', output: '{"t1": 80}' },
    { type: 'tool-output', callId: 'y', output: expect.stringContaining('not in the record') },
  ]);
  const recorded = attemptOf(records, free, null);
  const comparison = compareAttempts(recorded, replayed);
  expect(comparison).toEqual({
    sameText: false,
    callsOnlyRecorded: [],
    callsOnlyReplayed: ['get {"qid":"1"}'],
    numbersOnlyRecorded: ['80'],
    numbersOnlyReplayed: ['90'],
    tokens: { input: expect.any(Number), output: expect.any(Number) },
    costUsd: 0,
  });
  const text = comparisonText(recorded, replayed, comparison, 80);
  expect(text).toContain('It is 80 µs.                           │ It is 90 µs.');
  expect(text).toContain('Numbers only in the replay: 90');
});

test('what was not kept whole is not sent again', async () => {
  const records = await recordedTurn([{ type: 'user', text: 'x'.repeat(2_000_000) }]);
  const model = createScriptedModel([]);
  await expect(replayFrozen({ model, records, joined: [], tools, priceOf: free, signal })).rejects.toThrow(
    '--rebuild',
  );
});
