import { describe, expect, test } from '@jest/globals';
import { cardsOf } from '../../client/charts/card.ts';
import { captionOf, plotlyFigure } from '../../client/charts/plotly-figure.ts';
import { drawChart } from '../../client/terminal/draw-chart.ts';
import { drawTable } from '../../client/terminal/draw-table.ts';
import { createEventPrinter } from '../../client/terminal/print-event.ts';

describe('in the terminal', () => {
  const columns = [
    { key: 'label', label: 'Qubit', unit: null, format: 'text' },
    { key: 't1', label: 'T1', unit: 'μs', format: 'number' },
  ];

  test('a table has its units in the header, a dash for nothing, and says how many of its rows it shows', () => {
    const rows = Array.from({ length: 60 }, (_, row) => ({ label: `Q${row}`, t1: row === 0 ? null : 0 }));
    const lines = drawTable({ title: 'T1', columns, rowCount: 60, rows }).split('\n');
    expect(lines.slice(1, 5).map((line) => line.trim())).toEqual([
      'Qubit  T1 (μs)',
      '──────────────',
      'Q0           —',
      'Q1           0',
    ]);
    expect(lines.at(-1)!.trim()).toBe('20 of 60 rows');
  });

  test('numbers of tables and charts have the digits of the pages, and what stands before the point stays whole', () => {
    const rows = [
      { label: 'Q0', t1: 4.721634 },
      { label: 'Q1', t1: 1_234_567 },
    ];
    const table = drawTable({ title: 'T1', columns, rowCount: 2, rows });
    expect(table).toMatch(/Q0 +4\.722\n +Q1 +1234567\n/);
    const bars = { type: 'bar', x: ['Q0', 'Q1'], y: [4.721634, 1_234_567] };
    expect(drawChart({ title: 'T1', kind: 'BAR', data: [bars] }, false)).toMatch(/ 4\.722\n.* 1234567$/);
  });

  test.each([
    [false, ', 1200 tokens in, 30 out, $0.0100'],
    [true, ', about 1200 tokens in, 30 out, about $0.0100'],
  ])('what a turn used says whether it was estimated (%s)', (estimated, words) => {
    let printed = '';
    const print = createEventPrinter({ write: (text) => (printed += text), color: false });
    const usage = {
      __typename: 'Usage' as const,
      inputTokens: 1200,
      outputTokens: 30,
      cachedTokens: 0,
      totalTokens: 1230,
      costUsd: 0.01,
      estimated,
    };
    print({
      __typename: 'TurnFinishedEvent',
      seq: 1,
      createdAt: '2026-05-20T00:00:00Z',
      turnId: 't',
      status: 'COMPLETED',
      rounds: 1,
      message: null,
      usage,
      error: null,
    });
    expect(printed).toContain(`COMPLETED in 1 round${words}\n`);
  });

  test.each([
    [false, '∴ Thought for 40 s\n\nFine.'],
    [true, '\nHm. Look.\n\n∴ Thought for 40 s\n\nFine.'],
  ])('thoughts are folded, or shown as they come (%s)', (showsThinking, expected) => {
    let printed = '';
    const print = createEventPrinter({ write: (text) => (printed += text), color: false }, { showsThinking });
    const base = { seq: 1, createdAt: '2026-05-20T00:00:00Z', turnId: 't' };
    print({ __typename: 'ThinkingEvent', ...base, thought: 1, thinkingText: 'Hm. ', thoughtMs: null });
    print({ __typename: 'ThinkingEvent', ...base, thought: 1, thinkingText: 'Look.', thoughtMs: 40_100 });
    print({ __typename: 'TokenEvent', ...base, text: 'Fine.', offset: 0 });
    expect(printed).toBe(expected);
  });

  test('dots beside names are bars, and histograms on each other are one', () => {
    const dots = { type: 'scatter', mode: 'markers', name: 'now', y: ['Q00', 'Q01'], x: [40, 80] };
    expect(drawChart({ title: 'T1', kind: 'BAR', data: [dots] }, false)).toMatch(
      /now\n {2}Q00 █+ 40\n {2}Q01 █+ 80$/,
    );
    const stacked = [1, 9].map((value) => ({ type: 'histogram', name: String(value), x: [value] }));
    expect(drawChart({ title: 'T1', kind: 'HISTOGRAM', data: stacked }, false).split('\n')).toEqual([
      '▣ T1 (histogram)',
      expect.stringMatching(/^ {2}1 █▁+█ 9$/),
    ]);
  });
});

describe('for a page', () => {
  const place = { theme: 'dark', widthPx: 390 } as const;

  test('a figure has the width of its place, and its title as a heading and not in the picture', () => {
    const layout = { title: { text: 'T1', subtitle: { text: 'a &lt; b<br>and c' } }, height: 500 };
    const figure = plotlyFigure({ data: [], layout }, place);
    expect(figure.layout).toMatchObject({ width: 390, height: 500 });
    expect(figure.layout).not.toHaveProperty('title');
    expect(captionOf(layout)).toBe('a < b and c');
    expect(captionOf({})).toBeNull();
  });

  test('cells are square, and hold their words only where these can be read', () => {
    const trace = { mode: 'markers+text', text: ['Q000<br>45.20<br>μs'], textfont: { size: 10 } };
    const grid = (cells: number) => ({
      data: [trace],
      layout: {
        xaxis: { range: [-0.5, cells - 0.5] },
        yaxis: { range: [cells - 0.5, -0.5], scaleanchor: 'x' },
      },
    });
    expect(plotlyFigure(grid(8), place)).toMatchObject({
      data: [trace],
      layout: { width: 390, height: 390 },
    });
    expect(plotlyFigure(grid(16), place).data).toEqual([{ mode: 'markers' }]);
    expect(plotlyFigure(grid(12), { ...place, widthPx: 1200 })).toMatchObject({
      data: [trace],
      layout: { width: 12 * 72 + 16 },
    });
  });

  test('a card shows what the server wrote, or else the figure itself', () => {
    const card = (trace: object) => cardsOf({ kind: 'INDICATOR', title: 'T1', data: [trace] });
    const meta = { value: '59.50', notes: ['± 1.9 μs'] };
    expect(card({ value: 59.4999, number: { suffix: ' μs' }, meta })).toEqual([
      { heading: 'T1', value: '59.50', unit: 'μs', notes: ['± 1.9 μs'] },
    ]);
    expect(card({ value: 59.4999 })).toMatchObject([{ value: '59.5', unit: '', notes: [] }]);
    expect(card({ value: 'much' })).toMatchObject([{ value: '—' }]);
    expect(cardsOf({ kind: 'LINE', title: 'T1', data: [] })).toBeNull();
    const health = { title: { text: 'Health<br>good' }, value: 2.04, number: { suffix: ' of 3' } };
    const noted = { ...health, meta: { value: '2.04', notes: ['67 excellent'] } };
    expect(drawChart({ kind: 'INDICATOR', title: 'Health', data: [noted] }, false)).toBe(
      '▣ Health (indicator)\n  2.04 of 3, 67 excellent',
    );
  });
});
