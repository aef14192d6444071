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

/** A table for each curve of which at least two points were measured; empty where there is none. */
export function growthText(results: readonly CaseResult[]): string {
  const curves = Map.groupBy(
    results.filter(({ point }) => point !== null),
    ({ point }) => point?.of,
  );
  const tables = [...curves].flatMap(([of, cases]) => (of && cases.length > 1 ? curveText(of, cases) : []));
  return tables.length === 0 ? '' : ['## Growth', ABOUT, ...tables].join('\n\n');
}

const ABOUT = `Processor time in all, server and Postgres together, in ms. Exponent: the cost grows as the size to this power, by least squares
of the logarithms; 1 is in proportion.`;

function curveText(of: string, cases: readonly CaseResult[]): string {
  const sizes = cases.map(({ point }) => point?.size.toLocaleString('en-US') ?? '');
  const names = cases[0]?.rows.map(({ name }) => name) ?? [];
  const lines = names.flatMap((name) => {
    const points = cases.map((each) => pointOf(each, name));
    const known = points.filter((point) => point !== null);
    if (known.length < 2) return [];
    const costs = points.map((point) => digits(point?.costMs ?? null));
    return `| ${[name, ...costs, exponentOf(known)?.toFixed(2) ?? '–'].join(' | ')} |`;
  });
  return [
    `| ${[of, ...sizes, 'exponent'].join(' | ')} |`,
    `| --- |${' ---: |'.repeat(sizes.length + 1)}`,
    ...lines,
  ].join('\n');
}

function pointOf({ point, rows }: CaseResult, name: string): Point | null {
  const usPerToken = medianOf(rows.find((row) => row.name === name)?.runs ?? [], costOf);
  return point === null || usPerToken === null
    ? null
    : { size: point.size, costMs: (usPerToken * point.tokens) / 1000 };
}
