import { describe, expect, test } from '@jest/globals';
import { sandboxVisuals } from '../../src/domain/visual-rules/sandbox.ts';
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
    const { visuals } = shown({
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
      /an indicator cannot stand among/,
    ],
  ])('are refused for %s, in plain words', (_what, data, words) => {
    const { visuals, refused } = shown({ data, layout: { title: 'Own' } });
    expect(visuals).toEqual([]);
    expect(refused).toEqual([expect.stringMatching(words)]);
    expect(refused[0]).toMatch(/^Own: not shown/);
  });
});
