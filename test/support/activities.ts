import type { AnswerTurn } from '../../src/agent/turn-run.ts';
import type { TurnActivity, TurnOutcome } from '../../src/domain/conversation/turn-activity.ts';

/** How a scripted turn ends when nothing goes wrong. */
export const completed: TurnOutcome = {
  status: 'COMPLETED',
  model: 'scripted',
  usage: null,
  rounds: 1,
  error: null,
  assessment: null,
  strippedTables: 0,
};

/** Emits activities, then completes. */
export const tell =
  (...activities: readonly TurnActivity[]): AnswerTurn =>
  async ({ emit }) => {
    for (const activity of activities) emit(activity);
    return completed;
  };

/** Text of an activity. */
export const text = (words: string): TurnActivity => ({ type: 'text', text: words });

/** A tool call that starts. */
export const toolStart = (callId: string): TurnActivity => ({
  type: 'tool-started',
  call: {
    callId,
    tool: 'look',
    label: 'Looking',
    description: 'at T1',
    arguments: { chip_id: 'demo-64' },
    round: 1,
  },
});
/** Its end, with a chart and a table unless they are not wanted. */
export const toolEnd = (callId: string, visuals = true): TurnActivity => ({
  type: 'tool-finished',
  call: {
    callId,
    tool: 'look',
    status: 'OK',
    durationMs: 12,
    dataSource: 'SNAPSHOT',
    preview: '64 qubits',
    freshness: {
      source: 'SNAPSHOT',
      newestAt: new Date(1_000),
      oldestAt: new Date(0),
      staleAfterSeconds: 60,
    },
    resultJson: '{"rows":[1,2,3]}',
    error: null,
    visuals: visuals
      ? [
          {
            type: 'chart',
            title: 'T1',
            kind: 'HEATMAP',
            data: [{ z: [1, null] }],
            layout: { title: 'T1\u0000' },
          },
          {
            type: 'table',
            title: 'T1',
            columns: [{ key: 'q', label: 'Qubit', unit: null, format: 'text' }],
            rows: [{ q: 'Q00' }],
          },
        ]
      : [],
  },
});
