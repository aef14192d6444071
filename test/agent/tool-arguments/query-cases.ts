/** Arguments of `query_values`, each against the rows of the whole chip. */
import { expect } from '@jest/globals';
import type { ToolBench } from '../../support/tool-bench.ts';
import { argumentsOf } from '../../support/tool-bench.ts';
import { argument, type ArgumentCase } from './argument-case.ts';

type Row = { readonly qid: string; readonly value: number };
type Queried = {
  readonly parts: number;
  readonly matching: number;
  readonly undecided: readonly string[];
  readonly figures: Readonly<Record<string, number | null>>;
  readonly rows: readonly Row[];
};

const ask = { show: 't1', where: [], join: 'and', order: 'lowest', count: 100 };
const LIMIT = 60;

/** Every T1 of the demo, in μs, by qubit. */
async function everyT1(bench: ToolBench): Promise<ReadonlyMap<string, number>> {
  const { data } = await bench.result('query_values', argumentsOf('query_values', ask));
  return new Map((data as Queried).rows.map(({ qid, value }) => [qid, value]));
}

let t1: ReadonlyMap<string, number> = new Map();
/** A case whose expectation needs the values of the whole chip. */
const query = (
  says: string,
  args: object,
  holds: (data: Queried, t1s: ReadonlyMap<string, number>, words: string) => void,
): ArgumentCase => ({
  tool: 'query_values',
  says,
  args: async (bench) => {
    t1 = await everyT1(bench);
    return { ...ask, ...args };
  },
  holds: (data, { formattedSummary }) => holds(data as Queried, t1, formattedSummary),
});

const t1Is = (is: string, value = LIMIT, more: object = {}): object => ({
  where: [{ quantity: 't1', is, value, unit: null, than: null, ...more }],
});

const COMPARED: readonly (readonly [string, (value: number) => boolean])[] = [
  ['above', (value) => value > LIMIT],
  ['at_least', (value) => value >= LIMIT],
  ['below', (value) => value < LIMIT],
  ['at_most', (value) => value <= LIMIT],
  ['equal', (value) => value === LIMIT],
  ['unequal', (value) => value !== LIMIT],
];

const FIGURES: readonly (readonly [string, (sorted: readonly number[]) => number])[] = [
  ['mean', (all) => all.reduce((sum, value) => sum + value, 0) / all.length],
  ['median', (all) => (all[31]! + all[32]!) / 2],
  ['min', (all) => all[0]!],
  ['max', (all) => all.at(-1)!],
  ['percentile', (all) => all[56]! + (all[57]! - all[56]!) * 0.7],
];

export const QUERY_CASES: readonly ArgumentCase[] = [
  ...COMPARED.map(([is, holds]) =>
    query(`T1 is ${is} 60 μs`, t1Is(is), ({ parts, matching, rows }, t1s) => {
      expect(parts).toBe(64);
      expect(matching).toBe([...t1s.values()].filter(holds).length);
      expect(rows.every(({ value }) => holds(value))).toBe(true);
    }),
  ),
  query('a limit in another unit', t1Is('below', 0.06, { unit: 'ms' }), ({ matching }, t1s) =>
    expect(matching).toBe([...t1s.values()].filter((value) => value < LIMIT).length),
  ),
  query(
    'a multiple of another quantity',
    t1Is('above', 1, { quantity: 't2_echo', than: 't1' }),
    (_data, _t1s, words) =>
      expect(words).toMatch(/^\d+ of 64 qubits on demo-64 (?:has|have) T2 Echo above T1 \(/u),
  ),
  query(
    'either of two conditions',
    {
      ...t1Is('below', 40),
      join: 'or',
      where: [20, 90].map((value) => ({
        quantity: 't1',
        is: value < 50 ? 'below' : 'above',
        value,
        unit: null,
        than: null,
      })),
    },
    ({ matching }, t1s) =>
      expect(matching).toBe([...t1s.values()].filter((value) => value < 20 || value > 90).length),
  ),
  query('highest first', { order: 'highest', count: 3 }, ({ rows }, t1s) =>
    expect(rows.map(({ value }) => value)).toEqual([...t1s.values()].toSorted((a, b) => b - a).slice(0, 3)),
  ),
  query('only some qubits', { qids: ['Q03', '5'] }, ({ rows }) =>
    expect(rows.map(({ qid }) => qid).toSorted()).toEqual(['3', '5']),
  ),
  query('all but some', { without: ['45'] }, ({ parts, rows }) => {
    expect(parts).toBe(63);
    expect(rows.map(({ qid }) => qid)).not.toContain('45');
  }),
  query('another unit to answer in', { unit: 'ms', figure: 'max' }, (_data, t1s, words) =>
    expect(words).toContain(`: ${(Math.max(...t1s.values()) / 1000).toFixed(4)} ms.`),
  ),
  ...FIGURES.map(([figure, of]) =>
    query(figure, { figure, percent: figure === 'percentile' ? 90 : null }, ({ figures }, t1s) =>
      expect(figures[figure]).toBeCloseTo(of([...t1s.values()].toSorted((a, b) => a - b)), 9),
    ),
  ),
  query('the sample deviation', { figure: 'stdev' }, ({ figures }, t1s) => {
    const mean = [...t1s.values()].reduce((sum, value) => sum + value, 0) / 64;
    const squares = [...t1s.values()].reduce((sum, value) => sum + (value - mean) ** 2, 0);
    expect(figures['stdev']).toBeCloseTo(Math.sqrt(squares / 63), 9);
  }),
  argument<Queried>(
    'query_values',
    "the error of a coupling's fidelity",
    {
      ...ask,
      show: '1 - zx90_gate_fidelity',
      order: 'highest',
      where: [{ quantity: '1 - zx90_gate_fidelity', is: 'above', value: 1, unit: '%', than: null }],
    },
    ({ parts, rows }) => {
      expect(parts).toBe(112);
      expect(rows.length).toBeGreaterThan(0);
      expect(rows.every(({ value }) => value > 1)).toBe(true);
    },
  ),
];
