/** Chips whose files have many times: daily tables, and versions of a platform. Shares no code with src. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Known } from '../held-out/device.ts';
import { inBase, withDifferences, type BaseFigure, type TrueFigures } from '../scoring/true-figures.ts';

/** A value of a day. */
export type Point = { readonly day: string; readonly value: number };

/** A chip with what was measured of each part, oldest first; times in μs, frequencies in GHz, errors as fractions. */
export type Series<Metric extends string> = Known & {
  readonly of: (metric: Metric, part: string | number) => readonly Point[];
};

/** Qubits of both chips. */
export const QUBITS = ['0', '1', '2', '3', '4'];

/** The newest value of each qubit. */
export const nowOf = <Metric extends string>({ of }: Series<Metric>, metric: Metric) =>
  QUBITS.map((id) => ({ id, value: newest(of(metric, id)) }));

/** Metrics of the daily tables; `cx` has a part for each direction, such as `2-1`. */
export type AthensMetric = 't1' | 'readout' | 'cx';
/** Metrics of the platform; `assignment` is `readout.fidelity`, 1 - P(0|1) - P(1|0). */
export type PlatinumMetric =
  't1' | 't1 error' | 't2 star' | 't2 echo' | 'assignment' | 'f01' | 'f12' | 'temperature';

/** Below `data` of the shared folder. */
export const ATHENS_FILES = {
  t1: 'lab-tables/ibmq_athens_t1.csv',
  readout: 'lab-tables/ibmq_athens_readout_error.csv',
  cx: 'lab-tables/ibmq_athens_cnot_error.csv',
} as const;

/** One version a day, none of a day after the one on which questions are asked. */
export const PLATINUM_FILES: readonly string[] = [
  '2025-03-10.77ce704',
  '2025-03-11.71d3ce7',
  '2025-03-12.47c32fc',
  '2025-03-13.1b68f4f',
  '2025-03-18.15cf0c9',
  '2025-03-21.c0ec719',
  '2025-03-24.a236616',
  '2026-03-03.96653ee',
  '2026-03-04.e560322',
  '2026-05-12.9bf9938',
  '2026-05-18.d69d81c',
  '2026-05-19.90f48dc',
].map((version) => `lab-series/qw5q_platinum.${version}.json`);

type Value = Point & { readonly metric: string; readonly part: string; readonly unit: string };

/** Tables of a column for each part. */
export async function readAthens(folder: string): Promise<Series<AthensMetric>> {
  const tables = Object.entries(ATHENS_FILES);
  const texts = await Promise.all(tables.map(([, file]) => readFile(join(folder, file), 'utf8')));
  const values = tables.flatMap(([metric], index) => {
    const [, header = '', ...rows] = (texts[index] ?? '').trim().split('\n');
    const parts = [...header.matchAll(/q(\d)|\((\d),(\d)\)/gu)].map(
      ([, qubit, a, b]) => qubit ?? `${a}-${b}`,
    );
    return rows.flatMap((row) => {
      const [day = '', ...cells] = row.split(',');
      return cells.flatMap((cell, column): Value[] => {
        const part = parts[column] ?? '';
        if (cell === 'no data') return [];
        return metric === 't1'
          ? [{ metric, part, day, value: Number(cell) * 1e6, unit: 'μs' }]
          : [{ metric, part, day, value: Number(cell), unit: 'fraction' }];
      });
    });
  });
  return seriesOf('athens', values, texts, ['0-1', '1-2', '1-3', '3-4']);
}

const measured = z.tuple([z.number().nullable(), z.number().nullable()]).nullish();
const platform = z.object({
  single_qubits: z.record(
    z.string(),
    z.object({
      qubit: z.object({ frequency_01: z.number().nullish(), frequency_12: z.number().nullish() }),
      readout: z.object({ fidelity: z.number().nullish(), effective_temperature: z.number().nullish() }),
      t1: measured,
      t2: measured,
      t2_spin_echo: measured,
    }),
  ),
});

/** Versions of a platform; each has all values that stood in it. */
export async function readPlatinum(folder: string): Promise<Series<PlatinumMetric>> {
  const texts = await Promise.all(PLATINUM_FILES.map((file) => readFile(join(folder, file), 'utf8')));
  const values = texts.flatMap((text, index) => {
    const day = /\d{4}-\d{2}-\d{2}/u.exec(PLATINUM_FILES[index] ?? '')?.[0] ?? '';
    return Object.entries(platform.parse(JSON.parse(text)).single_qubits).flatMap(([part, row]) => {
      const one = (
        metric: PlatinumMetric,
        value: number | null | undefined,
        factor: number,
        unit: string,
      ): Value[] =>
        // Null and 0 both mean that nothing was measured.
        (value ?? 0) === 0 ? [] : [{ metric, part, day, value: (value ?? 0) * factor, unit }];
      return [
        ...one('t1', row.t1?.[0], 1e-3, 'μs'),
        ...one('t1 error', row.t1?.[1], 1e-3, 'μs'),
        ...one('t2 star', row.t2?.[0], 1e-3, 'μs'),
        ...one('t2 echo', row.t2_spin_echo?.[0], 1e-3, 'μs'),
        ...one('assignment', row.readout.fidelity, 1, 'fraction'),
        ...one('f01', row.qubit.frequency_01, 1e-9, 'GHz'),
        ...one('f12', row.qubit.frequency_12, 1e-9, 'GHz'),
        ...one('temperature', row.readout.effective_temperature, 1, 'K'),
      ];
    });
  });
  return seriesOf('platinum', values, texts, ['0-2', '1-2', '2-3', '2-4']);
}

function seriesOf<Metric extends string>(
  name: string,
  values: readonly Value[],
  texts: readonly string[],
  pairs: readonly string[],
): Series<Metric> {
  const days = [...Map.groupBy(values, ({ day }) => day)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return {
    name,
    pairs: new Set(pairs),
    figures: withDifferences(days.map(([, some]) => figuresOf(some))),
    digest: createHash('sha256').update(texts.join('')).digest('hex'),
    of: (metric, part) => {
      const own = values.filter((each) => each.metric === metric && each.part === String(part));
      if (own.length === 0) throw new Error(`${name} has no ${metric} of ${part}`);
      return own.map(({ day, value }) => ({ day, value })).toSorted((a, b) => (a.day < b.day ? -1 : 1));
    },
  };
}

/** Of a pair both directions; of a readout fidelity also what it is as an assignment fidelity. */
function figuresOf(values: readonly Value[]): TrueFigures {
  const known = values.flatMap(({ metric, part, value, unit }) => {
    const id = part.split('-').toSorted().join('-');
    const forms: BaseFigure[] = [inBase(value, unit)];
    if (metric === 'assignment') forms.push(inBase((1 + value) / 2, unit));
    const f01 = values.find((each) => each.metric === 'f01' && each.part === part);
    if (metric === 'f12' && f01 !== undefined) forms.push(inBase(value - f01.value, unit));
    return forms.map((form) => [id, form] as const);
  });
  return new Map(
    [...Map.groupBy(known, ([id]) => id)].map(([id, own]) => [id, own.map(([, figure]) => figure)]),
  );
}

/** The point of this day. @throws Error where there is none: a mistake of the question. */
export function on(points: readonly Point[], day: string): number {
  const found = points.find((point) => point.day === day);
  if (found === undefined) throw new Error(`nothing on ${day}`);
  return found.value;
}

/** The newest point. */
export const newest = (points: readonly Point[]): number => on(points, points.at(-1)?.day ?? '');

/** Values from one day to another, both included. */
export const during = (points: readonly Point[], from: string, to: string): readonly number[] =>
  points.filter(({ day }) => day >= from && day <= to).map(({ value }) => value);

/** A point by its size: the lowest or, with -1, the highest. */
export const extreme = (points: readonly Point[], sign: 1 | -1): Point =>
  points.toSorted((a, b) => sign * (a.value - b.value))[0] ?? { day: '', value: Number.NaN };
