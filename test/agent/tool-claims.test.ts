/** T5: what rankings and heatmaps say of real devices, held against their values by rules of this file's own. */
import { oncePerPair } from '../../src/domain/qid.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Metric } from '../../src/domain/values/metric.ts';
import { shippedMetrics } from '../support/catalogue.ts';
import { DEMO_NOW, demoViewer, type DemoDatabase } from '../support/demo-database.ts';
import { openSnapshotDatabase, SNAPSHOT_CHIPS } from '../support/snapshot-database.ts';
import { argumentsOf, openToolBench, type ToolBench } from '../support/tool-bench.ts';

const ORDERS = ['best', 'worst', 'highest', 'lowest'] as const;
const COUNTS = [1, 5, 20];

let db: DemoDatabase;
beforeAll(async () => {
  db = await openSnapshotDatabase();
});
afterAll(() => db.close());

type Values = ReadonlyMap<string, number>;

/** Current values in display scale by label, without those of disabled parts. */
async function valuesOf({ context }: ToolBench, chipId: string, { name, scope }: Metric): Promise<Values> {
  const chip = await context.services.chips.get(demoViewer, chipId);
  const { loaders } = context;
  // What the chip does not have is looked for in the newest runs of all tasks, which takes a second and finds nothing.
  const kinds = await context.services.parameterNames.kinds(chip, name);
  if (!kinds.includes(scope)) return new Map();
  const loader = scope === 'QUBIT' ? loaders.chipMetric : loaders.couplingMetric;
  const { values } = await loader.load({ chip, name, selection: 'LATEST', withinHours: null });
  // A pair that is the same both ways stands once.
  const once = oncePerPair(values, (a, b) => a.displayValue === b.displayValue && a.state === b.state);
  return new Map(
    once.flatMap(({ label, displayValue }) =>
      displayValue === null ? [] : [[label, displayValue] as const],
    ),
  );
}

/** Whether `a` belongs before `b`. */
function isBefore(order: (typeof ORDERS)[number], { direction }: Metric, a: number, b: number): boolean {
  const wantsMore =
    order === 'highest' || (order !== 'lowest' && (direction === 'HIGHER_IS_BETTER') === (order === 'best'));
  return wantsMore ? a > b : a < b;
}

/** `Q45 9.65 μs (bad, tied), Q27 …` of a ranking. */
const listed = (sentence: string) =>
  [...sentence.replace(/^.*?: /u, '').matchAll(/(Q\S+) -?[\d.e+-]+[^(,]*(?:\(([^)]*)\))?/gu)].map(
    ([, label = '', notes = '']) => ({ label, isTied: notes.split(', ').includes('tied') }),
  );

describe.each(['demo-64', ...SNAPSHOT_CHIPS])('T5: of %s', (chipId) => {
  test('each ranking lists what its words say, in that order, ties and what is left out included', async () => {
    const bench = openToolBench({ services: db.services, viewer: demoViewer, chipId, now: DEMO_NOW });
    const seen = new Set<string>();
    let claims = 0;
    for (const metric of shippedMetrics.metrics) {
      // A name of both scopes is ranked over qubits.
      if (seen.has(metric.name)) continue;
      seen.add(metric.name);
      const values = await valuesOf(bench, chipId, metric);
      if (values.size === 0) continue;
      for (const order of ORDERS) {
        if (metric.direction === 'NEUTRAL' && (order === 'best' || order === 'worst')) continue;
        for (const count of COUNTS) {
          const args = argumentsOf('rank_qubits', { metric_name: metric.name, order, count });
          const { formattedSummary } = await bench.result('rank_qubits', args);
          const [sentence = '', ...more] = formattedSummary.split('\n');
          const rows = listed(sentence);
          const what = `${metric.name} ${order} ${count}: ${sentence}`;
          expect([what, rows.length]).toEqual([what, Math.min(count, values.size)]);
          const shown = rows.map(({ label }) => values.get(label)!);
          const others = [...values].filter(([label]) => !rows.some((row) => row.label === label));
          for (const [index, value] of shown.entries()) {
            const behind = [...shown.slice(index + 1), ...others.map(([, other]) => other)];
            expect([what, behind.filter((other) => isBefore(order, metric, other, value))]).toEqual([
              what,
              [],
            ]);
            const same = [...values.values()].filter((other) => other === value).length;
            expect([what, rows[index]!.isTied]).toEqual([what, same > 1]);
            claims += 2;
          }
          const tied = others.filter(([, other]) => other === shown.at(-1)).length;
          const said = /^(\d+) more (?:is|are) tied/u.exec(more[0] ?? '')?.[1] ?? '0';
          expect([what, Number(said)]).toEqual([what, tied]);
          claims += 1;
        }
      }
      if (metric.scope !== 'QUBIT') continue;
      const drawn = await bench.result(
        'generate_chip_heatmap',
        argumentsOf('generate_chip_heatmap', { metric_name: metric.name }),
      );
      const [low, high] = [Math.min(...values.values()), Math.max(...values.values())];
      const ends = /lowest ((?:Q\d+(?:, | )?)+).*?, highest ((?:Q\d+(?:, | )?)+)/u.exec(
        drawn.formattedSummary,
      );
      if (ends === null) expect([metric.name, low === high]).toEqual([metric.name, true]);
      else {
        for (const [words, end] of [
          [ends[1]!, low],
          [ends[2]!, high],
        ] as const) {
          const labels = words.match(/Q\d+/gu)!;
          expect([metric.name, labels.map((label) => values.get(label))]).toEqual([
            metric.name,
            labels.map(() => end),
          ]);
          claims += 1;
        }
      }
    }
    expect(claims).toBeGreaterThan(400);
  });
});
