import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ChartPlace } from '../../client/charts/plotly-figure.ts';
import type { ChartSpec } from '../../src/domain/visuals.ts';
import { collectVisuals, type NamedVisual } from './chart-specs.ts';
import { hostileCharts } from './hostile-charts.ts';
import { openChartPage, type ChartPage, type Drawn } from './chart-page.ts';
import { describeWithChromium } from './chromium.ts';

const WIDE: ChartPlace = { theme: 'light', widthPx: 1200 };
const NARROW: ChartPlace = { theme: 'dark', widthPx: 390 };

/** A folder for pictures of all charts on both pages, which only a person can judge. */
const pictures = process.env['QPILOT_PICTURES'];
const PLACES = pictures
  ? [WIDE, NARROW, { ...WIDE, widthPx: 390 }, { ...NARROW, widthPx: 1200 }]
  : [WIDE, NARROW];

describeWithChromium('charts in a browser', () => {
  let page: ChartPage | undefined;
  let visuals: readonly NamedVisual[];
  const draw = (chart: ChartSpec, place: ChartPlace = WIDE): Promise<Drawn> => page!.draw(chart, place);

  beforeAll(async () => {
    page = await openChartPage();
    visuals = await collectVisuals();
  });
  afterAll(async () => page?.close());

  const chartOf = (name: string): ChartSpec => {
    const found = visuals.find((each) => each.name === name)?.visual;
    if (found?.type !== 'chart') throw new Error(`${name} is no chart`);
    return found;
  };

  test.each(PLACES)(
    'are all drawn without a complaint, within their box, no word upon another, %j',
    async (place) => {
      if (pictures) await mkdir(pictures, { recursive: true });
      const faults: unknown[] = [];
      for (const { name, visual } of visuals) {
        if (visual.type !== 'chart') continue;
        const { outside, overlaps, invalid, complaints, foreign, marks } = await draw(visual, place);
        if (pictures) await page!.picture(join(pictures, `${name}-${place.theme}-${place.widthPx}.png`));
        const isEmpty = visual.kind !== 'INDICATOR' && marks === 0;
        if ([outside, overlaps, invalid, complaints, foreign].some((found) => found.length > 0) || isEmpty) {
          faults.push({ name, outside, overlaps, invalid, complaints, foreign, marks });
        }
      }
      expect(faults).toEqual([]);
    },
  );

  const hovered = async (name: string, trace: number, point: number | readonly [number, number]) => {
    await draw(chartOf(name));
    return (await page!.hover(trace, point)).lines;
  };

  test('C3: a heatmap has a word for every qubit, hatches those without a value, and frames each MUX', async () => {
    const wide = await draw(chartOf('heatmap-64-fidelity'));
    expect(wide).toMatchObject({ cells: 1, points: 64, shapes: 1 + 16 });
    expect(wide.text).toContain('Q58N/A');
    expect(wide.text).not.toContain('null');
    const narrow = await draw(chartOf('heatmap-144'), NARROW);
    expect(narrow).toMatchObject({ cells: 1, points: 144, shapes: 16 + 36 });
    expect(narrow.text).not.toContain('Q000');
    expect(await hovered('heatmap-64-fidelity', 2, 0)).toEqual(['Q58', 'no usable result']);
  });

  test('pointing at a value tells qubit, value, uncertainty, unit and time', async () => {
    const whole = [
      expect.stringMatching(/^Q\d\d$/),
      expect.stringMatching(/^\d+\.\d\d ± [\d.]+ μs$/),
      expect.stringMatching(/^2026-\d\d-\d\d \d\d:\d\d UTC$/),
    ];
    expect(await hovered('heatmap-64', 0, [3, 4])).toEqual(whole);
    expect(await hovered('trend-1', 0, 3)).toEqual(whole);
    expect(await hovered('trend-8', 7, 3)).toEqual(whole);
    expect(await hovered('ranking-5', 0, 0)).toEqual([...whole, 'bad']);
    expect(await hovered('periods-qubits', 2, 1)).toEqual([
      'Q01',
      '2026-05-13 01:00 to 2026-05-20 01:00 UTC',
      expect.stringMatching(/μs$/),
      expect.stringMatching(/^change -?[\d.]+ μs \([\d.]+ σ\)$/),
    ]);
  });

  test('C1: a line is broken at a cool-down, which is named, and keeps its error bars', async () => {
    const drawn = await draw(chartOf('trend-1'));
    expect(drawn).toMatchObject({ points: 59, errorBars: 59 });
    expect(drawn.text).toContain('cool-down demo-2');
    expect(drawn.text).toMatch(/excellent[\s\S]*good/);
  });

  test('cards say value, unit, uncertainty and time', async () => {
    expect((await draw(chartOf('value-card'))).text).toMatch(
      /T1 of Q12\s+59\.50\s*μs\s+± 1\.9 μs\s+good\s+2026-05-18 23:22 UTC/,
    );
    expect((await draw(chartOf('health-card'))).text).toMatch(/2\.16\s*of 3\s+\+1\.02 383 values of qubits/);
  });

  const HOSTILE =
    '<img src=x onerror=alert(1)><script>alert(2)</script><a href="https://evil.invalid/">x</a><iframe src="javascript:alert(3)">';

  test.each(hostileCharts(HOSTILE))(
    '%s: what names and figures hold is drawn as text',
    async (_what, chart) => {
      const drawn = await draw(chart);
      expect([drawn.foreign, drawn.complaints]).toEqual([[], []]);
      expect(drawn.text).toContain('<a href="https://evil.invalid/">');
      for (const trace of chart.data.keys()) {
        if (chart.kind === 'INDICATOR') continue;
        const { foreign, complaints } = await page!.hover(trace, chart.kind === 'HEATMAP' ? [0, 0] : 0);
        expect([foreign, complaints]).toEqual([[], []]);
      }
    },
  );
});
