import { describe, expect, test } from '@jest/globals';
import { csvRows, orderedRows, rowsOf } from '../../../client/features/copilot/visuals/table-rows.ts';
import { toCsv } from '../../../src/domain/text/csv.ts';
import { cellOf, cellText, headingText, shownColumns } from '../../../client/lib/format/cell.ts';
import { drawTable } from '../../../client/terminal/draw-table.ts';
import { parametersTable } from '../../../src/domain/visual-rules/value-tables.ts';
import { describeParameter } from '../../../src/domain/values/parameter-value.ts';
import { shippedMetrics } from '../../support/catalogue.ts';

const ROWS = [
  { qubit: 'Q10', t1: 9.25, ok: true },
  { qubit: 'Q9', t1: null, ok: false },
  { qubit: 'Q2', t1: 61.5, ok: null },
];
const COLUMNS = [
  {
    __typename: 'TableColumn' as const,
    key: 'qubit',
    label: 'Qubit',
    unit: null,
    unitKey: null,
    format: 'text',
  },
  { __typename: 'TableColumn' as const, key: 't1', label: 'T1', unit: 'μs', unitKey: null, format: 'number' },
  {
    __typename: 'TableColumn' as const,
    key: 'ok',
    label: 'Within limits',
    unit: null,
    unitKey: null,
    format: 'text',
  },
];

describe('rows of a table', () => {
  test.each([
    [null, ['Q10', 'Q9', 'Q2']],
    [{ key: 'qubit', direction: 'up' }, ['Q2', 'Q9', 'Q10']],
    [{ key: 't1', direction: 'up' }, ['Q10', 'Q2', 'Q9']],
    [{ key: 't1', direction: 'down' }, ['Q2', 'Q10', 'Q9']],
  ] as const)('in the order %j are %j: as people count, and what is missing last', (order, expected) => {
    expect(orderedRows(ROWS, order).map(({ qubit }) => qubit)).toEqual(expected);
  });

  test('that are no rows are none', () => {
    expect([rowsOf(null), rowsOf('text'), rowsOf([1])]).toEqual([[], [], []]);
  });

  test('are saved with units in the heading, numbers whole and nothing for what is missing', () => {
    expect(toCsv(csvRows(COLUMNS, rowsOf(ROWS)))).toBe(
      'Qubit,T1 (μs),Within limits\r\nQ10,9.25,true\r\nQ9,,false\r\nQ2,61.5,',
    );
  });

  test('are saved with every digit, of which cells show four', () => {
    const [column] = COLUMNS.slice(1, 2);
    const row = { t1: 48.626312345 };
    expect(csvRows([column!], [row])).toEqual([['T1 (μs)'], [48.626312345]]);
    expect(cellText(row.t1, column!.format)).toBe('48.63');
  });

  test('that begin like a formula are kept from being one, but negative numbers stay numbers', () => {
    const columns = COLUMNS.slice(0, 2);
    expect(toCsv(csvRows(columns, [{ qubit: '=1+1', t1: -3 }]))).toContain("'=1+1,-3");
  });
});

describe('a cell', () => {
  test.each([
    [null, 'number', '—'],
    [Number.NaN, 'number', '—'],
    [0, 'number', '0'],
    [61.4999999, 'number', '61.5'],
    [48.6263, 'number', '48.63'],
    [-0.00012345678, 'number', '-0.0001235'],
    [1e-12, 'number', '1e-12'],
    [123456, 'number', '123456'],
    [123456.7, 'number', '123457'],
    ['2026-11-19T23:10:41Z', 'datetime', '2026-11-19 23:10'],
    ['not a time', 'datetime', 'not a time'],
    [true, 'text', 'true'],
  ])('%j as %s is %s', (value, format, expected) => {
    expect(cellText(value, format)).toBe(expected);
  });
});

test('each value of a table has its unit: in the heading where rows have the same, else in its cell', () => {
  const at = new Date('2026-05-20T00:00:00Z');
  const value = (name: string, stored: number | null, unit: string) =>
    describeParameter(
      {
        name,
        value: stored,
        text: null,
        unit,
        error: null,
        calibratedAt: at,
        executionId: null,
        taskId: null,
      },
      shippedMetrics.find(name, 'QUBIT'),
      at,
    );
  const table = parametersTable('Q01', [
    value('t1', 45.234, 'μs'),
    value('average_readout_fidelity', 0.9712, 'a.u.'),
    value('t2_echo', null, 'μs'),
  ]);
  const columns = shownColumns(table.columns);
  expect(columns.map(headingText)).toEqual(['Parameter', 'Value', 'Error', 'Rating', 'Calibrated (UTC)']);
  expect(table.rows.map((row) => columns.slice(0, 3).map((column) => cellOf(row, column)))).toEqual([
    ['T1', '45.23 μs', '—'],
    ['Average Readout Fidelity', '97.12 %', '—'],
    ['T2 Echo', '—', '—'],
  ]);
  expect(drawTable({ ...table, rowCount: 3 })).toMatch(/T1 +45\.23 μs/u);
  // Programs read numbers and units apart.
  const saved = table.columns.map((column) => ({
    __typename: 'TableColumn' as const,
    ...column,
    unitKey: column.unitKey ?? null,
  }));
  expect(toCsv(csvRows(saved, table.rows))).toContain('T1,45.234,,μs,');
  expect(headingText({ label: 'T1', unit: 'μs' })).toBe('T1 (μs)');
});
