import { describe, expect, test } from '@jest/globals';
import { EventGatherer } from '../../src/agent/runner/event-batch.ts';
import type { NewSessionEvent } from '../../src/domain/conversation/session-event.ts';
import type { StoredVisual } from '../../src/domain/conversation/session.ts';
import { foldTurn } from '../../src/domain/conversation/transcript.ts';
import type { TurnActivity } from '../../src/domain/conversation/turn-activity.ts';
import type { DataSource } from '../../src/domain/values/freshness.ts';
import type { ChartSpec, JsonObject, Visual } from '../../src/domain/visuals.ts';

const chart = (title: string, layout: JsonObject = {}): ChartSpec => ({
  type: 'chart',
  kind: 'LINE',
  title,
  data: [],
  layout,
});
const chosen = (title: string): ChartSpec => chart(title, { meta: { madeBy: 'model' } });

const text = (words: string): TurnActivity => ({ type: 'text', text: words });
const call = (callId: string, dataSource: DataSource, ...visuals: Visual[]): readonly TurnActivity[] => [
  {
    type: 'tool-started',
    call: { callId, tool: 'look', label: '', description: '', arguments: {}, round: 1 },
  },
  {
    type: 'tool-finished',
    call: {
      callId,
      tool: 'look',
      status: 'OK',
      durationMs: 1,
      dataSource,
      preview: '',
      freshness: null,
      resultJson: null,
      error: null,
      visuals,
    },
  },
];

/** What the log holds of a turn, and the titles and texts of its message in reading order. */
function turnOf(...activities: readonly TurnActivity[]) {
  const gatherer = new EventGatherer({ sessionId: 's', turnId: 't' });
  const events: NewSessionEvent[] = [];
  const visuals: StoredVisual[] = [];
  for (const activity of activities) {
    gatherer.add(activity);
    const gathered = gatherer.take();
    events.push(...(gathered?.events ?? []));
    visuals.push(...(gathered?.charts ?? []), ...(gathered?.tables ?? []));
  }
  const titleOf = (id: string) => visuals.find((visual) => visual.id === id)?.title;
  const message = foldTurn(events).blocks.map((block) => {
    switch (block.type) {
      case 'text':
        return block.text;
      case 'chart':
        return titleOf(block.chartId);
      case 'table':
        return titleOf(block.tableId);
      case 'message':
        return block.messageId;
    }
  });
  return { events, message, titleOf };
}

describe('charts that a model made', () => {
  test('go when a result is drawn by rule after them, from the message and from the eyes of a follower', () => {
    const { events, message, titleOf } = turnOf(
      text('Here is my chart. '),
      ...call('a', 'SNAPSHOT', chosen('by make_chart')),
      { type: 'chart', chart: chosen('in the answer') },
      text('And now the data.'),
      ...call('b', 'SNAPSHOT', chart('by rule')),
    );
    expect(message).toEqual(['Here is my chart. And now the data.', 'by rule']);
    const resets = events.filter(({ type }) => type === 'StepResetEvent');
    expect(resets).toMatchObject([{ payload: { keepUntilOffset: 35 } }]);
    const { droppedChartIds } = resets[0]!.payload as { droppedChartIds: readonly string[] };
    expect(droppedChartIds.map(titleOf)).toEqual(['by make_chart', 'in the answer']);
  });

  test('stay with rows of an uploaded table, which the model chose too', () => {
    const table: Visual = { type: 'table', title: 'rows', columns: [], rows: [] };
    const { events, message } = turnOf(
      ...call('a', 'DATASET', chosen('own')),
      ...call('b', 'DATASET', table),
      text('Done.'),
    );
    expect(message).toEqual(['own', 'rows', 'Done.']);
    expect(events.map(({ type }) => type)).not.toContain('StepResetEvent');
  });

  test('are taken back once, so that a step that is repeated later drops only its own', () => {
    const { message } = turnOf(
      { type: 'chart', chart: chosen('before') },
      ...call('a', 'SNAPSHOT', chart('by rule')),
      text('Half'),
      { type: 'reset', keepUntilOffset: 0, dropCharts: 1, reason: 'stream broke' },
      text('Whole.'),
    );
    expect(message).toEqual(['by rule', 'Whole.']);
  });
});
