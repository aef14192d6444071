import { describe, expect, test } from '@jest/globals';
import { answerChart } from '../../src/domain/visual-rules/answer-chart.ts';
import { sandboxVisuals } from '../../src/domain/visual-rules/analysis-figures.ts';
import type { JsonObject } from '../../src/domain/visuals.ts';

const shown = (figure: JsonObject) => sandboxVisuals([figure], {});
const points = { type: 'scatter', mode: 'markers', x: [1], y: [2] };

describe('C10: figures of analysis code', () => {
  test('are passed on with what they say, in the form that the Plotly of today takes', () => {
    const { visuals, refused } = shown({
      data: [{ ...points, type: 'scattergl', name: 'T<sub>1</sub>' }],
      layout: {
        title: 'T1 by MUX',
        xaxis: { title: 'MUX' },
        width: 700,
        height: 500,
        template: { layout: {} },
      },
    });
    expect(refused).toEqual([]);
    expect(visuals).toMatchObject([
      {
        kind: 'SCATTER',
        title: 'T1 by MUX',
        data: [{ ...points, name: 'T<sub>1</sub>' }],
        layout: { title: { text: 'T1 by MUX' }, xaxis: { title: { text: 'MUX' } }, height: 500 },
      },
    ]);
    const [chart] = visuals.filter(({ type }) => type === 'chart');
    expect(Object.keys('layout' in chart! ? chart.layout : {})).not.toContain('width');
  });

  test('lose links, pictures and controls, however deep, and keep the words', () => {
    const { visuals, refused } = shown({
      data: [
        {
          ...points,
          text: ['<a href="https://evil.invalid">T1</a><br>ok'],
          hoverlabel: { a: { b: '<img src=x>' } },
        },
      ],
      layout: { images: [{ source: 'https://evil.invalid/x.png' }], updatemenus: [{}], sliders: [{}] },
    });
    expect(visuals).toMatchObject([
      {
        data: [
          {
            text: ['&lt;a href="https://evil.invalid">T1&lt;/a><br>ok'],
            hoverlabel: { a: { b: '&lt;img src=x>' } },
          },
        ],
      },
    ]);
    expect(JSON.stringify(visuals)).not.toMatch(/images|updatemenus|sliders/);
    expect(refused).toEqual([
      'Chart of the analysis: shown without layout.images, layout.updatemenus, layout.sliders, tags; a chart holds data, words and axes, and loads nothing.',
    ]);
  });

  test('keep words that only look like addresses where they are drawn', () => {
    const { visuals, refused } = shown({
      data: [{ ...points, name: 'curl(E), data: text/plain', x: ['url (raw)'] }],
      layout: { xaxis: { title: 'url(x)' } },
    });
    expect(refused).toEqual([]);
    expect(visuals).toMatchObject([
      {
        data: [{ name: 'curl(E), data: text/plain', x: ['url (raw)'] }],
        layout: { xaxis: { title: { text: 'url(x)' } } },
      },
    ]);
  });

  test.each([
    [
      'a trace that clients cannot draw, first or later',
      [points, { type: 'surface' }],
      /not all of its traces are/,
    ],
    ['no trace', [], /not all of its traces are/],
    [
      'an indicator among others',
      [points, { type: 'indicator', value: 1 }],
      /an indicator cannot be combined with/,
    ],
  ])('are refused for %s, in plain words', (_what, data, words) => {
    const { visuals, refused } = shown({ data, layout: { title: 'Own' } });
    expect(visuals).toEqual([]);
    expect(refused).toEqual([expect.stringMatching(words)]);
    expect(refused[0]).toMatch(/^Own: not shown/);
  });
});

/** As plain figures are: some values, and nothing that tells how to divide them. */
const values = (count: number) => Array.from({ length: count }, (_, at) => at % 97);
const grid = (size: number) => Array.from({ length: size }, () => values(size));
const box = (trace: JsonObject, layout: JsonObject = {}) => ({ data: [trace], layout });
const FINE = { type: 'box', y: values(50) };

/**
 * Figures that keep Chromium for more than a second, many of them for minutes, and the settings that they lose for
 * it.
 */
const TOO_FINE: readonly (readonly [string, JsonObject, readonly string[]])[] = [
  ['a violin of a tiny bandwidth', box({ type: 'violin', y: values(50), bandwidth: 1e-6 }), ['bandwidth']],
  [
    'a violin far beyond its values',
    box({ type: 'violin', y: values(50), spanmode: 'manual', span: [-1e7, 1e7] }),
    ['spanmode', 'span'],
  ],
  ['a billion bins', box({ type: 'histogram', x: values(50), nbinsx: 1e9 }), ['nbinsx']],
  [
    'bins of a thousandth',
    box({ type: 'histogram', x: values(50), xbins: { start: 0, end: 97, size: 1e-3 } }),
    ['xbins'],
  ],
  [
    'bins up to a billion',
    box({ type: 'histogram', y: values(50), ybins: { start: 0, end: 1e9, size: 1 } }),
    ['ybins'],
  ],
  [
    'contours at every thousandth',
    box({ type: 'contour', z: grid(10), contours: { start: 0, end: 97, size: 1e-3 } }),
    ['contours'],
  ],
  ['words of contours', box({ type: 'contour', z: grid(40), contours: { showlabels: true } }), ['contours']],
  ['a million contours', box({ type: 'contour', z: grid(10), ncontours: 1e6 }), ['ncontours']],
  ['contours of a large grid', box({ type: 'contour', z: grid(100) }), ['contours']],
  [
    'gaps of a large picture',
    box({ type: 'heatmap', z: grid(100), connectgaps: true, texttemplate: '%{z}' }),
    ['connectgaps', 'texttemplate'],
  ],
  ['a tick at every thousandth', box(FINE, { yaxis: { tickmode: 'linear', dtick: 1e-3 } }), ['dtick']],
  [
    'a tick at every second of a year',
    box({ x: ['2025-01-01', '2026-01-01'], y: [1, 2] }, { xaxis: { dtick: 1000 } }),
    ['dtick'],
  ],
  [
    'ticks by a letter on a long axis of logarithms',
    box(FINE, { yaxis: { type: 'log', dtick: 'D1' } }),
    ['dtick'],
  ],
  ['a million ticks', box(FINE, { yaxis: { nticks: 1e6 } }), ['nticks']],
  ['a thousand words at an axis', box(FINE, { yaxis: { tickvals: values(1000) } }), ['tickvals']],
  ['lesser ticks', box(FINE, { yaxis: { minor: { dtick: 1e-6 } } }), ['minor']],
  ['breaks of a long time', box(FINE, { xaxis: { rangebreaks: [{ pattern: 'hour' }] } }), ['rangebreaks']],
  ['a fine scale of colours', box({ type: 'heatmap', z: grid(5), colorbar: { dtick: 1e-6 } }), ['dtick']],
  ['a height beyond all pages', box(FINE, { height: 1e6 }), ['height']],
];

/** Figures that are too much however they are divided. */
const TOO_MUCH: readonly (readonly [string, JsonObject])[] = [
  ['100,000 markers', box({ mode: 'markers', y: values(100_000) })],
  ['10,000 markers as bytes', box({ mode: 'markers', y: { dtype: 'f8', bdata: 'A'.repeat(106_667) } })],
  ['10,000 bars', box({ type: 'bar', y: values(10_000) })],
  ['3,000 bars with words', box({ type: 'bar', y: values(3_000), text: values(3_000) })],
  ['a curve through 50,000 points', box({ mode: 'lines', line: { shape: 'spline' }, y: values(50_000) })],
  ['20,000 error bars', box({ mode: 'lines', y: values(20_000), error_y: { type: 'constant', value: 1 } })],
  ['boxes with 20,000 points beside', box({ type: 'box', boxpoints: 'all', y: values(20_000) })],
  [
    '20,000 names',
    box({ type: 'scatter', mode: 'lines', x: values(20_000).map((_, at) => `q${at}`), y: values(20_000) }),
  ],
  ['1,000 notes', box(FINE, { annotations: values(1_000).map((x) => ({ x, y: x, text: 'a' })) })],
  ['5,000 shapes', box(FINE, { shapes: values(5_000).map((x0) => ({ x0 })) })],
  ['2,000 traces', { data: values(2_000).map((y) => ({ y: [y] })) }],
  ['100 axes', { data: values(97).map((at) => ({ y: [1], xaxis: `x${at}`, yaxis: `y${at}` })) }],
  [
    'areas on each other at positions of their own',
    {
      data: values(20).map((at) => ({
        x: values(800).map((x) => x * 20 + at),
        y: values(800),
        stackgroup: 'a',
      })),
    },
  ],
];

describe('figures that would keep a page', () => {
  test.each(TOO_FINE)('by %s are shown without it', (_what, figure, lost) => {
    const { visuals, refused } = shown(figure);
    expect(refused).toEqual([
      `Chart of the analysis: shown without ${lost.join(', ')}; they divide it more finely than a page can draw in time.`,
    ]);
    const text = JSON.stringify(visuals);
    for (const name of lost) expect(text).not.toContain(`"${name}":`);
    expect(visuals).toHaveLength(1);
    expect(answerChart(figure)).toMatchObject({ type: 'chart' });
  });

  test.each(TOO_MUCH)('by %s are refused, and told what would do', (_what, figure) => {
    const { visuals, refused } = shown(figure);
    expect([visuals, refused]).toEqual([
      [],
      [expect.stringMatching(/as \d+ markers; the limit is 5000. Use a line, /)],
    ]);
  });

  test('keep what divides them as people do, and many values where they are little work', () => {
    const asAsked = [
      box({ type: 'histogram', x: values(20_000), xbins: { start: 0, end: 97, size: 1 } }),
      box({ type: 'violin', y: values(1_000), bandwidth: 5 }),
      box({ type: 'contour', z: grid(30), contours: { start: 0, end: 90, size: 10 } }),
      box({ type: 'heatmap', z: grid(250) }),
      box({ mode: 'lines', y: values(50_000) }),
      box(
        { mode: 'markers', y: values(1_024) },
        { xaxis: { dtick: 64 }, yaxis: { tickvals: [0, 50], ticktext: ['a', 'b'] } },
      ),
      { data: values(64).map((y) => ({ y: [y, 1, 2] })) },
    ];
    for (const figure of asAsked) {
      const { visuals, refused } = shown(figure);
      expect(refused).toEqual([]);
      expect(visuals).toMatchObject([{ data: figure.data }]);
    }
  });
});

/** As text, since a literal could not have such a name of its own. */
const HOSTILE_TRACE = `{
  "type": "bar", "x": ["a"], "y": [1],
  "__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}},
  "hovertemplate": "%{x}<extra><script>alert(1)</script></extra><a href='JavaScript :alert(1)'>x</a>",
  "customdata": ["javascript:alert(1)", "data:text/html,<script>alert(1)</script>", "jajavascript:vascript:x"],
  "marker": {"color": "url(https://evil.invalid)", "pattern": {"src": "https://evil.invalid"}}
}`;
const HOSTILE_LAYOUT: JsonObject = {
  title: { text: '<svg onload=alert(1)>T1' },
  images: [{ source: 'https://evil.invalid/x.png' }],
  mapbox: { style: 'https://evil.invalid/style.json' },
  annotations: [{ text: '<img src=x onerror=alert(1)>', x: 'a', y: 1 }],
  font: { family: 'x;background:url (data:image/svg+xml,<svg/>)' },
};

describe.each([
  ['analysis code', (figure: JsonObject) => shown(figure).visuals[0]],
  ['a model', (figure: JsonObject) => answerChart(figure)],
])('hostile figures of %s', (_who, chartOf) => {
  const hostile = { data: [JSON.parse(HOSTILE_TRACE) as JsonObject], layout: HOSTILE_LAYOUT };

  test('keep no tag, no address outside of drawn words, no picture and no name of a prototype', () => {
    const chart = chartOf(hostile);
    expect(chart).toMatchObject({ type: 'chart', kind: 'BAR', data: [{ x: ['a'], y: [1] }] });
    const { data, layout } = chart as { data: unknown; layout: unknown };
    expect(JSON.stringify({ data, layout })).not.toMatch(
      /<(?!\/?extra>|br>)|javascript\s*:|data:|url\s*\(|\.png|style\.json|__proto__|"constructor"|"prototype"/i,
    );
  });

  test('change no other object', () => {
    chartOf(hostile);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test('that are larger than can be shown are refused with their size', () => {
    const reason =
      chartOf({ data: [{ type: 'bar', x: ['x'.repeat(600_000)] }] }) ??
      shown({ data: [{ type: 'bar', x: ['x'.repeat(600_000)] }] }).refused[0];
    expect(reason).toMatch(/600\d\d\d characters; the limit is [15]00000/);
  });
});

/**
 * Ways to bring code, addresses or controls into a chart, what must not be left of them, and the kinds that are
 * refused whole.
 */
const HOSTILE_FIGURES: readonly (readonly [string, JsonObject, RegExp | 'refused'])[] = [
  [
    'HTML in titles',
    { layout: { title: { text: '<h1 onclick=alert(1)>T1' }, xaxis: { title: '<b onclick=x>T' } } },
    /<h1|<b /,
  ],
  [
    'HTML in the subtitle',
    { layout: { title: { text: 'T1', subtitle: { text: '<iframe src=x>' } } } },
    /<iframe/,
  ],
  ['a link in a hover text', { trace: { hovertext: ['<a href="https://evil.invalid">T1</a>'] } }, /<a/],
  [
    'a link that a template puts together',
    { trace: { hovertemplate: '<%{customdata[0]}', customdata: ['a href="x">'] } },
    /<%|<a/,
  ],
  [
    'an allowed tag with more in it',
    { trace: { text: '<b style="background:url(x)">T1</b><br/onload=x>' } },
    /<b |<br\/o/,
  ],
  [
    'an address of a script',
    { trace: { customdata: ['java\u0073cript:alert(1)'], ids: ['VBScript :x'] } },
    /script\s*:/i,
  ],
  ['a page as an address', { trace: { customdata: ['data:text/html,x', 'data:image/svg+xml,x'] } }, /data:/],
  [
    'pictures by their addresses',
    { layout: { images: [{ source: 'https://evil.invalid/x.png' }] } },
    /images|evil/,
  ],
  ['a picture in a style', { layout: { font: { family: 'x;background:url(//evil.invalid)' } } }, /url\(/],
  [
    'a note that opens others',
    {
      layout: { annotations: [{ text: '<a href=x>', clicktoshow: 'onoff', captureevents: true, href: 'x' }] },
    },
    /<a|href":/,
  ],
  [
    'a server to send the figure to',
    { config: { plotlyServerURL: 'https://evil.invalid', showSendToCloud: true } },
    /evil|Cloud/,
  ],
  [
    'frames',
    { frames: [{ name: 'x', data: [{ type: 'image', source: 'https://evil.invalid' }] }] },
    /frames|evil/,
  ],
  ['a template', { layout: { template: { data: { bar: [{ name: '<a href=x>' }] } } } }, /template|<a/],
  [
    'private names',
    {
      trace: { _module: { plot: 'x' }, marker: { _input: 1, __proto_: 1 } },
      layout: { _context: { setBackground: 'x' } },
    },
    /"_/,
  ],
  [
    'buttons that change the page',
    { layout: { updatemenus: [{}], sliders: [{}], modebar: { add: ['sendDataToCloud'] } } },
    /updatemenus|sliders|modebar/,
  ],
  [
    'tiles of maps',
    {
      layout: {
        mapbox: { style: 'https://evil.invalid' },
        mapbox3: { accesstoken: 'x' },
        map2: { style: 'x' },
        geo2: {},
        scene1: {},
      },
    },
    /mapbox|map2|geo|scene|evil/,
  ],
  [
    'a transform that fetches',
    { trace: { transforms: [{ type: 'filter', src: 'https://evil.invalid' }], xsrc: 'x' } },
    /evil/,
  ],
  ...[
    'scattergeo',
    'choropleth',
    'scattermapbox',
    'densitymap',
    'image',
    'table',
    'surface',
    'pie',
    'toString',
  ].map((type) => [`a trace of type ${type}`, { trace: { type } }, 'refused'] as const),
];

test.each(HOSTILE_FIGURES)(
  'chart security: nothing is left of %s',
  (_what, { trace = {}, ...rest }, traces) => {
    const figure = { data: [{ type: 'bar', x: ['a'], y: [1], ...(trace as JsonObject) }], ...rest };
    const { visuals } = shown(figure);
    const answer = answerChart(figure);
    if (traces === 'refused') {
      expect([visuals, answer]).toEqual([[], expect.stringContaining('not shown')]);
    } else {
      expect([visuals, answer]).toMatchObject([[{ type: 'chart' }], { type: 'chart' }]);
      const passedOn = [...visuals, answer].map((chart) => JSON.stringify(chart).replaceAll('"title":', ''));
      for (const text of passedOn) expect(text).not.toMatch(traces);
    }
  },
);

test('a figure of a model that is nested too deep is refused before anything walks it', () => {
  let deep: JsonObject = {};
  for (let i = 0; i < 20_000; i++) deep = { deep };
  expect(answerChart({ data: [deep] })).toMatch(/nested more than 20 deep/);
});

describe('a packed array', () => {
  const eight = Buffer.alloc(8).toString('base64');
  const shownOf = (z: JsonObject) => shown(box({ type: 'heatmap', z }));

  test.each<[string, JsonObject]>([
    ['of one number', { dtype: 'f8', bdata: eight }],
    ['of two rows', { dtype: 'i2', bdata: eight, shape: '2, 2' }],
    ['of nothing', { dtype: 'f8', bdata: '' }],
  ])('%s is shown', (_what, z) => {
    expect(shownOf(z)).toMatchObject({ visuals: [{ kind: 'HEATMAP' }], refused: [] });
  });

  test.each<[string, JsonObject, string]>([
    [
      'with a false shape',
      { dtype: 'f8', bdata: '', shape: '100000,100000' },
      'of 0 bytes does not hold 100000 by 100000 values of f8',
    ],
    ['with half a row', { dtype: 'f8', bdata: eight, shape: '2,0.5' }, 'does not hold 2 by 0.5 values'],
    ['of part of a number', { dtype: 'f8', bdata: 'AAAA' }, 'of 3 bytes does not hold 0.375 values'],
    ['of an unknown type', { dtype: 'c16', bdata: eight }, 'has no known dtype'],
    ['that is not base64', { dtype: 'f8', bdata: '<script>' }, 'is not base64'],
  ])('%s is refused, and says why', (_what, z, why) => {
    const { visuals, refused } = shownOf(z);
    expect(visuals).toEqual([]);
    expect(refused).toEqual([expect.stringContaining(why)]);
  });
});
