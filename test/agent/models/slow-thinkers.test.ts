/** Models that work for long before they answer: every sign of life counts, and only silence ends a step. */
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { adapterModel, type AdapterKind } from '../../support/adapters.ts';
import { ofType, runTurn, testTool } from '../../support/agent-run.ts';
import { textBlock } from '../../support/anthropic-streams.ts';
import { ownModelServers } from '../../support/own-model-servers.ts';

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
