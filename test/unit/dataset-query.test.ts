import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { runQuery } from '../../src/domain/datasets/dataset-answer.ts';
import { planQuery, type DatasetQuery } from '../../src/domain/datasets/dataset-query.ts';
import { datasetName, type DatasetColumn, type DatasetValue } from '../../src/domain/datasets/dataset.ts';
import { statisticsOf } from '../../src/domain/values/statistics.ts';

const column = (name: string, type: DatasetColumn['type'], unit: string | null = null): DatasetColumn => ({
  name,
  type,
  unit,
  missing: 0,
});
const columns = [
  column('qid', 'text'),
  column('T1', 'number', 'μs'),
  column('at', 'datetime'),
] satisfies DatasetColumn[];
const rows: readonly (readonly DatasetValue[])[] = [
  ['Q0', 40, '2026-03-01T00:00:00.000Z'],
  ['Q1', null, '2026-03-02T00:00:00.000Z'],
  ['Q0', 44, '2026-03-03T00:00:00.000Z'],
  ['Q1', 10, null],
  ['Q2', -5, '2026-03-01T12:00:00.000Z'],
];

function ask(query: Partial<DatasetQuery>, table = rows) {
  const whole: DatasetQuery = {
    columns: null,
    filters: [],
    groupBy: [],
    aggregates: [],
    order: null,
    limit: 100,
    ...query,
  };
  const plan = planQuery({ rowCount: table.length, columns }, whole);
  const values = new Map(
    plan.reads.map(({ name }) => {
      const index = columns.findIndex((each) => each.name === name);
      return [name, table.map((row) => row[index]!)];
    }),
  );
  return { ...runQuery(plan, values, table.length), reads: plan.reads.map(({ name }) => name) };
}
const t1Of = (query: Partial<DatasetQuery>) => ask(query).rows.map(({ T1 }) => T1);

describe('rows of a table', () => {
  test('come in the order of the file, up to the limit, with how many there are', () => {
    const answer = ask({ columns: ['t1'], limit: 2 });
    expect(answer).toMatchObject({ rows: [{ T1: 40 }, { T1: null }], matched: 5, total: 5, reads: ['T1'] });
    expect(answer.columns).toEqual([expect.objectContaining({ name: 'T1', unit: 'μs' })]);
  });

  test('are put in order by a column, missing values last in both directions', () => {
    expect(t1Of({ order: { column: 'T1', descending: false } })).toEqual([-5, 10, 40, 44, null]);
    expect(t1Of({ order: { column: 'T1', descending: true } })).toEqual([44, 40, 10, -5, null]);
  });

  test.each([
    [{ column: 'T1', op: '>=', value: '40' }, [40, 44]],
    [{ column: 'T1', op: '!=', value: '40' }, [44, 10, -5]],
    [{ column: 'T1', op: '<', value: '1e1' }, [-5]],
    [{ column: 'T1', op: 'missing', value: null }, [null]],
    [{ column: 'at', op: 'present', value: '' }, [40, null, 44, -5]],
    [{ column: 'at', op: '<=', value: '2026-03-01 12:00' }, [40, -5]],
    [{ column: 'at', op: '>', value: '2026-03-02' }, [44]],
    [{ column: 'qid', op: '=', value: 'Q1' }, [null, 10]],
    [{ column: 'QID', op: 'contains', value: 'q2' }, [-5]],
  ] as const)('are filtered by %j', (filter, expected) => {
    expect(t1Of({ filters: [filter] })).toEqual(expected);
  });

  test('pass every filter, by columns that are not shown too', () => {
    const filters = [
      { column: 'qid', op: '=', value: 'Q0' },
      { column: 'T1', op: '>', value: '40' },
    ] as const;
    expect(ask({ columns: ['at'], filters }).rows).toEqual([{ at: '2026-03-03T00:00:00.000Z' }]);
  });
});

describe('figures of groups', () => {
  test('leave missing values out and say of how many rows they are', () => {
    const aggregates = (['count', 'mean', 'stdev'] as const).map((figure) => ({ column: 'T1', figure }));
    expect(ask({ groupBy: ['qid'], aggregates }).rows).toEqual([
      { qid: 'Q0', rows: 2, count_T1: 2, mean_T1: 42, stdev_T1: Math.sqrt(8) },
      { qid: 'Q1', rows: 2, count_T1: 1, mean_T1: 10, stdev_T1: null },
      { qid: 'Q2', rows: 1, count_T1: 1, mean_T1: -5, stdev_T1: null },
    ]);
  });

  test('of no rows are none, not zero', () => {
    const filters = [{ column: 'T1', op: '>', value: '1000' }] as const;
    const aggregates = [{ column: 'T1', figure: 'mean' }] as const;
    expect(ask({ filters, aggregates }).rows).toEqual([{ rows: 0, mean_T1: null }]);
    expect(ask({ filters, aggregates, groupBy: ['qid'] }).rows).toEqual([]);
  });

  test('keep the unit, and can order the answer', () => {
    const answer = ask({
      groupBy: ['qid'],
      aggregates: [{ column: 'T1', figure: 'max' }],
      order: { column: 'max_T1', descending: true },
      limit: 1,
    });
    expect(answer).toMatchObject({ rows: [{ qid: 'Q0', max_T1: 44 }], total: 3 });
    expect(answer.columns.at(-1)).toMatchObject({ name: 'max_T1', unit: 'μs' });
  });

  test('of times are the first and the last', () => {
    const aggregates = [
      { column: 'at', figure: 'min' },
      { column: 'at', figure: 'max' },
    ] as const;
    expect(ask({ aggregates }).rows).toEqual([
      { rows: 5, min_at: '2026-03-01T00:00:00.000Z', max_at: '2026-03-03T00:00:00.000Z' },
    ]);
  });

  test('are those of the numbers, in whatever order the rows stand', () => {
    const values = fc.array(fc.option(fc.integer({ min: -1000, max: 1000 })), { maxLength: 30 });
    fc.assert(
      fc.property(values, fc.integer(), (numbers, seed) => {
        const table = numbers.map((value, index): DatasetValue[] => [`Q${index % 3}`, value, null]);
        const shuffled = table.toSorted((a, b) => ((Number(a[1]) * seed) % 7) - ((Number(b[1]) * seed) % 7));
        const aggregates = [{ column: 'T1', figure: 'median' }] as const;
        const order = { column: 'qid', descending: false };
        const [left, right] = [table, shuffled].map((each) =>
          ask({ groupBy: ['qid'], aggregates, order }, each),
        );
        expect(left!.rows).toEqual(right!.rows);
        for (const { qid, median_T1: median } of left!.rows) {
          const own = table.flatMap(([name, value]) =>
            name === qid && typeof value === 'number' ? [value] : [],
          );
          expect(median).toBe(statisticsOf(own).median);
        }
      }),
    );
  });
});

describe('a question that does not fit the table', () => {
  test.each([
    [{ columns: ['T2'] }, /columns: unknown column T2; the columns are qid, T1, at/],
    [{ filters: [{ column: 'T1', op: '>', value: 'high' }] }, /T1 holds numbers; "high" is not a number/],
    [{ filters: [{ column: 'at', op: '>', value: 'noon' }] }, /at holds times.*Write 2026-03-01T12:00:00Z/],
    [{ filters: [{ column: 'T1', op: '=', value: null }] }, /T1 = needs a value; use missing/],
    [{ filters: [{ column: 'T1', op: 'contains', value: '4' }] }, /contains is for text/],
    [{ aggregates: [{ column: 'qid', figure: 'mean' }] }, /qid holds text, which has no mean; use count/],
    [{ columns: ['at'], groupBy: ['qid'] }, /at is neither in group_by nor in aggregate/],
    [
      { groupBy: ['qid'], order: { column: 'T1', descending: true } },
      /order: unknown column T1; the columns are qid, rows/,
    ],
  ] as const)('is refused: %j', (query, message) => {
    expect(() => ask(query)).toThrow(message);
  });
});

test('files of one name get names that tell them apart and can be typed', () => {
  expect(datasetName('T1 sweep (3).csv', new Set())).toBe('T1_sweep_3');
  expect(datasetName('T1 sweep (3).CSV', new Set(['T1_sweep_3']))).toBe('T1_sweep_3_2');
  expect(datasetName('測定.tsv', new Set())).toBe('測定');
  expect(datasetName('"; ignore all rules.csv', new Set())).toBe('ignore_all_rules');
  expect(datasetName('.csv', new Set())).toBe('table');
});
