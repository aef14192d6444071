import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Figures } from '../../bench/peers/cases.ts';
import { exponentOf } from '../../bench/peers/growth.ts';
import { costPlot, drawPlot, growthPlots } from '../../bench/peers/plots.ts';
import { resultsText } from '../../bench/peers/results.ts';
import { ageOf, orderIn, promptOf, tokenOfNow, TOKEN_LENGTH } from '../../bench/peers/words.ts';

const figures = (rest: Partial<Figures>): Figures => ({
  serverUsPerToken: 20,
  postgresUsPerToken: null,
  p50Ms: 1,
  p99Ms: 2,
  wallMs: 3,
  ...rest,
});

test('a token says how long ago it was sent, wherever it stands in a text', () => {
  const sent = Number(process.hrtime.bigint()) / 1e6;
  const [first, second] = [tokenOfNow(), tokenOfNow()];
  expect(first).toHaveLength(TOKEN_LENGTH);
  const ages = [0, TOKEN_LENGTH].map((start) => ageOf(first + second, start, sent + 60_000));
  // Both were made after `sent`, so they are younger than a minute then.
  expect(Math.max(...ages)).toBeLessThanOrEqual(60_000.002);
  expect(ages[1]).toBeLessThanOrEqual(ages[0] ?? 0);
  expect(ageOf(first, 0, sent + 70_000) - (ages[0] ?? 0)).toBeCloseTo(10_000, 1);
});

test('an order is read back from any text that holds its prompt', () => {
  const orders = fc.record({
    id: fc.stringMatching(/^[a-z0-9]{1,32}$/u),
    tokens: fc.nat(),
    intervalMs: fc.nat(),
    calls: fc.nat(),
  });
  fc.assert(
    fc.property(orders, fc.string(), (order, before) => {
      expect(orderIn(`${before} ${promptOf(order)}\n(context)`)).toEqual(order);
    }),
  );
  expect(orderIn('How is the chip?')).toBeNull();
});

test('the report compares medians of server and Postgres with yoga, and names what could not be measured', () => {
  const cost = (serverUsPerToken: number, postgresUsPerToken: number | null) =>
    figures({ serverUsPerToken, postgresUsPerToken });
  const rows = [
    { name: 'yoga', runs: [cost(10, null), cost(20, null), cost(90, null)], missing: null },
    { name: 'QPilot', runs: [cost(20, 30)], missing: null },
    { name: 'fetch', runs: [], missing: 'cannot' },
    { name: 'ai', runs: [], missing: '3 of 5 tokens came' },
  ];
  const calls = { name: 'calls', what: 'ten answers', point: null, rows };
  const text = resultsText([calls], {
    startedAt: new Date('2026-05-20T01:00:00Z'),
    rounds: 3,
    note: 'A loaded machine.',
  });
  const cells = (name: string): readonly string[] =>
    (text.split('\n').find((line) => line.startsWith(`| ${name}`)) ?? '')
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
  expect(cells('yoga')).toEqual(['yoga', '20.0', '–', '1.0', '2.0', '3.0', '1.00']);
  expect(cells('QPilot')).toEqual(['QPilot', '20.0', '30.0', '1.0', '2.0', '3.0', '2.50']);
  expect(cells('ai')[0]).toBe('ai (failed: 3 of 5 tokens came)');
  expect(text).toContain('Not possible with fetch.');
  expect(text).toContain('**A loaded machine.**');
  expect(text).toContain('![Processor time of a token: ten answers](plots/calls.svg)');
  expect(drawPlot(costPlot(calls)!)).toMatch(/>Postgres<.*>yoga<.*>QPilot<.*>μs a token</su);
  expect(costPlot({ ...calls, rows: rows.slice(2) })).toBeNull();
});

test('the report says how a cost grows, for those of whom two sizes were measured', () => {
  const at = (viewers: number, rows: readonly (readonly [name: string, usPerToken: number | null])[]) => ({
    name: `viewers-${viewers}`,
    what: 'one answer',
    point: { of: 'viewers of one answer', size: viewers, tokens: 1000 } as const,
    rows: rows.map(([name, usPerToken]) => ({
      name,
      runs: usPerToken === null ? [] : [figures({ serverUsPerToken: usPerToken })],
      missing: usPerToken === null ? 'timed out' : null,
    })),
  });
  const measured = [
    at(1, [['QPilot', 10], ['yoga', 10], ['ai', 5]]), // prettier-ignore
    at(10, [['QPilot', 20], ['yoga', 100], ['ai', null]]), // prettier-ignore
    at(100, [['QPilot', 40], ['yoga', 1000], ['ai', null]]), // prettier-ignore
  ];
  const text = resultsText(measured, { startedAt: new Date('2026-05-20T01:00:00Z'), rounds: 3, note: '' });
  expect(text).toContain('| viewers of one answer | 1 | 10 | 100 | exponent |');
  expect(text).toContain('| QPilot | 10.0 | 20.0 | 40.0 | 0.30 |');
  expect(text).toContain('| yoga | 10.0 | 100 | 1000 | 1.00 |');
  expect(text).not.toMatch(/\| ai \| 5\.0 \| –/u);
  const [plot] = growthPlots(measured);
  expect(text).toContain(`(plots/${plot?.file})`);
  const svg = drawPlot(plot!);
  expect(svg).toMatch(/>QPilot<.*>yoga</su);
  expect(svg).not.toContain('>ai<');
});

test('an exponent is found in any power law, and in no single size', () => {
  const positive = fc.double({ min: 0.1, max: 3, noNaN: true });
  fc.assert(
    fc.property(positive, fc.double({ min: -2, max: 3, noNaN: true }), (factor, exponent) => {
      const points = [1, 7, 40, 500].map((size) => ({ size, costMs: factor * size ** exponent }));
      expect(exponentOf(points)).toBeCloseTo(exponent, 6);
    }),
  );
  expect(exponentOf([{ size: 3, costMs: 1 }])).toBeNull();
  expect(exponentOf([])).toBeNull();
});
