/** What the report is made of. */
import { quantile } from '../rounds.ts';
import type { CurvePoint, Figures } from './cases.ts';

/** A case with what each contender gave; `missing` says why there is nothing. */
export type CaseResult = {
  readonly name: string;
  readonly what: string;
  readonly point: CurvePoint | null;
  readonly rows: readonly {
    readonly name: string;
    readonly runs: readonly Figures[];
    readonly missing: string | null;
  }[];
};

/** Server and Postgres together, in microseconds a token. */
export const costOf = ({ serverUsPerToken, postgresUsPerToken }: Figures): number | null =>
  serverUsPerToken === null ? null : serverUsPerToken + (postgresUsPerToken ?? 0);

/** The median of what the runs have; null where none has it. */
export function medianOf(runs: readonly Figures[], of: (figures: Figures) => number | null): number | null {
  const numbers = runs.flatMap((run) => of(run) ?? []);
  return numbers.length === 0 ? null : quantile(numbers, 0.5);
}

/** A figure of the tables. */
export function digits(value: number | null): string {
  if (value === null) return '–';
  return value.toFixed(Math.abs(value) >= 100 ? 0 : 1);
}
