import { describe, expect, test } from '@jest/globals';
import { ModelError, type Model, type ModelEvent, type ModelRequest } from '../../../src/agent/model.ts';
import { watchedModel } from '../../../src/agent/watch/model-watch.ts';
import { createStepRecorder } from '../../../src/agent/watch/step-recorder.ts';
import {
  sentInput,
  stepRecordSchema,
  type StepRecord,
} from '../../../src/domain/conversation/step-record.ts';

const request: ModelRequest = {
  instructions: 'Be brief.',
  input: [
    {
      type: 'user',
      text: 'T1 of Q0?',
      images: [{ mediaType: 'image/png', width: 8, height: 8, data: 'AAAA' }],
    },
  ],
  tools: [{ name: 'get', description: 'Gets.', parameters: { type: 'object' } }],
  toolChoice: 'auto',
  sessionId: 's',
};

/** A model whose calls say these events in turn; an error breaks the call. */
function modelOf(...responses: readonly (readonly (ModelEvent | Error)[])[]): Model {
  let asked = 0;
  return {
    name: 'm',
    provider: 'p',
    async *stream() {
      for (const event of responses[asked++] ?? []) {
        if (event instanceof Error) throw event;
        yield event;
      }
    },
  };
}

const finished: ModelEvent = {
  type: 'finished',
  reason: 'stop',
  usage: { inputTokens: 5, outputTokens: 2, cachedTokens: 0 },
  items: [],
};

/** Asks the model once for each request and reads each response until it ends or breaks. */
async function record(model: Model, ...requests: readonly ModelRequest[]) {
  const records: StepRecord[] = [];
  const hashes = new Set<string>();
  const failures: unknown[] = [];
  const recorder = createStepRecorder({
    save: async (one, tools) => {
      records.push(stepRecordSchema.parse(JSON.parse(JSON.stringify(one))));
      hashes.add(tools.hash);
    },
    onFailure: (error) => failures.push(error),
    clock: () => 0,
  });
  const watched = watchedModel(model, [recorder.watch('ANSWER')]);
  for (const one of requests) {
    try {
      for await (const event of watched.stream(one, new AbortController().signal)) {
        if (event.type === 'finished') break;
      }
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
    }
  }
  await recorder.close();
  return { records, hashes, failures };
}

describe('the record of a model call', () => {
  test('has what was sent and what came back, pictures apart', async () => {
    const call = { callId: 'c', name: 'get', arguments: '{}' };
    const { records, hashes } = await record(
      modelOf([
        { type: 'text', text: 'Let ' },
        { type: 'text', text: 'me see' },
        { type: 'call', call },
        finished,
      ]),
      request,
    );
    expect(hashes.size).toBe(1);
    expect(records).toEqual([
      {
        number: 1,
        purpose: 'ANSWER',
        model: 'm',
        provider: 'p',
        instructions: 'Be brief.',
        inputFrom: 0,
        input: [{ type: 'user', text: 'T1 of Q0?\n[pictures that were not kept: 1]' }],
        toolsHash: [...hashes][0],
        toolChoice: 'auto',
        answerSchema: null,
        sampling: null,
        text: 'Let me see',
        refusal: '',
        calls: [call],
        items: [],
        reason: 'stop',
        usage: { inputTokens: 5, outputTokens: 2, cachedTokens: 0 },
        error: null,
        durationMs: 0,
        isCut: false,
      },
    ]);
  });

  test('has of the input only what the call before had not, and broken tries with why they broke', async () => {
    const broken = new ModelError('BROKEN_STREAM', 'm broke off at sk-abcdefgh12', { retryable: true });
    const model = modelOf([{ type: 'text', text: 'Half' }, broken], [finished], [finished]);
    const longer = { ...request, input: [...request.input, { type: 'assistant', text: 'More' } as const] };
    const { records } = await record(model, request, { ...request, input: [...request.input] }, longer);
    expect(
      records.map(({ number, inputFrom, input, text, error, reason }) => [
        number,
        inputFrom,
        input.length,
        text,
        error,
        reason,
      ]),
    ).toEqual([
      [1, 0, 1, 'Half', 'm broke off at [redacted]', null],
      [2, 1, 0, '', null, 'stop'],
      [3, 1, 1, '', null, 'stop'],
    ]);
  });

  test('holds no secret, and no input that is too large', async () => {
    const secret = { ...request, instructions: 'Bearer abcdef123456' };
    const large = { ...request, input: [{ type: 'user', text: 'x'.repeat(2_000_000) } as const] };
    const { records } = await record(
      modelOf([{ type: 'text', text: 'sk-abcd' }, { type: 'text', text: 'efgh1234' }, finished], [finished]),
      secret,
      large,
    );
    expect(JSON.stringify(records)).not.toMatch(/abcdef123456|efgh1234/u);
    expect(records.map(({ isCut, input }) => [isCut, input.length])).toEqual([
      [false, 1],
      [true, 0],
    ]);
  });

  test('holds the items of each response once, as they came, and none of one with a secret', async () => {
    const end = (...items: readonly object[]): ModelEvent =>
      ({ ...finished, type: 'finished', items }) as ModelEvent;
    const [first, secret] = [{ thought: 'Signed.', signature: 'c2ln' }, { thought: 'sk-abcdefgh1234' }];
    const round = (item: object) =>
      ({ type: 'round', provider: 'p', items: [item], text: '', calls: [] }) as const;
    const second = { ...request, input: [...request.input, round(first)] };
    const third = { ...request, input: [...second.input, round(secret)] };
    const { records } = await record(
      modelOf([end(first)], [end(secret)], [finished]),
      request,
      second,
      third,
    );
    expect(records.map(({ items }) => items)).toEqual([[first], [], []]);
    expect(records.map(({ input }) => JSON.stringify(input).includes('Signed'))).toEqual([
      false,
      false,
      false,
    ]);
    expect(sentInput(records).flatMap((each) => (each.type === 'round' ? [each.items] : []))).toEqual([
      [first],
      [],
    ]);
  });
});
