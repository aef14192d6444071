import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { NewSessionEvent } from '../../src/domain/conversation/session-event.ts';
import { foldTurn } from '../../src/domain/conversation/transcript.ts';

const token = (text: string): NewSessionEvent => ({ type: 'TokenEvent', payload: { text, offset: 0 } });
const chart = (chartId: string): NewSessionEvent => ({ type: 'ChartEvent', payload: { chartId } });
const reset = (keepUntilOffset: number, ...droppedChartIds: string[]): NewSessionEvent => ({
  type: 'StepResetEvent',
  payload: { keepUntilOffset, droppedChartIds, reason: 'repeated' },
});
const started = (callId: string, round = 1): NewSessionEvent => ({
  type: 'ToolCallStartedEvent',
  payload: { callId, tool: 'look', label: 'Looking', description: '', arguments: {}, round },
});
const finished = (
  callId: string,
  oldestAt: string | null = null,
  status: 'OK' | 'ERROR' = 'OK',
): NewSessionEvent => ({
  type: 'ToolCallFinishedEvent',
  payload: {
    callId,
    tool: 'look',
    status,
    durationMs: 1,
    dataSource: 'SNAPSHOT',
    preview: '',
    freshness: oldestAt
      ? { source: 'SNAPSHOT', newestAt: '2026-05-02T00:00:00.000Z', oldestAt, staleAfterSeconds: 60 }
      : null,
    resultId: null,
    error: null,
  },
});

describe('the transcript of a turn', () => {
  test('charts and tables stand where their tool was used', () => {
    const { text, blocks } = foldTurn([
      token('Before '),
      token('it. '),
      chart('c1'),
      { type: 'TableEvent', payload: { tableId: 't1' } },
      token('After.'),
    ]);
    expect(text).toBe('Before it. After.');
    expect(blocks).toEqual([
      { type: 'text', text: 'Before it. ' },
      { type: 'chart', chartId: 'c1' },
      { type: 'table', tableId: 't1' },
      { type: 'text', text: 'After.' },
    ]);
  });

  test('a step reset takes text back and keeps the charts of tools that did run', () => {
    const { text, blocks } = foldTurn([
      token('Keep this'),
      chart('c1'),
      token(' not this'),
      reset(4),
      token('!'),
    ]);
    expect(text).toBe('Keep!');
    expect(blocks).toEqual([
      { type: 'text', text: 'Keep' },
      { type: 'chart', chartId: 'c1' },
      { type: 'text', text: '!' },
    ]);
  });

  test('a step reset takes back the charts that it names, and leaves the text around them whole', () => {
    const { text, blocks } = foldTurn([
      token('Keep'),
      chart('c1'),
      token(' not'),
      chart('c2'),
      reset(4, 'c2'),
      token('!'),
    ]);
    expect(text).toBe('Keep!');
    expect(blocks).toEqual([
      { type: 'text', text: 'Keep' },
      { type: 'chart', chartId: 'c1' },
      { type: 'text', text: '!' },
    ]);
  });

  test('a table in the text is told, also one that came in pieces', () => {
    const pieces = ['| a |', ' b |\n|--', '-|---|\n', '| 1 | 2 |\n'].map(token);
    expect(foldTurn(pieces).unverifiedTable).toBe(true);
    expect(foldTurn(pieces.slice(0, 1)).unverifiedTable).toBe(false);
    expect(foldTurn([token('```\n'), ...pieces]).unverifiedTable).toBe(false);
  });

  test('calls without an end are open, in the order in which they started', () => {
    const { openCalls, rounds } = foldTurn([started('a'), started('b', 2), started('c', 2), finished('b')]);
    expect(openCalls.map(({ callId }) => callId)).toEqual(['a', 'c']);
    expect(rounds).toBe(2);
  });

  test('freshness covers the rows of successful calls only, widest span of each source', () => {
    const { freshness } = foldTurn([
      finished('a', '2026-05-01T00:00:00.000Z'),
      finished('b', '2026-04-01T00:00:00.000Z'),
      finished('c', '2020-01-01T00:00:00.000Z', 'ERROR'),
    ]);
    expect(freshness).toHaveLength(1);
    expect(freshness[0]?.oldestAt).toEqual(new Date('2026-04-01'));
  });

  test('freshness of live values beside stored ones is an entry of its own', () => {
    const stored = finished('a', '2026-05-01T00:00:00.000Z');
    if (stored.type !== 'ToolCallFinishedEvent') throw new Error('no end of a call');
    const at = '2026-05-03T00:00:00.000Z';
    const liveFreshness = { source: 'LIVE', newestAt: at, oldestAt: at, staleAfterSeconds: 60 } as const;
    const { freshness } = foldTurn([{ ...stored, payload: { ...stored.payload, liveFreshness } }]);
    expect(freshness.map(({ source, newestAt }) => [source, newestAt])).toEqual([
      ['SNAPSHOT', new Date('2026-05-02')],
      ['LIVE', new Date(at)],
    ]);
  });

  test('whatever the events, the text blocks joined are the text, and equal what a client puts together', () => {
    const event = fc.oneof(
      fc.string({ maxLength: 8 }).map(token),
      fc.string({ maxLength: 3 }).map(chart),
      fc.nat(40).map((offset) => reset(offset)),
    );
    fc.assert(
      fc.property(fc.array(event), (events) => {
        let seen = '';
        for (const { type, payload } of events) {
          if (type === 'TokenEvent') seen += payload.text;
          if (type === 'StepResetEvent') seen = seen.slice(0, payload.keepUntilOffset);
        }
        const { text, blocks } = foldTurn(events);
        expect(text).toBe(seen);
        expect(blocks.map((block) => (block.type === 'text' ? block.text : '')).join('')).toBe(seen);
        expect(blocks.some((block) => block.type === 'text' && block.text === '')).toBe(false);
      }),
    );
  });
});
