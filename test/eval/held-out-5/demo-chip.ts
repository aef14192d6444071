/** The demo chip as its documents have it: 64 qubits, sixty days, no T2 above twice T1, one readout line open. */
import { createHash } from 'node:crypto';
import { makeDemo } from '../../../src/import/demo.ts';
import type { Known } from '../held-out/device.ts';
import { EVAL_NOW } from '../now.ts';
import { inBase } from '../scoring/true-figures.ts';

/** A result of a qubit (`7`) or pair, lower number first (`1-3`). */
type Result = { readonly id: string; readonly value: number; readonly day: string };

export type DemoChip = Known & {
  /** The newest result of each part. */
  readonly now: (parameter: string) => readonly Result[];
  /** All results of a part, oldest first. */
  readonly series: (parameter: string, id: string) => readonly Result[];
};

const UNITS: Readonly<Record<string, string>> = {
  t1: 'μs',
  t2_echo: 'μs',
  t2_star: 'μs',
  qubit_frequency: 'GHz',
  anharmonicity: 'GHz',
};

/** Its documents as of the day on which questions are asked: completed runs that are not excluded. */
export function readDemoChip(): DemoChip {
  const { taskResults } = makeDemo(EVAL_NOW);
  const all = taskResults
    .filter(({ status, excluded }) => status === 'completed' && !excluded)
    .flatMap(({ qid, output_parameters: outputs }) =>
      Object.entries(outputs).flatMap(([parameter, { value, calibrated_at: at }]) =>
        typeof value === 'number'
          ? [
              {
                parameter,
                id: qid
                  .split('-')
                  .toSorted((a, b) => Number(a) - Number(b))
                  .join('-'),
                value,
                day: new Date(at).toISOString(),
              },
            ]
          : [],
      ),
    )
    .toSorted((a, b) => (a.day < b.day ? -1 : 1));
  const series = (parameter: string, id: string): readonly Result[] =>
    all.filter((each) => each.parameter === parameter && each.id === id);
  return {
    name: 'demo-64',
    pairs: new Set(all.flatMap(({ id }) => (id.includes('-') ? [id] : []))),
    figures: new Map(
      [...Map.groupBy(all, ({ id }) => id)].map(([id, own]) => [
        id,
        own.map(({ parameter, value }) => inBase(value, UNITS[parameter] ?? 'fraction')),
      ]),
    ),
    digest: createHash('sha256').update(JSON.stringify(all)).digest('hex'),
    now: (parameter) => [
      ...new Map(all.filter((each) => each.parameter === parameter).map((each) => [each.id, each])).values(),
    ],
    series,
  };
}
