import type { Stores } from '@qpilot/embedded-stores';

/**
 * One figure of a bench. Rates and ratios are made from runs that were interleaved, so that a busy machine spares
 * none.
 */
export type Row = {
  /** What was measured, with its circumstances. */
  readonly what: string;
  readonly value: number;
  /** For example `ms`; `×` for a ratio. */
  readonly unit: string;
  /** Goal: at most this, in `unit`; null for figures that explain others. */
  readonly limit: number | null;
};

/** What a bench works with. */
export type BenchContext = {
  /** Stores of this run alone, with fsync as in production. */
  readonly stores: Stores;
  /** Reports progress to the person who waits. */
  readonly progress: (text: string) => void;
};

/** Measures one thing and leaves nothing running. */
export type Bench = (context: BenchContext) => Promise<readonly Row[]>;

const rowIn =
  (unit: string) =>
  (what: string, value: number, limit: number | null = null): Row => ({ what, value, unit, limit });

/** Rows by unit; see {@link Row}. */
export const inMs = rowIn('ms');
export const inMicroseconds = rowIn('μs');
export const inKilobytes = rowIn('kB');
export const inMegabytes = rowIn('MB');
export const asRatio = rowIn('×');
export const asCount = rowIn('');
export const asPercent = rowIn('%');
