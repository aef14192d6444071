/** Figures of all kinds, sensible and mad, for tests of what pictures make of them. */
import fc from 'fast-check';
import type { ChartSpec, JsonObject } from '../../../src/domain/visuals.ts';

export const NO_SOURCE = { chipId: null, oldestAt: null, newestAt: null };

export const chartOf = (
  data: readonly JsonObject[],
  layout: JsonObject = {},
  more: Partial<ChartSpec> = {},
): ChartSpec => ({ type: 'chart', kind: 'LINE', title: 'A chart', data, layout, ...more });

const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: -20, max: 20 }),
  fc.constantFrom(0, -0, 1e-300, 1e300, 1.5e9, 0.1),
);
const word = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.constantFrom(
    'Q00',
    '7',
    '2026-05-01',
    '2026-05-02T03:04:05Z',
    '量子ビット',
    '<b>x</b><br>μ',
    'url(#a)',
    '"',
  ),
);
const value = fc.oneof({ weight: 6, arbitrary: number }, { weight: 2, arbitrary: word }, fc.constant(null));
const values = fc.oneof(
  fc.array(number, { maxLength: 12 }),
  fc.array(value, { maxLength: 12 }),
  fc.array(word, { maxLength: 12 }),
);
const maybe = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined });
const oneOrMany = <Value>(arbitrary: fc.Arbitrary<Value>) =>
  fc.oneof(arbitrary, fc.array(arbitrary, { maxLength: 12 }));

const errors = fc.record({
  type: maybe(fc.constantFrom('data', 'percent', 'constant', 'sqrt')),
  array: maybe(values),
  arrayminus: maybe(values),
  value: maybe(number),
  visible: maybe(fc.boolean()),
});
const trace = fc.record({
  type: maybe(
    fc.constantFrom('scatter', 'bar', 'histogram', 'box', 'violin', 'heatmap', 'contour', 'scattergl', 'pie'),
  ),
  mode: maybe(fc.constantFrom('lines', 'markers', 'text', 'lines+markers', 'markers+text')),
  x: maybe(values),
  y: maybe(values),
  z: maybe(fc.array(fc.array(value, { maxLength: 6 }), { maxLength: 6 })),
  text: maybe(oneOrMany(word)),
  name: maybe(word),
  orientation: maybe(fc.constantFrom('h', 'v')),
  fill: maybe(fc.constantFrom('none', 'tozeroy', 'tozerox', 'tonexty', 'toself')),
  marker: maybe(
    fc.record({
      size: maybe(oneOrMany(number)),
      color: maybe(oneOrMany(fc.oneof(word, number, fc.constantFrom('#ff0000', 'red', 'rgb(1,2,3)')))),
      symbol: maybe(
        oneOrMany(fc.constantFrom('circle', 'x', 'star', 'diamond-open', 'constructor', 'nothing')),
      ),
      sizemode: maybe(fc.constantFrom('area', 'diameter')),
      sizeref: maybe(number),
      opacity: maybe(number),
      colorscale: maybe(fc.constantFrom('Viridis', 'toString', 'Jet')),
      showscale: maybe(fc.boolean()),
    }),
  ),
  line: maybe(
    fc.record({
      dash: maybe(word),
      shape: maybe(fc.constantFrom('hv', 'vhv', 'spline')),
      width: maybe(number),
    }),
  ),
  error_x: maybe(errors),
  error_y: maybe(errors),
  xaxis: maybe(fc.constantFrom('x', 'x2')),
  yaxis: maybe(fc.constantFrom('y', 'y2', 'z')),
  boxpoints: maybe(fc.constantFrom('all', 'outliers', false)),
  nbinsx: maybe(number),
  xbins: maybe(fc.record({ start: maybe(number), end: maybe(number), size: maybe(number) })),
  showlegend: maybe(fc.boolean()),
  zmin: maybe(number),
  zmax: maybe(number),
  texttemplate: maybe(fc.constantFrom('%{z}', '%{x:.2f} %{text}', '%{constructor}')),
  xgap: maybe(number),
});
const axis = fc.record({
  type: maybe(fc.constantFrom('linear', 'log', 'date', 'category', '-')),
  range: maybe(fc.array(value, { maxLength: 3 })),
  autorange: maybe(fc.constantFrom(true, 'reversed')),
  title: maybe(fc.oneof(word, fc.record({ text: word }))),
  dtick: maybe(number),
  tickvals: maybe(values),
  ticktext: maybe(values),
  tickformat: maybe(fc.constantFrom('d', '.2f', '~g', ',.1%', '%b', word)),
  domain: maybe(fc.array(number, { maxLength: 2 })),
  visible: maybe(fc.boolean()),
  side: maybe(fc.constantFrom('right', 'top')),
  scaleanchor: maybe(fc.constantFrom('x', 'y')),
  showticklabels: maybe(fc.boolean()),
  rangemode: maybe(fc.constantFrom('tozero', 'nonnegative')),
  categoryorder: maybe(fc.constantFrom('category ascending', 'category descending')),
});
const shape = fc.record({
  type: fc.constantFrom('line', 'rect', 'circle', 'path'),
  xref: maybe(fc.constantFrom('paper', 'x', 'x domain', 'x2')),
  yref: maybe(fc.constantFrom('paper', 'y', 'y domain')),
  x0: maybe(value),
  x1: maybe(value),
  y0: maybe(value),
  y1: maybe(value),
  path: maybe(fc.constantFrom('M0,0L1,1Z', 'M 1 2 Q', 'x', 'M1e400,2')),
  layer: maybe(fc.constantFrom('below', 'above')),
  label: maybe(fc.record({ text: word, textposition: maybe(fc.constantFrom('start', 'top right', 'end')) })),
});
const layout = fc.record({
  height: maybe(number),
  barmode: maybe(fc.constantFrom('group', 'stack', 'overlay', 'relative')),
  bargap: maybe(number),
  showlegend: maybe(fc.boolean()),
  xaxis: maybe(axis),
  yaxis: maybe(axis),
  xaxis2: maybe(axis),
  yaxis2: maybe(axis),
  shapes: maybe(fc.array(shape, { maxLength: 3 })),
  annotations: maybe(
    fc.array(fc.record({ x: value, y: value, text: word, ax: maybe(number) }), { maxLength: 2 }),
  ),
  colorway: maybe(fc.array(word, { maxLength: 2 })),
});

/** As it would be read again: without what JSON does not have. */
const json = <Value>(given: Value): Value => JSON.parse(JSON.stringify(given)) as Value;

/** Any figure of the types that charts are made of, with any values. */
export const anyChart: fc.Arbitrary<ChartSpec> = fc
  .record({ data: fc.array(trace, { maxLength: 4 }), layout, title: word })
  .map(({ data, layout: given, title }) =>
    json(chartOf(data as readonly JsonObject[], given as unknown as JsonObject, { title })),
  );

/** Any JSON in place of a figure. */
export const anyJson: fc.Arbitrary<ChartSpec> = fc
  .record({
    kind: fc.constantFrom<ChartSpec['kind']>('LINE', 'INDICATOR', 'HEATMAP'),
    data: fc.array(
      fc.dictionary(
        fc.constantFrom('type', 'x', 'y', 'z', 'marker', 'mode', 'value', 'meta', 'number'),
        fc.jsonValue(),
      ),
      { maxLength: 3 },
    ),
    layout: fc.dictionary(
      fc.constantFrom('xaxis', 'yaxis', 'shapes', 'title', 'height', 'legend'),
      fc.jsonValue(),
    ),
  })
  .map(({ kind, data, layout: given }) =>
    json(chartOf(data as readonly JsonObject[], given as JsonObject, { kind })),
  );
