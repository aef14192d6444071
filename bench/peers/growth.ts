/** How the cost of a contender grows along a curve of cases: a section of the report. */
import { costOf, digits, medianOf, type CaseResult } from './figures.ts';

type Point = { readonly size: number; readonly costMs: number };

/**
 * The exponent e with which cost grows as size^e: the slope of a straight line through the logarithms, by least squares.
 * Null unless there are two sizes.
 */
export function exponentOf(points: readonly Point[]): number | null {
  const logs = points.map(({ size, costMs }) => [Math.log(size), Math.log(costMs)] as const);
  const mean = (of: (log: readonly [number, number]) => number): number =>
    logs.reduce((sum, log) => sum + of(log), 0) / logs.length;
  const [meanX, meanY] = [mean(([x]) => x), mean(([, y]) => y)];
  const spread = mean(([x]) => (x - meanX) ** 2);
  return spread > 0 ? mean(([x, y]) => (x - meanX) * (y - meanY)) / spread : null;
}

/** The costs of each contender that has two points or more of a curve. */
export type Curve = {
  readonly of: string;
  readonly sizes: readonly number[];
  readonly lines: readonly { readonly name: string; readonly points: readonly Point[] }[];
};

/** The curves of which at least two cases were measured. */
export function curvesOf(results: readonly CaseResult[]): readonly Curve[] {
  const curves = Map.groupBy(
    results.filter(({ point }) => point !== null),
    ({ point }) => point?.of,
  );
  return [...curves].flatMap(([of, cases]) => {
    if (of === undefined || cases.length < 2) return [];
    const names = cases[0]?.rows.map(({ name }) => name) ?? [];
    const lines = names
      .map((name) => ({ name, points: cases.flatMap((each) => pointOf(each, name) ?? []) }))
      .filter(({ points }) => points.length > 1);
    return [{ of, sizes: cases.flatMap(({ point }) => point?.size ?? []), lines }];
  });
}

/** A table for each curve; empty where there is none. */
export function growthText(results: readonly CaseResult[], plots: readonly string[]): string {
  const tables = curvesOf(results).map(curveText);
  return tables.length === 0 ? '' : ['## Growth', ABOUT, ...tables, ...plots].join('\n\n');
}

const ABOUT = `Processor time in all, server and Postgres together, in ms. Exponent: the cost grows as the size to this power, by least squares
of the logarithms; 1 is in proportion.`;

function curveText({ of, sizes, lines }: Curve): string {
  const rows = lines.map(({ name, points }) => {
    const costs = sizes.map((size) => digits(points.find((point) => point.size === size)?.costMs ?? null));
    return `| ${[name, ...costs, exponentOf(points)?.toFixed(2) ?? '–'].join(' | ')} |`;
  });
  return [
    `| ${[of, ...sizes.map((size) => size.toLocaleString('en-US')), 'exponent'].join(' | ')} |`,
    `| --- |${' ---: |'.repeat(sizes.length + 1)}`,
    ...rows,
  ].join('\n');
}

function pointOf({ point, rows }: CaseResult, name: string): Point | null {
  const usPerToken = medianOf(rows.find((row) => row.name === name)?.runs ?? [], costOf);
  return point === null || usPerToken === null
    ? null
    : { size: point.size, costMs: (usPerToken * point.tokens) / 1000 };
}
