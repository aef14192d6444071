import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dateTicks, LAST_TIME } from '../../../src/domain/pictures/date-ticks.ts';
import { drawChart } from '../../../src/domain/pictures/draw-chart.ts';
import { pictureWords } from '../../../src/domain/pictures/picture-words.ts';
import { formatNumber } from '../../../src/domain/text/display-text.ts';
import type { ChartSpec, JsonObject } from '../../../src/domain/visuals.ts';
import { openRaster, type Raster } from '../../../src/pictures/raster.ts';
import { hostileCharts } from '../../browser/hostile-charts.ts';
import { anyChart, anyJson, chartOf, NO_SOURCE } from './figures.ts';

let raster: Raster;
beforeAll(async () => {
  raster = await openRaster();
});

function svgOf(chart: ChartSpec, source: Parameters<typeof drawChart>[1] = NO_SOURCE): string {
  const picture = drawChart(chart, source);
  if ('refused' in picture) throw new Error(picture.refused);
  return picture.svg;
}
const refusalOf = (chart: ChartSpec): string | null => {
  const picture = drawChart(chart, NO_SOURCE);
  return 'refused' in picture ? picture.refused : null;
};
/** Words of a picture, in their order. */
const wordsIn = (svg: string): readonly string[] =>
  [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/gu)].map(([, text = '']) => text);
const textsIn = (svg: string) =>
  [...svg.matchAll(/<text x="([-\d.]+)" y="([-\d.]+)"[^>]*>([^<]*)</gu)].map(([, x, y, text]) => ({
    x: Number(x),
    y: Number(y),
    text,
  }));
const ELEMENTS = ['circle', 'clipPath', 'ellipse', 'g', 'line', 'path', 'rect', 'svg', 'text'];

/** What is wrong with a picture as a document. */
function faultsOf(svg: string): readonly string[] {
  const faults: string[] = [];
  if (
    /NaN|Infinity|undefined|null,/u.test(
      svg.replaceAll(/>[^<]*</gu, '><').replaceAll(/aria-label="[^"]*"/gu, ''),
    )
  )
    faults.push('a coordinate that is none');
  const names = new Set([...svg.matchAll(/<([a-z]+)/giu)].map(([, name = '']) => name));
  faults.push(...[...names].filter((name) => !ELEMENTS.includes(name)));
  const bare = svg.replaceAll(/>[^<]*</gu, '><').replaceAll(/"[^"]*"/gu, '""');
  if (/\s(?:on\w+|href|style|xlink:\w+)=/u.test(bare)) faults.push('a handler or an address');
  try {
    raster(svg, 300);
  } catch (error) {
    faults.push(String(error));
  }
  return faults;
}

describe('a picture of any figure', () => {
  test('is a document of finite coordinates that loads nothing, or is refused in words', () => {
    let drawn = 0;
    const check = (chart: ChartSpec): void => {
      const picture = drawChart(chart, NO_SOURCE);
      if ('refused' in picture) {
        expect(picture.refused).toMatch(/^(?:its?|a trace|the range|drawing) /u);
        return;
      }
      drawn += 1;
      expect(faultsOf(picture.svg)).toEqual([]);
      expect(picture.width).toBeLessThanOrEqual(800);
      expect(picture.height).toBeLessThanOrEqual(1_600);
    };
    fc.assert(fc.property(anyChart, check), { numRuns: 300 });
    fc.assert(fc.property(anyJson, check), { numRuns: 150 });
    expect(drawn).toBeGreaterThan(100);
  });

  test('holds hostile words as words', () => {
    for (const text of [
      '<script>alert(1)</script>',
      '"><image href="http://evil.invalid/x.png"/>',
      '</text><a href="javascript:1">',
      '&#x3c;script&#x3e;',
      'url(http://evil.invalid)',
      ']]><!--',
      '\u0000\u0008\ud800',
    ]) {
      for (const [name, chart] of hostileCharts(text)) {
        const picture = drawChart(chart, { chipId: text, oldestAt: null, newestAt: null });
        expect([name, 'svg' in picture ? faultsOf(picture.svg) : picture.refused]).toEqual([name, []]);
      }
    }
  });

  test('draws nothing where a name means more to code than to people', () => {
    const data = [
      {
        x: [1, 2],
        y: [1, 2],
        line: { dash: '__proto__' },
        marker: { symbol: 'constructor', colorscale: 'toString' },
      },
    ];
    expect(faultsOf(svgOf(chartOf(data, { xaxis: { tickformat: '__proto__' } })))).toEqual([]);
  });
});

describe('axes', () => {
  const lineThrough = (
    x: readonly (string | number | null)[],
    y: readonly (string | number | null)[],
    layout: JsonObject = {},
  ) => wordsIn(svgOf(chartOf([{ x, y, mode: 'lines' }], layout)));

  test('have ticks at round numbers, with the decimals that tell them apart', () => {
    expect(lineThrough([0, 10], [0, 0.03])).toEqual(
      expect.arrayContaining(['0', '2', '10', '0.005', '0.01', '0.03']),
    );
    expect(lineThrough([-1e9, 1e9], [0, 1])).toEqual(expect.arrayContaining(['-1e9', '0', '4e8']));
  });

  test('of logarithms have powers of ten, and leave out what is not above zero', () => {
    const words = lineThrough([1, 2, 3], [0, 10, 1000], { yaxis: { type: 'log' } });
    expect(words).toEqual(expect.arrayContaining(['10', '100', '1000']));
    expect(words).not.toContain('0');
  });

  test('of times are in UTC, and name the day where hours stand', () => {
    const hours = lineThrough(['2026-05-19T22:00:00Z', '2026-05-20T04:00:00Z'], [1, 2]);
    expect(hours).toEqual(expect.arrayContaining(['22:00', 'May 19, 2026', '00:00', 'May 20, 2026']));
    const months = lineThrough(['2025-01-01', '2026-06-01'], [1, 2]);
    expect(months).toEqual(expect.arrayContaining(['Jan', '2025', 'Jul', '2026']));
    expect(lineThrough(['2026-05-01T00:00:00+09:00', '2026-05-03T00:00:00+09:00'], [1, 2])).toContain(
      'May 1, 2026',
    );
    for (const range of [
      [LAST_TIME - 3_600_000, LAST_TIME * 1.05],
      [-LAST_TIME * 1.05, 0],
    ] as const)
      // prettier-ignore
      expect(dateTicks(range, 5).length).toBeGreaterThan(0);
  });

  test('of names keep their order, and rows of a ranking begin at the top', () => {
    const bars = { type: 'bar', orientation: 'h', y: ['Q07', 'Q01', 'Q03'], x: [3, 2, 1] };
    const svg = svgOf(chartOf([bars], { yaxis: { type: 'category', range: [2.5, -0.5] } }, { kind: 'BAR' }));
    const rows = textsIn(svg).filter(({ text }) => text?.startsWith('Q'));
    expect(rows.toSorted((a, b) => a.y - b.y).map(({ text }) => text)).toEqual(['Q07', 'Q01', 'Q03']);
  });

  test('of many names leave some out where they would touch', () => {
    const names = Array.from({ length: 300 }, (_, index) => `Q${String(index).padStart(3, '0')}`);
    const svg = svgOf(chartOf([{ type: 'bar', x: names, y: names.map(() => 1) }]));
    const shown = textsIn(svg).filter(({ text }) => /^Q\d/u.test(text ?? ''));
    expect(shown.length).toBeGreaterThan(10);
    const xs = shown.map(({ x }) => x).toSorted((a, b) => a - b);
    expect(Math.min(...xs.slice(1).map((x, index) => x - xs[index]!))).toBeGreaterThanOrEqual(11);
  });

  test('that cannot be drawn are refused with the reason', () => {
    expect(refusalOf(chartOf([{ x: [1, 2], y: [1, 2] }], { xaxis: { type: 'multicategory' } }))).toBe(
      'it has an axis with names on two levels',
    );
    expect(
      refusalOf(chartOf([{ type: 'heatmap', z: Array.from({ length: 200 }, () => Array(200).fill(1)) }])),
    ).toBe('it has 40000 cells; a picture holds 20000');
    expect(refusalOf(chartOf([{ type: 'pie' }]))).toBe('it has a trace of type "pie"');
  });
});

describe('marks', () => {
  test('leave a gap where a value is missing', () => {
    const line = (y: readonly (number | null)[]) =>
      /<path d="([^"]*)" fill="none"/u.exec(
        svgOf(chartOf([{ x: [1, 2, 3, 4, 5], y, mode: 'lines' }])),
      )?.[1] ?? '';
    expect(line([1, 2, null, 4, 5]).match(/M/gu)).toHaveLength(2);
    expect(line([1, 2, 3, 4, 5]).match(/M/gu)).toHaveLength(1);
  });

  test('of a heatmap are coloured by their values, and a missing cell stays empty', () => {
    const heat = (more: JsonObject) =>
      [
        ...svgOf(
          chartOf([
            {
              type: 'heatmap',
              z: [
                [0, 1],
                [null, 2],
              ],
              showscale: false,
              ...more,
            },
          ]),
        ).matchAll(/fill="(rgb[^"]*)"/gu),
      ].map(([, color]) => color);
    const viridis = ['rgb(68,1,84)', 'rgb(33,145,140)', 'rgb(253,231,37)'];
    expect(heat({ colorscale: 'Viridis' })).toEqual(viridis);
    expect(heat({ colorscale: 'Viridis', reversescale: true })).toEqual(viridis.toReversed());
  });

  test('of a histogram are as many as there are values, in the bins that Plotly takes', () => {
    const svg = svgOf(chartOf([{ type: 'histogram', x: [1, 2, 2, 3, 3, 3, 10] }], {}, { kind: 'HISTOGRAM' }));
    const heights = [...svg.matchAll(/<rect [^>]*height="([\d.]+)" fill="#4c6ef5"/gu)].map(([, height]) =>
      Number(height),
    );
    // From -0.5 to 4.5, and from 9.5 on.
    const [first = 0, last = 0, ...others] = heights.filter((height) => height > 0);
    expect([others.length, Math.round(first / last)]).toEqual([0, 6]);
  });

  test('that lie on each other begin where the last one ends', () => {
    const data = [1, 2].map((value) => ({ type: 'bar', x: ['a'], y: [value] }));
    const boxes = (barmode: string) =>
      [
        ...svgOf(chartOf(data, { barmode, showlegend: false })).matchAll(
          /y="([\d.]+)" width="([\d.]+)" height="([\d.]+)" fill="#(?:4c6ef5|e69f00)"/gu,
        ),
      ].map(([, y, width, height]) => ({ y: Number(y), width: Number(width), height: Number(height) }));
    const [low, high] = boxes('stack');
    expect(high!.y + high!.height).toBeCloseTo(low!.y, 1);
    const [left, right] = boxes('group');
    expect(left!.width).toBeCloseTo(low!.width / 2, 1);
    expect(right!.height).toBeCloseTo(2 * left!.height, 1);
  });

  test('of ten thousand points are a small picture', () => {
    const x = Array.from({ length: 10_000 }, (_, index) => index);
    const svg = svgOf(
      chartOf([{ x, y: x.map((at) => Math.sin(at)), mode: 'markers' }], {}, { kind: 'SCATTER' }),
    );
    expect(svg.length).toBeLessThan(1_000_000);
  });
});

describe('words', () => {
  test('are the title, the caption, the chip and the times of its values, and none twice', () => {
    const chart = chartOf(
      [],
      { title: { text: 'x', subtitle: { text: 'Dashed: median 4 μs' } } },
      { title: 'T1', kind: 'HEATMAP' },
    );
    const [oldestAt, newestAt] = [new Date('2026-05-18T23:21:00Z'), new Date('2026-05-19T23:22:00Z')];
    const shown = wordsIn(svgOf(chart, { chipId: 'demo-64', oldestAt, newestAt }));
    expect(shown.slice(0, 3)).toEqual([
      'T1',
      'Dashed: median 4 μs',
      'demo-64, measured 2026-05-18 23:21 to 2026-05-19 23:22 UTC',
    ]);
    const named = { ...chart, title: 'T1 on demo-64' };
    expect(pictureWords(named, { chipId: 'demo-64', oldestAt: null, newestAt: null })).toBe(
      'Heatmap: T1 on demo-64. Dashed: median 4 μs',
    );
  });

  test('that are too long are broken between words, and cut at the edge', () => {
    const title = `${'A very long title of a chart '.repeat(20)}end`;
    const shown = textsIn(svgOf(chartOf([], {}, { title }))).slice(0, 3);
    expect(shown[0]?.text).toMatch(/^A very long title/u);
    expect(shown[2]?.text).toMatch(/…$/u);
  });

  test('of a card are the value and notes that the server wrote', () => {
    const trace = {
      type: 'indicator',
      value: 59.5234,
      number: { suffix: ' μs' },
      meta: { value: '59.52', notes: ['± 1.9 μs', 'good'] },
    };
    const shown = wordsIn(svgOf(chartOf([trace], {}, { kind: 'INDICATOR', title: 'T1 of Q12' })));
    expect(shown).toEqual(['T1 of Q12', '59.52', 'μs', '± 1.9 μs', 'good']);
    const foreign = wordsIn(
      svgOf(chartOf([{ type: 'indicator', value: 0.123456 }], {}, { kind: 'INDICATOR' })),
    );
    expect(foreign).toContain(formatNumber(0.123456));
  });
});

describe('a PNG', () => {
  test('has letters of Latin, Greek and Japanese on a machine without fonts', () => {
    const drawn = (title: string) =>
      Buffer.from(raster(svgOf(chartOf([], {}, { title })), 800)).toString('base64');
    const pictures = ['', 'T1', 'μ', '量子', '温度'].map(drawn);
    expect(new Set(pictures).size).toBe(5);
  });
});
