/** Rules 5 to 9 of the event log: what a turn leaves behind, whatever the answer function does. */
import { describe, expect, test } from '@jest/globals';
import { ServiceBusyError, StoreAwayError } from '../../src/base/errors.ts';
import type { AnswerTurn } from '../../src/agent/turn-run.ts';
import type { Turn } from '../../src/domain/conversation/session.ts';
import type { TurnActivity } from '../../src/domain/conversation/turn-activity.ts';
import { completed, tell, text, toolEnd, toolStart } from '../support/activities.ts';
import { ask, ended, leftBehind, ofType, readToEnd, textOf, viewer } from '../support/chat.ts';
import { ownChats } from '../support/own-chats.ts';
import { until } from '@qpilot/test-support';

const { start } = ownChats();

/** One question, answered to its end. */
async function answerOne(answerTurn: AnswerTurn) {
  const chat = await start({ answerTurn });
  const { session, turn } = await chat.copilot.sendMessage(viewer, ask('go'));
  const events = await readToEnd(chat, session.id);
  const done = await ended(chat, turn);
  return { events, turn: done, ...(await leftBehind(chat, done)) };
}

describe('rule 5: text is merged, order across kinds is kept', () => {
  test('the log has the activities in their order, with text between them in one piece', async () => {
    const { events } = await answerOne(
      tell(
        text('a'),
        text('b'),
        { type: 'status', phase: 'ANSWERING', text: 'Answering' },
        text('c'),
        toolStart('1'),
        toolEnd('1'),
      ),
    );
    expect(events.map(({ type }) => type)).toEqual([
      'TurnStartedEvent',
      'TokenEvent',
      'StatusEvent',
      'TokenEvent',
      'ToolCallStartedEvent',
      'ToolCallFinishedEvent',
      'ChartEvent',
      'TableEvent',
      'TurnFinishedEvent',
    ]);
    expect(textOf(events)).toBe('abc');
  });
});

/** An invalid activity: the log accepts no call without arguments. */
const withoutArguments: TurnActivity = {
  type: 'tool-started',
  call: { callId: '1', tool: 'look', label: '', description: '', arguments: null, round: 1 },
};

describe('rule 6: exactly one terminal event, the last one', () => {
  const usage = {
    inputTokens: 5,
    outputTokens: 7,
    cachedTokens: 0,
    totalTokens: 12,
    model: 'm',
    costUsd: null,
  };
  const endings: readonly [string, AnswerTurn, Turn['status'], string | null][] = [
    ['success', tell(text('fine')), 'COMPLETED', null],
    ['nothing said', tell(), 'COMPLETED', null],
    [
      'a failure that is told',
      async () => ({
        ...completed,
        status: 'FAILED',
        error: { code: 'QUOTA', message: 'no credit', retryable: false },
      }),
      'FAILED',
      'QUOTA',
    ],
    [
      'a bug',
      async ({ emit }) => {
        emit(text('so far'));
        throw new TypeError('cannot read postgres://u:secret@host of undefined');
      },
      'FAILED',
      'INTERNAL',
    ],
    [
      'a bug before the first await',
      () => {
        throw new Error('at once');
      },
      'FAILED',
      'INTERNAL',
    ],
    ['a rush on the database', () => Promise.reject(new ServiceBusyError(2_000)), 'FAILED', 'SERVICE_BUSY'],
    ['an absent database', () => Promise.reject(new StoreAwayError()), 'FAILED', 'STORE_AWAY'],
    ['what the log refuses', tell(withoutArguments), 'FAILED', 'INTERNAL'],
  ];

  test.each(endings)('after %s', async (_name, answerTurn, status, code) => {
    const { events, turn } = await answerOne(answerTurn);
    const finished = ofType(events, 'TurnFinishedEvent');
    expect(finished).toHaveLength(1);
    expect(events.at(-1)).toBe(finished[0]);
    expect(finished[0]?.payload.status).toBe(status);
    expect(finished[0]?.payload.error?.code ?? null).toBe(code);
    expect(turn).toMatchObject({ status, error: finished[0]?.payload.error });
    expect(JSON.stringify(events)).not.toContain('secret');
  });

  test('it carries usage and rounds, from the run or, without it, from the log', async () => {
    const told = await answerOne(async () => ({ ...completed, usage, rounds: 3 }));
    expect(told.turn).toMatchObject({ usage, rounds: 3 });
    const fromLog = await answerOne(async ({ emit }) => {
      emit(toolStart('1'));
      emit({ type: 'usage', usage, budgetLeftTokens: 100 });
      throw new Error('lost');
    });
    expect(fromLog.events.at(-1)?.payload).toMatchObject({ usage, rounds: 1 });
  });
});

describe('rule 7: every started tool call is finished before the terminal event', () => {
  test('also those that the run left open, in the log and in the tool call', async () => {
    const { events, toolCalls } = await answerOne(tell(toolStart('1'), toolStart('2'), toolEnd('2', false)));
    const finished = ofType(events, 'ToolCallFinishedEvent');
    expect(finished.map(({ payload }) => [payload.callId, payload.status])).toEqual([
      ['2', 'OK'],
      ['1', 'CANCELLED'],
    ]);
    expect(events.at(-1)?.type).toBe('TurnFinishedEvent');
    expect(toolCalls?.map(({ callId, status }) => [callId, status])).toEqual([
      ['1', 'CANCELLED'],
      ['2', 'OK'],
    ]);
  });

  test('a model that uses the same call id in every round gets each call stored', async () => {
    const { toolCalls } = await answerOne(tell(toolStart('0'), toolEnd('0'), toolStart('0'), toolEnd('0')));
    expect(toolCalls?.map(({ status }) => status)).toEqual(['OK', 'OK']);
  });
});

describe('rule 8: the message is what was streamed', () => {
  test('text, charts and tables in place, freshness of what was used', async () => {
    const { events, message } = await answerOne(
      tell(text('T1 is '), toolStart('1'), toolEnd('1'), text('fine 😀'), text('\0')),
    );
    const [chart] = ofType(events, 'ChartEvent');
    const [table] = ofType(events, 'TableEvent');
    expect(message?.text).toBe('T1 is fine 😀\uFFFD');
    expect(message?.text).toBe(textOf(events));
    expect(message?.blocks).toEqual([
      { type: 'text', text: 'T1 is ' },
      { type: 'chart', chartId: chart?.payload.chartId },
      { type: 'table', tableId: table?.payload.tableId },
      { type: 'text', text: 'fine 😀\uFFFD' },
    ]);
    expect(message?.freshness).toEqual([
      { source: 'SNAPSHOT', newestAt: new Date(1_000), oldestAt: new Date(0), staleAfterSeconds: 60 },
    ]);
  });

  test('after a step reset it is the text that clients were asked to keep', async () => {
    const { message } = await answerOne(
      tell(
        text('Kept. Broken'),
        { type: 'reset', keepUntilOffset: 6, reason: 'stream broke' },
        text('Again.'),
      ),
    );
    expect(message?.text).toBe('Kept. Again.');
  });

  test('a character cut in two by the model’s packets arrives whole', async () => {
    const { events, message } = await answerOne(
      tell(text('a\uD83D'), { type: 'status', phase: 'ANSWERING', text: '' }, text('\uDE00b\uD83D')),
    );
    expect(message?.text).toBe('a😀b\uFFFD');
    expect(textOf(events)).toBe('a😀b\uFFFD');
  });
});

describe('rule 9: events are small, bodies are stored once', () => {
  test('no event is over 32 KB, whatever a run emits', async () => {
    const huge = '"\u0001ü'.repeat(40_000);
    const { events, message, toolCalls } = await answerOne(
      tell(
        { type: 'status', phase: 'THINKING', text: huge },
        text(huge),
        {
          type: 'tool-started',
          call: { callId: '1', tool: 'look', label: huge, description: huge, arguments: { huge }, round: 1 },
        },
        {
          type: 'tool-finished',
          call: {
            callId: '1',
            tool: 'look',
            status: 'ERROR',
            durationMs: 1,
            dataSource: null,
            preview: huge,
            freshness: null,
            resultJson: JSON.stringify(huge),
            error: { code: 'X', message: huge, retryable: false },
            visuals: [],
          },
        },
        { type: 'reset', keepUntilOffset: huge.length, reason: huge },
      ),
    );
    for (const { type, payload } of events) {
      expect([type, Buffer.byteLength(JSON.stringify(payload)) < 32_768]).toEqual([type, true]);
    }
    expect(message?.text).toBe(huge);
    expect(toolCalls?.[0]?.arguments).toEqual({ huge });
    expect(toolCalls?.[0]?.resultJson).toBe(JSON.stringify(huge));
  });

  test('charts, tables and tool calls are found by the ids in the events, by their owner only', async () => {
    const { copilot, ...chat } = await start({ answerTurn: tell(toolStart('1'), toolEnd('1')) });
    const { session } = await copilot.sendMessage(viewer, ask('go'));
    const events = await readToEnd({ copilot }, session.id);
    const chartIds = ofType(events, 'ChartEvent').map(({ payload }) => payload.chartId);
    const tableIds = ofType(events, 'TableEvent').map(({ payload }) => payload.tableId);
    const callIds = ofType(events, 'ToolCallFinishedEvent').map(({ payload }) => payload.resultId ?? '');
    const [chart, unknown] = await copilot.byId.charts(viewer, [...chartIds, 'nothing']);
    expect(chart).toMatchObject({ title: 'T1', kind: 'HEATMAP', data: [{ z: [1, null] }], callId: '1' });
    expect(chart?.layout).toEqual({ title: 'T1\uFFFD' });
    expect(unknown).toBeNull();
    expect((await copilot.byId.tables(viewer, tableIds))[0]).toMatchObject({ rows: [{ q: 'Q00' }] });
    expect((await copilot.byId.toolCalls(viewer, callIds))[0]).toMatchObject({
      resultJson: '{"rows":[1,2,3]}',
      arguments: { chip_id: 'demo-64' },
    });
    const eve = { ...viewer, id: 'eve' };
    expect(await copilot.byId.charts(eve, chartIds)).toEqual([null]);
    expect(await copilot.byId.tables(eve, tableIds)).toEqual([null]);
    expect(await copilot.byId.toolCalls(eve, callIds)).toEqual([null]);
    await until(() => chat.runner.running === 0);
  });
});
