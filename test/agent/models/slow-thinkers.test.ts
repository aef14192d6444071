/** Models that work for long before they answer: every sign of life counts, and only silence ends a step. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { LoopLimits } from '../../../src/agent/loop/loop-options.ts';
import type { ModelEvent } from '../../../src/agent/model.ts';
import { adapterModel, type AdapterKind } from '../../support/adapters.ts';
import { ofType, runTurn, testTool } from '../../support/agent-run.ts';
import { textBlock } from '../../support/anthropic-streams.ts';
import { ownModelServers } from '../../support/own-model-servers.ts';
import { createScriptedModel, say, type ScriptedPart } from '../../support/scripted-model.ts';
import { startTurnedClock } from '../../support/turned-clock.ts';

const startServer = ownModelServers();

/** Limits and pace in proportion to 90 s of silence and a sign of life each second; here 90 s are 0.6 s. */
const SILENCE_MS = 600;
const PIECES = 75;
const PACE_MS = 20;

const frame = (event: object): string => `data: ${JSON.stringify(event)}\n\n`;
const named = (event: { readonly type: string }): string => `event: ${event.type}\n${frame(event)}`;
const RESPONSES_END = frame({
  type: 'response.completed',
  response: { status: 'completed', output: [], usage: null },
});
const responsesText = frame({ type: 'response.output_text.delta', output_index: 9, delta: 'Done.' });
const chat = (delta: object, finish_reason: string | null = null): string =>
  frame({ choices: [{ index: 0, delta, finish_reason }] });
const chatEnd = chat({ content: 'Done.' }) + chat({}, 'stop');
const anthropicStart = named({
  type: 'message_start',
  message: {
    id: 'm',
    type: 'message',
    role: 'assistant',
    content: [],
    usage: { input_tokens: 9, output_tokens: 1 },
  },
} as never);
const anthropicEnd =
  named({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 9 } } as never) +
  named({ type: 'message_stop' });
const anthropicText = textBlock(9, 'Done.')
  .map((event) => named(event as never))
  .join('');

type Slow = {
  readonly title: string;
  readonly kind: AdapterKind;
  readonly before: string;
  readonly piece: string;
  readonly after: string;
};

const SLOW: readonly Slow[] = [
  {
    title: 'summaries of reasoning',
    kind: 'responses',
    before: frame({
      type: 'response.output_item.added',
      output_index: 0,
      item: { type: 'reasoning', id: 'r', summary: [] },
    }),
    piece: frame({
      type: 'response.reasoning_summary_text.delta',
      output_index: 0,
      summary_index: 0,
      delta: 'Hm. ',
    }),
    after: responsesText + RESPONSES_END,
  },
  {
    title: 'arguments of a call',
    kind: 'responses',
    before: frame({
      type: 'response.output_item.added',
      output_index: 0,
      item: { type: 'function_call', id: 'f', call_id: 'c', name: 'look', arguments: '' },
    }),
    piece: frame({ type: 'response.function_call_arguments.delta', output_index: 0, delta: ' ' }),
    after:
      frame({ type: 'response.function_call_arguments.done', output_index: 0, arguments: '{"id":"a"}' }) +
      RESPONSES_END,
  },
  {
    title: 'reasoning_content',
    kind: 'chat',
    before: '',
    piece: chat({ reasoning_content: 'Hm. ' }),
    after: chatEnd,
  },
  {
    title: 'comments of a gateway',
    kind: 'chat',
    before: '',
    piece: ': OPENROUTER PROCESSING\n\n',
    after: chatEnd,
  },
  {
    title: 'thinking',
    kind: 'anthropic',
    before:
      anthropicStart +
      named({
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'thinking', thinking: '', signature: '' },
      } as never),
    piece: named({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'thinking_delta', thinking: 'Hm. ' },
    } as never),
    after: named({ type: 'content_block_stop', index: 0 } as never) + anthropicText + anthropicEnd,
  },
  {
    title: 'pings',
    kind: 'anthropic',
    before: anthropicStart,
    piece: named({ type: 'ping' }),
    after: anthropicText + anthropicEnd,
  },
];

describe('A model that works for two and a half times the silence allowed', () => {
  test.each(SLOW)('$title ($kind) is asked once and completes', async ({ kind, before, piece, after }) => {
    async function* pieces() {
      yield before;
      for (let sent = 0; sent < PIECES; sent += 1) {
        await pause(PACE_MS);
        yield piece;
      }
      yield after;
    }
    const done = {
      chat: chatEnd,
      responses: responsesText + RESPONSES_END,
      anthropic: anthropicStart + anthropicText + anthropicEnd,
    };
    const isCall = after.includes('arguments.done');
    const server = await startServer((index) =>
      isCall && index > 0 ? { body: done[kind as 'chat'] } : { pieces },
    );
    const { outcome, text, activities } = await runTurn(adapterModel(kind, server), [testTool('look')], {
      limits: { modelSilenceMs: SILENCE_MS, stepTries: 2 },
    });
    const resets = ofType(activities, 'reset').length;
    expect({ text, status: outcome.status, asked: server.requests.length, resets }).toEqual({
      resets: 0,
      text: 'Done.',
      status: 'COMPLETED',
      asked: isCall ? 2 : 1,
    });
  });
});

describe('The time of a turn, by a clock that the test turns', () => {
  /** The limits of `config/qpilot.yaml`. */
  const shipped: Partial<LoopLimits> = {
    turnTimeoutMs: 180_000,
    turnCeilingMs: 1_800_000,
    lastAnswerMs: 60_000,
    modelSilenceMs: 90_000,
  };
  const thought: ModelEvent = { type: 'thinking', kind: 'thought', text: 'Hm. ' };
  const second = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1_000));
  const everySecond = (event: ModelEvent, seconds: number): readonly ScriptedPart[] =>
    Array.from({ length: seconds }, () => [second, event]).flat();

  let clock: ReturnType<typeof startTurnedClock> | undefined;

  /** Runs a turn while its clock goes on second by second, for at most `seconds`. */
  async function runFor(seconds: number, steps: readonly (readonly ScriptedPart[])[]) {
    clock = startTurnedClock();
    const model = createScriptedModel(steps);
    const running = runTurn(model, [testTool('look')], { limits: shipped });
    let passed = 0;
    let isOver = false;
    const end = () => (isOver = true);
    void running.then(end, end);
    for (; passed < seconds && !isOver; passed += 1) {
      await clock.turn(1_000);
    }
    if (!isOver) throw new Error(`the turn goes on after ${passed} s`);
    return { ...(await running), model, passed };
  }
  afterEach(() => {
    clock?.stop();
  });

  test('ten minutes of thinking are let through', async () => {
    const { text, outcome, model } = await runFor(700, [[...everySecond(thought, 600), ...say('42.')]]);
    expect({ text, status: outcome.status, asked: model.requests.length }).toEqual({
      text: '42.',
      status: 'COMPLETED',
      asked: 1,
    });
  });

  test('three minutes of arguments are let through, and the tools still run after them', async () => {
    const call: ModelEvent = { type: 'call', call: { callId: 'a', name: 'look', arguments: '{"id":"a"}' } };
    const { text, activities, model } = await runFor(400, [
      [...everySecond({ type: 'progress' }, 200), call],
      say('It is ok.'),
    ]);
    expect(text).toBe('It is ok.');
    expect(ofType(activities, 'tool-finished')[0]!.call.status).toBe('OK');
    expect(model.requests.map(({ toolChoice }) => toolChoice)).toEqual(['auto', 'auto']);
  });

  test('a model that only thinks ends at the ceiling', async () => {
    const { outcome, passed } = await runFor(3_000, [everySecond(thought, 4_000)]);
    expect(outcome).toMatchObject({ status: 'FAILED', error: { code: 'TURN_TIMEOUT' } });
    expect(passed).toBe(1_800 + 60);
  });

  test('a silent model is asked again after 90 s each, and the turn ends as ever', async () => {
    const silent = [() => new Promise<void>(() => undefined)];
    const { outcome, model, passed } = await runFor(400, [silent, silent, silent]);
    expect(outcome).toMatchObject({ status: 'FAILED', error: { code: 'TURN_TIMEOUT' } });
    expect({ asked: model.requests.length, passed }).toEqual({ asked: 3, passed: 240 });
  });
});
