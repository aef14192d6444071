import { describe, expect, test } from '@jest/globals';
import type { Part } from '@qpilot/client/view';
import { answerLayout } from '../../../client/features/copilot/model/answer-layout.ts';

const chart = (title: string, kind = 'BAR', callId = title): Part => ({
  type: 'chart',
  chart: { id: `chart ${title}`, callId, title, kind, data: [], layout: {} } as never,
});
const table = (title: string, callId = title): Part => ({
  type: 'table',
  table: { id: `table ${title}`, callId, title, rowCount: 0, rows: [], columns: [] } as never,
});
const text = (words: string): Part => ({ type: 'text', text: words });

/** What a reader sees: the words, the picture with its table, and the evidence. */
function seen(question: string, ...parts: readonly Part[]) {
  const { words, picture, evidence } = answerLayout(parts, question);
  const name = (exhibit: NonNullable<typeof picture>): string =>
    exhibit.type === 'table'
      ? `table ${exhibit.table.title}`
      : `chart ${exhibit.chart.title}${exhibit.table ? ' with table' : ''}`;
  return {
    words: words.map(({ part, offset }) => `${offset} ${part.type === 'text' ? part.text : part.type}`),
    picture: picture && name(picture),
    evidence: evidence.map(name),
  };
}

describe('the layout of an answer', () => {
  test('puts the words first and keeps their places in the text', () => {
    const { words } = seen('?', text('Looking. '), chart('T1'), text('Q0 is best.'));
    expect(words).toEqual(['0 Looking. ', '9 Q0 is best.']);
  });

  test('shows the first chart and folds further ones with the tables', () => {
    expect(seen('Which are worst?', chart('T1'), table('Runs'), chart('T2'), text('Q0.'))).toMatchObject({
      picture: 'chart T1',
      evidence: ['table Runs', 'chart T2'],
    });
  });

  test.each([
    ['Show a T1 heatmap of it', 'chart Map'],
    ['T1のヒートマップを表示', 'chart Map'],
    ['How did it go over time?', 'chart Course'],
    ['推移は？', 'chart Course'],
    ['Which are worst?', 'chart Rank'],
  ])('shows the chart that the question asks for: %s', (question, picture) => {
    const parts = [chart('Rank'), chart('Map', 'HEATMAP'), chart('Course', 'LINE'), table('Runs')];
    expect(seen(question, ...parts).picture).toBe(picture);
  });

  test.each(['Show the runs as a table', 'List the runs', '実行の一覧を見せて'])(
    'shows the table that the question asks for: %s',
    (question) => {
      expect(seen(question, chart('T1'), table('Runs')).picture).toBe('table Runs');
    },
  );

  test('folds a lone table that nobody asked for, so that a short answer is short', () => {
    expect(seen('What is T1 of Q27?', table('Q027 on brisbane'), text('327 μs.'))).toMatchObject({
      picture: null,
      evidence: ['table Q027 on brisbane'],
    });
  });

  test('gives a table that repeats its chart to the chart, and only that one', () => {
    const parts = [
      chart('T1', 'HEATMAP', 'a'),
      table('T1 on brisbane', 'a'),
      table('Failed runs', 'a'),
      table('T1 on torino', 'b'),
    ];
    expect(seen('?', ...parts)).toMatchObject({
      picture: 'chart T1 with table',
      evidence: ['table Failed runs', 'table T1 on torino'],
    });
  });

  test('a card shows one number of its table, which stays evidence', () => {
    const parts = [chart('Health', 'INDICATOR', 'a'), table('Health', 'a')];
    expect(seen('How healthy is it?', ...parts)).toMatchObject({
      picture: 'chart Health',
      evidence: ['table Health'],
    });
  });
});
