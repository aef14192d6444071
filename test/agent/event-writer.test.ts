import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { gatherMs } from '../../src/agent/pace.ts';
import { TurnLostError, createEventWriter } from '../../src/agent/runner/event-writer.ts';
import type { NewSessionEvent } from '../../src/domain/conversation/session-event.ts';
import { foldTurn } from '../../src/domain/conversation/transcript.ts';
import type { ToolCallEnd, TurnActivity } from '../../src/domain/conversation/turn-activity.ts';
import { toStoredText } from '../../src/domain/text/stored-text.ts';
import type { ChartSpec } from '../../src/domain/visuals.ts';
import type { AppendResult, EventBatch } from '../../src/stores/pg/event-batches.ts';
import { until } from '@qpilot/test-support';

const turn = { sessionId: 's', turnId: 't', owner: 'o' };
const text = (words: string): TurnActivity => ({ type: 'text', text: words });
const thought = (words: string, durationMs?: number): TurnActivity => ({
  type: 'thinking',
  kind: 'THOUGHT',
  text: words,
  ...(durationMs !== undefined && { durationMs }),
});
const status: TurnActivity = { type: 'status', phase: 'THINKING', text: 'Thinking' };
const fallback: TurnActivity = {
  type: 'source-fallback',
  from: 'LIVE',
  to: 'SNAPSHOT',
  reason: 'TIMEOUT',
  text: 'asked with Bearer abcdefgh12345678',
};
const toolStart = (callId: string, given: unknown = {}): TurnActivity => ({
  type: 'tool-started',
  call: { callId, tool: 'look', label: 'Looking', description: 'at it', arguments: given, round: 1 },
});
const toolEnd = (callId: string, more: Partial<ToolCallEnd> = {}): TurnActivity => ({
  type: 'tool-finished',
  call: {
    callId,
    tool: 'look',
    status: 'OK',
    durationMs: 1.6,
    dataSource: 'SNAPSHOT',
    preview: 'seen',
    freshness: null,
    resultJson: '{"a":1}',
    error: null,
    visuals: [],
    ...more,
  },
});

const chart = (title: string): ChartSpec => ({ type: 'chart', kind: 'BAR', title, data: [], layout: {} });

/** A writer over a log in memory; `append` may be replaced. */
function startWriter(append: (batch: EventBatch) => Promise<AppendResult> = async () => stored) {
  const batches: EventBatch[] = [];
  const failures: unknown[] = [];
  let cancels = 0;
  const writer = createEventWriter({
    turn,
    append: async (batch) => {
      const result = await append(batch);
      if (result.stored) batches.push(batch);
      return result;
    },
    viewers: () => 1,
    onCancelRequested: () => (cancels += 1),
    onFailure: (error) => failures.push(error),
    retryForMs: 300,
  });
  const events = (): NewSessionEvent[] => batches.flatMap((batch) => batch.events);
  return { writer, batches, failures, events, cancels: () => cancels };
}

const stored: AppendResult = { stored: true, cancelRequested: false };
const typesOf = (events: readonly NewSessionEvent[]): string[] => events.map(({ type }) => type);
const tokens = (events: readonly NewSessionEvent[]) => events.filter((event) => event.type === 'TokenEvent');

describe('the event writer', () => {
  test('sends the first text at once and gathers what follows', async () => {
    const { writer, events, batches } = startWriter();
    writer.emit(text('One'));
    await nextTurn();
    expect(batches).toHaveLength(1);
    for (const word of [' two', ' three', ' four']) writer.emit(text(word));
    expect(batches).toHaveLength(1);
    await until(() => batches.length === 2);
    expect(tokens(events()).map(({ payload }) => payload)).toEqual([
      { text: 'One', offset: 0 },
      { text: ' two three four', offset: 3 },
    ]);
    await writer.close();
  });

  test('sends 256 characters without waiting, and text before any other event', async () => {
    const { writer, events, batches } = startWriter();
    writer.emit(text('x'));
    await writer.flush();
    writer.emit(text('y'.repeat(256)));
    await nextTurn();
    expect(batches).toHaveLength(2);
    writer.emit(text('before'));
    writer.emit(status);
    writer.emit(text('after'));
    await writer.close();
    expect(typesOf(events()).slice(2)).toEqual(['TokenEvent', 'StatusEvent', 'TokenEvent']);
  });

  test('keeps thinking apart from the answer, thought by thought, gathered as text is', async () => {
    const { writer, events } = startWriter();
    for (const words of ['Let me', ' see', '. 🙂'.slice(0, 3), '🙂'.slice(1)]) writer.emit(thought(words));
    writer.emit(thought('', 1_200));
    writer.emit(text('T1 is 52 μs.'));
    writer.emit(thought('Hm.', 40));
    await writer.close();
    const payloads = events().flatMap((event) => (event.type === 'ThinkingEvent' ? [event.payload] : []));
    expect(payloads).toEqual([
      { thought: 1, kind: 'THOUGHT', text: 'Let me see. 🙂', offset: 0, durationMs: 1_200 },
      { thought: 2, kind: 'THOUGHT', text: 'Hm.', offset: 0, durationMs: 40 },
    ]);
    expect(typesOf(events())).toEqual(['ThinkingEvent', 'TokenEvent', 'ThinkingEvent']);
    expect(foldTurn(events()).text).toBe('T1 is 52 μs.');
  });

  test('keeps a bounded amount of thinking, in events of a bounded size', async () => {
    const { writer, events } = startWriter();
    for (let sent = 0; sent < 300_000; sent += 10_000) writer.emit(thought('é'.repeat(10_000)));
    writer.emit(thought('', 1));
    await writer.close();
    const payloads = events().flatMap((event) => (event.type === 'ThinkingEvent' ? [event.payload] : []));
    let offset = 0;
    for (const payload of payloads) {
      expect(payload.offset).toBe(offset);
      expect(payload.text.length).toBeLessThanOrEqual(4_096);
      offset += payload.text.length;
    }
    expect(offset).toBe(200_000);
    expect(payloads.map(({ durationMs }) => durationMs).filter((ms) => ms !== null)).toEqual([1]);
  });

  test('gathers the next batch while one is on its way', async () => {
    const gates: (() => void)[] = [];
    const { writer, batches } = startWriter(
      () => new Promise((resolve) => gates.push(() => resolve(stored))),
    );
    writer.emit(status);
    await until(() => gates.length === 1);
    for (let index = 0; index < 50; index += 1) writer.emit(status);
    gates[0]?.();
    await until(() => gates.length === 2);
    gates[1]?.();
    await until(() => batches.length === 2);
    expect(batches.map(({ number, events }) => [number, events.length])).toEqual([
      [1, 1],
      [2, 50],
    ]);
  });

  test('stores whole bodies apart from small events, under the ids in the events', async () => {
    const { writer, batches, events } = startWriter();
    writer.emit(toolStart('c1', { secret: 'Bearer abcdefgh12345678', rows: 'r'.repeat(9_000) }));
    const chart = { type: 'chart', title: 'T1', kind: 'LINE', data: [], layout: {} } as const;
    const table = { type: 'table', title: 'T1', columns: [], rows: [] } as const;
    writer.emit(toolEnd('c1', { visuals: [chart, table], preview: 'p'.repeat(500) }));
    await writer.close();
    const [start, end, chartEvent, tableEvent] = events();
    expect(JSON.stringify(start)).not.toContain('abcdefgh12345678');
    expect(Buffer.byteLength(JSON.stringify(start))).toBeLessThan(5_000);
    const [call] = batches.flatMap(({ toolCalls }) => toolCalls);
    expect(call).toMatchObject({ callId: 'c1', status: 'OK', durationMs: 2, resultJson: '{"a":1}' });
    expect(call?.arguments).toEqual({ secret: '[redacted]', rows: 'r'.repeat(9_000) });
    expect(end).toMatchObject({ type: 'ToolCallFinishedEvent', payload: { resultId: call?.id } });
    expect(end?.type === 'ToolCallFinishedEvent' && end.payload.preview.length).toBe(160);
    expect(chartEvent?.payload).toEqual({ chartId: batches[0]?.charts[0]?.id });
    expect(tableEvent?.payload).toEqual({ tableId: batches[0]?.tables[0]?.id });
  });

  test('passes over the end of a call that is not open and the second start of one that is', async () => {
    const { writer, events } = startWriter();
    for (const activity of [toolEnd('x'), toolStart('a'), toolStart('a'), toolEnd('a'), toolEnd('a')]) {
      writer.emit(activity);
    }
    await writer.close();
    expect(typesOf(events())).toEqual(['ToolCallStartedEvent', 'ToolCallFinishedEvent']);
  });

  test('names the record of a call that failed too, whose arguments a reader wants to see', async () => {
    const { writer, batches, events } = startWriter();
    writer.emit(toolStart('c1', { code: '1 / 0' }));
    const error = { code: 'TOOL_ERROR', message: 'division by zero', retryable: false };
    writer.emit(toolEnd('c1', { status: 'ERROR', resultJson: null, error }));
    await writer.close();
    const [call] = batches.flatMap(({ toolCalls }) => toolCalls);
    expect(call).toMatchObject({ arguments: { code: '1 / 0' }, resultJson: null });
    expect(events().at(-1)?.payload).toMatchObject({ status: 'ERROR', resultId: call?.id });
  });

  test('a fallback says from where to where and why, and no secret', async () => {
    const { writer, events } = startWriter();
    writer.emit(fallback);
    await writer.close();
    expect(events()).toEqual([
      {
        type: 'SourceFallbackEvent',
        payload: { from: 'LIVE', to: 'SNAPSHOT', reason: 'TIMEOUT', text: 'asked with Bearer [redacted]' },
      },
    ]);
  });

  test('an error in an event says no secret', async () => {
    const { writer, events } = startWriter();
    writer.emit(toolStart('a'));
    const message = 'cannot reach postgres://qpilot:hunter22@db/qpilot';
    writer.emit(toolEnd('a', { status: 'ERROR', error: { code: 'X', message, retryable: false } }));
    writer.emit({ type: 'status', phase: 'THINKING', text: message });
    await writer.close();
    expect(JSON.stringify(events())).not.toContain('hunter22');
  });

  test('sends a batch again under its number after the database was away for a moment', async () => {
    let failures = 2;
    const seen: number[] = [];
    const { writer, events } = startWriter(async ({ number }) => {
      seen.push(number);
      failures -= 1;
      if (failures >= 0) throw Object.assign(new Error('Connection terminated unexpectedly'));
      return stored;
    });
    writer.emit(text('kept'));
    await writer.close();
    expect(seen).toEqual([1, 1, 1]);
    expect(foldTurn(events()).text).toBe('kept');
  });

  test('fails once, for good, when the database stays away or the turn is somebody else’s', async () => {
    const away = startWriter(async () => {
      throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    });
    away.writer.emit(text('lost'));
    await away.writer.close();
    expect(away.failures).toEqual([expect.objectContaining({ code: 'ECONNREFUSED' })]);

    const fenced = startWriter(async () => ({ stored: false }));
    fenced.writer.emit(text('too late'));
    await fenced.writer.flush();
    fenced.writer.emit(text('later still'));
    await fenced.writer.close();
    expect(fenced.failures).toEqual([expect.any(TurnLostError)]);
  });

  test('reports a cancel that the log returns', async () => {
    const { writer, cancels } = startWriter(async () => ({ stored: true, cancelRequested: true }));
    writer.emit(text('a'));
    await writer.flush();
    expect(cancels()).toBe(1);
    await writer.close();
  });

  test('a reset counts what the sender counted, half a pair included, and never splits one', async () => {
    const { writer, events } = startWriter();
    writer.emit(text('abc😀'));
    writer.emit(text('tail\uD83D')); // the step breaks in the middle of a character
    writer.emit({ type: 'reset', keepUntilOffset: 5, reason: 'stream broke' });
    writer.emit(text('!'));
    writer.emit({ type: 'reset', keepUntilOffset: 4, reason: 'odd' });
    await writer.close();
    expect(foldTurn(events()).text).toBe('abc');
  });

  test('charts of the answer belong to no call, and a reset names those that go', async () => {
    const { writer, events } = startWriter();
    for (const title of ['first', 'second', 'third']) {
      writer.emit(text(title));
      writer.emit({ type: 'chart', chart: chart(title) });
    }
    writer.emit(toolStart('a'));
    writer.emit(toolEnd('a', { visuals: [chart('of a tool')] }));
    writer.emit({ type: 'reset', keepUntilOffset: 5, dropCharts: 2, reason: 'stream broke' });
    writer.emit(text(', again'));
    await writer.close();
    const { text: answer, blocks } = foldTurn(events());
    expect(answer).toBe('first, again');
    expect(blocks.map(({ type }) => type)).toEqual(['text', 'chart', 'chart', 'text']);
  });
});

/** Events other than text, each with how much text stands before it. */
function orderOf(events: readonly NewSessionEvent[]): string[] {
  let length = 0;
  return events.flatMap((event) => {
    if (event.type !== 'TokenEvent') return [`${event.type} at ${length}`];
    length += event.payload.text.length;
    return [];
  });
}

/** The same as it was emitted: half a surrogate pair is held back until its other half comes. */
function expectedOrder(activities: readonly TurnActivity[]): string[] {
  const types = {
    status: 'StatusEvent',
    'tool-started': 'ToolCallStartedEvent',
    'tool-finished': 'ToolCallFinishedEvent',
    'source-fallback': 'SourceFallbackEvent',
    chart: 'ChartEvent',
    artifact: 'ArtifactEvent',
  };
  const open = new Set<string>();
  let said = '';
  return activities.flatMap((activity) => {
    if (activity.type === 'text') said += activity.text;
    const { type } = activity;
    if (type === 'text' || type === 'thinking' || type === 'reset' || type === 'usage') return [];
    if (activity.type === 'tool-started') {
      if (open.has(activity.call.callId)) return [];
      open.add(activity.call.callId);
    }
    if (activity.type === 'tool-finished' && !open.delete(activity.call.callId)) return [];
    const isHeldBack = /[\uD800-\uDBFF]$/.test(said);
    return [`${types[activity.type]} at ${isHeldBack ? said.length - 1 : said.length}`];
  });
}

describe('any interleaving of activities in any chunking', () => {
  const activity = fc.oneof(
    { weight: 6, arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }).map(text) },
    {
      weight: 2,
      arbitrary: fc.array(fc.nat(0xffff), { maxLength: 3 }).map((c) => text(String.fromCharCode(...c))),
    },
    fc.constant(status),
    fc.constant(fallback),
    fc.constantFrom('a', 'b').map((id) => toolStart(id)),
    fc.constantFrom('a', 'b').map((id) => toolEnd(id)),
  );

  test('gives the same text, the same order of kinds, and offsets that fit', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(activity, { maxLength: 40 }), fc.array(fc.nat(3)), async (given, pauses) => {
        let turns = 0;
        const { writer, events } = startWriter(async () => {
          for (let left = pauses[turns++ % Math.max(1, pauses.length)] ?? 0; left > 0; left -= 1)
            await Promise.resolve();
          return stored;
        });
        for (const [index, one] of given.entries()) {
          writer.emit(one);
          if (pauses[index % Math.max(1, pauses.length)] === 1) await Promise.resolve();
        }
        await writer.close();
        const said = given.map((one) => (one.type === 'text' ? one.text : '')).join('');
        expect(foldTurn(events()).text).toBe(toStoredText(said));
        let offset = 0;
        for (const { payload } of tokens(events())) {
          expect(payload.offset).toBe(offset);
          expect(payload.text.isWellFormed()).toBe(true);
          offset += payload.text.length;
        }
        expect(orderOf(events())).toEqual(expectedOrder(given));
      }),
      { numRuns: 100 },
    );
  });

  test('gives the same events however the text is cut into deltas', async () => {
    const words = fc.string({ unit: 'binary', minLength: 1, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(
        words,
        fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 }),
        async (whole, sizes) => {
          const { writer, events } = startWriter();
          for (let start = 0, index = 0; start < whole.length; index += 1) {
            const size = sizes[index % sizes.length] ?? 1;
            writer.emit(text(whole.slice(start, start + size)));
            start += size;
          }
          await writer.close();
          expect(foldTurn(events()).text).toBe(toStoredText(whole));
        },
      ),
    );
  });
});

test('text is gathered the longer, the more viewers turns have, and never for more than 64 ms', () => {
  expect([1, 20, 100, 200, 10_000].map(gatherMs)).toEqual([16, 23.6, 55.6, 64, 64]);
});
