/** A device of a grid as its calibration file has it, numbered row by row. Shares no code with src. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Known } from '../held-out/device.ts';
import { inBase } from '../scoring/true-figures.ts';

const calibration = z.object({
  metrics: z.object({
    metrics: z.array(
      z.object({
        name: z.string(),
        targets: z.array(z.string()),
        values: z.tuple([z.object({ doubleVal: z.number() })]),
      }),
    ),
  }),
});

/** A value of a qubit (`7`) or pair, lower number first (`7-8`). */
export type Row = { readonly id: string; readonly value: number };

/** Errors are fractions, T1 is in μs. */
export type Grid = Known & {
  /** All values of a metric, by its name in the file. */
  readonly rows: (metric: string) => readonly Row[];
  readonly value: (metric: string, id: string) => number;
  /** Mean of the p00 and p11 errors. */
  readonly readout: readonly Row[];
};

/** Below `data` of the shared folder. */
export const RAINBOW_FILE = 'lab-tables/rainbow_2021_11_16_calibration.json';

export async function readGrid(folder: string): Promise<Grid> {
  const text = await readFile(join(folder, RAINBOW_FILE), 'utf8');
  const { metrics } = calibration.parse(JSON.parse(text)).metrics;
  const places = [...new Set(metrics.flatMap(({ targets }) => targets))].toSorted((a, b) => {
    const [[rowA = 0, columnA = 0], [rowB = 0, columnB = 0]] = [a, b].map((name) =>
      name.split('_').map(Number),
    ) as [number[], number[]];
    return rowA - rowB || columnA - columnB;
  });
  const idOf = (targets: readonly string[]): string =>
    targets
      .map((name) => places.indexOf(name))
      .toSorted((a, b) => a - b)
      .join('-');
  const all = metrics.map(({ name, targets, values: [{ doubleVal }] }) => ({
    name,
    id: idOf(targets),
    value: doubleVal,
  }));
  const rows = (metric: string): readonly Row[] => {
    const own = all.filter(({ name }) => name === metric);
    if (own.length === 0) throw new Error(`no ${metric}`);
    return own;
  };
  const value = (metric: string, id: string): number => {
    const found = rows(metric).find((row) => row.id === id);
    if (found === undefined) throw new Error(`no ${metric} of ${id}`);
    return found.value;
  };
  const readout = rows(P00).map((row) => ({ id: row.id, value: (row.value + value(P11, row.id)) / 2 }));
  const figures = [
    ...all.map(({ name, id, value: own }) => [id, inBase(own, name === T1 ? 'μs' : 'fraction')] as const),
    ...readout.map((row) => [row.id, inBase(row.value, 'fraction')] as const),
  ];
  return {
    name: 'rainbow',
    pairs: new Set(rows(SYCAMORE).map(({ id }) => id)),
    figures: new Map(
      [...Map.groupBy(figures, ([id]) => id)].map(([id, own]) => [id, own.map(([, figure]) => figure)]),
    ),
    digest: createHash('sha256').update(text).digest('hex'),
    rows,
    value,
    readout,
  };
}

export const T1 = 'single_qubit_idle_t1_micros';
export const P00 = 'single_qubit_p00_error';
export const P11 = 'single_qubit_p11_error';
export const RB = 'single_qubit_rb_average_error_per_gate';
export const SYCAMORE = 'two_qubit_sycamore_gate_xeb_average_error_per_cycle';
export const ISWAP = 'two_qubit_sqrt_iswap_gate_xeb_average_error_per_cycle';
export const PARALLEL_SYCAMORE = 'two_qubit_parallel_sycamore_gate_xeb_average_error_per_cycle';
export const PARALLEL_ISWAP = 'two_qubit_parallel_sqrt_iswap_gate_xeb_average_error_per_cycle';
