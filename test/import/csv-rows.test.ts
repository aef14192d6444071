import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { unitFactor } from '../../src/domain/values/units.ts';
import { readEntity } from '../../src/import/csv/entities.ts';
import { readRow, type CsvValue, type RowIssue } from '../../src/import/csv/row-values.ts';
import { planTable } from '../../src/import/csv/table-plan.ts';
import type { TableHints } from '../../src/import/csv/table-subject.ts';
import { createTimeReader } from '../../src/import/csv/times.ts';
import { storedUnit, toStored } from '../../src/import/csv/units.ts';
import { readCsvRows } from '../../src/sources/tables/csv-rows.ts';
import { shippedMetrics } from '../support/catalogue.ts';

const NOW = new Date('2026-06-01T00:00:00Z');

const HINTS: TableHints = {
  title: '',
  fileName: 'table.csv',
  parameter: null,
  unit: null,
  naming: null,
  isGridChip: false,
};

function read(text: string, hints: Partial<TableHints> = {}) {
  const rows = readCsvRows(Buffer.from(text));
  const plan = planTable(rows, { ...HINTS, title: rows.title, ...hints }, shippedMetrics);
  const context = {
    metrics: shippedMetrics,
    readTime: createTimeReader('UTC', NOW),
    time: NOW,
    hasDecimalCommas: rows.hasSemicolons,
    words: new Map(),
  };
  const { notTaken, understood, guesses } = plan;
  const found = rows.lines.flatMap((line, row) => readRow(plan, row, line, context));
  const values = found.filter((each): each is CsvValue => each !== null && 'value' in each);
  const issues = found.filter((each): each is RowIssue => each !== null && 'message' in each);
  const empty = found.filter((each) => each === null).length;
  return { values, issues, empty, notTaken, understood, guesses };
}
/** What a table says, one value a line. */
const valuesOf = (text: string) =>
  read(text).values.map(({ qid, parameter, value, unit, error }) => [qid, parameter, value, unit, error]);
const issuesOf = (text: string) => read(text).issues.map(({ line, message }) => `${line}: ${message}`);

describe('headings', () => {
  test.each([
    ['ours', 'qid,parameter,value,unit,time'],
    ['another laboratory’s', 'Qubit,Metric,Measured value,Units,Timestamp'],
    ['a short one’s', 'q,name,val,unit,date'],
    ['a program’s', 'qubit_id;parameter_name;result;unit;measured_at'],
  ])('are understood as %s', (_whose, header) => {
    const line = header.includes(';') ? '3;T1;84.5;us;2026-05-01' : '3,T1,84.5,us,2026-05-01';
    const { values } = read(`${header}\n${line}\n`);
    expect(values).toEqual([
      expect.objectContaining({
        qid: '3',
        parameter: 't1',
        value: 84.5,
        unit: 'μs',
        task: 'CheckT1',
        measuredAt: new Date('2026-05-01T00:00:00Z'),
      }),
    ]);
  });

  test('of a wide table name metrics, their units and their errors, and what is not imported is reported', () => {
    const text =
      'Qubit,T1 (us),T1 error (us),t2_echo_ns,f01_GHz,Readout assignment error,Fridge,date\n0,80,1.5,90000,4.7,0.02,9,2026-05-01\n';
    expect(valuesOf(text)).toEqual([
      ['0', 't1', 80, 'μs', 1.5],
      ['0', 't2_echo', 90, 'μs', 0],
      ['0', 'qubit_frequency', 4.7, 'GHz', 0],
      ['0', 'average_readout_fidelity', 0.98, 'a.u.', 0],
    ]);
    expect(read(text).notTaken).toEqual(['Fridge']);
  });

  test('may give control and target apart, and a task', () => {
    const { values } = read(
      'control,target,parameter,value,unit,time,task\n4,1,zx90 fidelity,98.5,%,2026-05-01,MyBenchmark\n',
    );
    expect(values).toMatchObject([
      { qid: '4-1', kind: 'coupling', parameter: 'zx90_gate_fidelity', value: 0.985, task: 'MyBenchmark' },
    ]);
  });

  test.each([
    [
      'parameter,value,time\nt1,3,2026-05-01\n',
      /no column names the qubit.*name one "qid".*parameter, value, time/,
    ],
    ['qid,color,time\n0,red,2026-05-01\n', /no column holds values: a long table needs.*qid, color, time/],
    ['qid,qubit,T1 (us)\n0,0,3\n', /"qid" and "qubit" both look like the qubit/],
    ['qid,T2 (us)\n0,3\n', /column T2: .*echo time or the Ramsey time: write t2_echo or t2_star/],
  ])('that cannot be used are refused: %j', (text, words) => {
    expect(() => read(text)).toThrow(words);
  });
});

describe('rows', () => {
  const row = (line: string) => `qid,parameter,value,unit,time\n${line}\n`;

  test.each([
    ['0,t1,84,fortnights,2026-05-01', /^2: "fortnights" is not a unit of t1: use s, ms, μs, ns$/],
    ['0,t1,84,,2026-05-01', /^2: t1 needs a unit: s, ms, μs, ns$/],
    ['0,t1,"84,5",us,2026-05-01', /^2: value of t1 is "84,5": write decimal points, for example 84\.5$/],
    ['0,t1,fast,us,2026-05-01', /^2: value of t1 is "fast": it must be a number/],
    ['Q0x!,t1,84,us,2026-05-01', /^2: "Q0x!" is not a qubit or coupling: write 12 or Q12, and 0-1/],
    ['0-0,zx90_gate_fidelity,0.9,,2026-05-01', /^2: "0-0" is not a qubit or coupling/],
    ['0,t2,84,us,2026-05-01', /^2: T2 may be the echo time or the Ramsey time/],
    ['0,t1!,84,us,2026-05-01', /^2: "t1!" cannot be a parameter/],
    ['0,readout fidelity,98.1,,2026-05-01', /^2: 98\.1 without a unit is not a fraction of 1: write %/],
    ['0,readout fidelity,0.98,us,2026-05-01', /^2: "μs" is not a unit of average_readout_fidelity: use %/],
    [
      '0,zx90_gate_fidelity,0.98,,2026-05-01',
      /^2: zx90_gate_fidelity belongs to couplings, and 0 is a qubit/,
    ],
    ['0-1,t1,84,us,2026-05-01', /^2: t1 belongs to qubits, and 0-1 is a coupling/],
    ['0,t1,84,us,01.05.2026', /^2: time "01\.05\.2026": write 2026-05-20 14:30/],
    ['0,t1,84,us,', /^2: time "": write/],
    ['0,t1,84,us,2026-02-30', /^2: time "2026-02-30"/],
    ['0,t1,84,us,2062-05-01', /^2: time "2062-05-01" is in the future/],
    ['0,t1,84,us,1970-01-01', /^2: time "1970-01-01" is of a time without such chips/],
  ])('%j is refused with its line and what would be right', (line, words) => {
    expect(issuesOf(row(line))).toEqual([expect.stringMatching(words)]);
    expect(read(row(line)).values).toEqual([]);
  });

  test('name their lines also behind empty ones and quoted line ends', () => {
    expect(
      issuesOf('qid,parameter,value,unit,time\n\n"0","t1","8\n4",us,2026-05-01\n0,t1,x,us,2026-05-01\n'),
    ).toEqual([expect.stringMatching(/^4: /), expect.stringMatching(/^5: value of t1 is "x"/)]);
  });

  test.each(['', 'NaN', 'n/a', 'Infinity', '-'])(
    'with %j for a value hold none, which is no mistake',
    (cell) => {
      expect(read(row(`0,t1,${cell},us,2026-05-01`))).toMatchObject({ values: [], issues: [], empty: 1 });
    },
  );

  test('keep a parameter that only this laboratory has, in its own unit', () => {
    expect(valuesOf(row('0,Purcell Rate,12.5,kHz,2026-05-01'))).toEqual([
      ['0', 'purcell_rate', 12.5, 'kHz', 0],
    ]);
  });

  test.each([
    ['0,t1,-3,us,2026-05-01', { unusable: '-3 is not a duration' }],
    ['0,readout fidelity,100.5,%,2026-05-01', { unusable: 'a fidelity of 1.005 is not a probability' }],
    ['0,readout error,0.5,,2026-05-01', { doubt: 'distinguishes the states no better than a coin toss' }],
    ['0,anharmonicity,300,MHz,2026-05-01', { value: 0.3, doubt: 'a transmon has a negative anharmonicity' }],
    ['0,f01,0,GHz,2026-05-01', { unusable: '0 is not a frequency' }],
  ])('%j is kept as measured and judged', (line, expected) => {
    expect(read(row(line)).values).toMatchObject([expected]);
  });
});

test.each([
  ['12', '12'],
  ['Q012', '12'],
  ['qubit 3', '3'],
  ['3.0', '3'],
  ['A1', 'A1'],
  ['0-1', '0-1'],
  ['Q04-Q01', '4-1'],
  ['(0, 1)', '0-1'],
  ['0_1', '0-1'],
  ['ecr0_1', '0-1'],
  ['0->1', '0-1'],
  ['A1-B2', 'A1-B2'],
])('%j is %s', (text, qid) => {
  expect(readEntity(text)).toEqual({ qid, kind: qid.includes('-') ? 'coupling' : 'qubit' });
});

describe('times', () => {
  const inZone = (timeZone: string) => createTimeReader(timeZone, NOW);

  test.each([
    ['2026-05-01 10:00', 'Asia/Tokyo', '2026-05-01T01:00:00Z'],
    ['2026/05/01 10:00:30', 'Asia/Tokyo', '2026-05-01T01:00:30Z'],
    ['2026-05-01 10:00+02:00', 'Asia/Tokyo', '2026-05-01T08:00:00Z'],
    ['2026-05-01T10:00:00Z', 'Asia/Tokyo', '2026-05-01T10:00:00Z'],
    ['2026-01-15 10:00', 'Europe/Berlin', '2026-01-15T09:00:00Z'],
    ['2026-05-15', 'Europe/Berlin', '2026-05-14T22:00:00Z'],
    ['2025-10-26 02:30', 'Europe/Berlin', '2025-10-26T00:30:00Z'],
    ['2026-05-01 10:00', 'America/St_Johns', '2026-05-01T12:30:00Z'],
    ['1777630000', 'Asia/Tokyo', new Date(1_777_630_000_000).toISOString()],
    ['1777630000123', 'Asia/Tokyo', new Date(1_777_630_000_123).toISOString()],
  ])('%s in %s is %s', (text, zone, expected) => {
    expect(inZone(zone)(text)).toEqual(new Date(expected));
  });

  test('that the clocks skipped are refused', () => {
    expect(inZone('Europe/Berlin')('2026-03-29 02:30')).toMatch(/clocks of Europe\/Berlin skipped that hour/);
  });

  test('on any clock come back to what that clock showed', () => {
    const zones = ['Europe/Berlin', 'Asia/Tokyo', 'America/New_York', 'Pacific/Chatham', 'UTC'] as const;
    const minutes = fc.integer({ min: Date.UTC(2015, 0) / 60_000, max: Date.UTC(2026, 4) / 60_000 });
    fc.assert(
      fc.property(minutes, fc.constantFrom(...zones), (minute, timeZone) => {
        const shown = (at: Date) => at.toLocaleString('sv', { timeZone });
        const text = shown(new Date(minute * 60_000));
        const time = inZone(timeZone)(text);
        expect(typeof time === 'string' ? time : shown(time)).toBe(text);
      }),
    );
  });
});

describe('units', () => {
  test('of every metric lead to the unit that it is stored in, whatever prefix the table uses', () => {
    const prefixes = { s: ['s', 'ms', 'μs', 'ns'], Hz: ['Hz', 'kHz', 'MHz', 'GHz'] };
    const converted = shippedMetrics.metrics.flatMap((metric) => {
      const stored = storedUnit(metric);
      const kind = unitFactor(stored, 's') === null ? 'Hz' : 's';
      if (unitFactor(stored, kind) === null) return [];
      return prefixes[kind].map((unit) => {
        const found = toStored(3, unit, metric);
        if (typeof found === 'string') throw new Error(found);
        expect(found.unit).toBe(stored);
        expect(found.value / (3 * unitFactor(unit, stored)!)).toBeCloseTo(1, 12);
        return metric.name;
      });
    });
    expect(new Set(converted).size).toBeGreaterThan(10);
  });

  test('that differ by a power of ten change no digit', () => {
    const [frequency, t1] = ['qubit_frequency', 't1'].map((name) => shippedMetrics.find(name, 'QUBIT'));
    expect(toStored(4712.3, 'MHz', frequency!)).toEqual({ value: 4.7123, unit: 'GHz' });
    expect(toStored(84300, 'ns', t1!)).toEqual({ value: 84.3, unit: 'μs' });
    expect(toStored(-310, 'MHz', shippedMetrics.find('anharmonicity', 'QUBIT'))).toEqual({
      value: -0.31,
      unit: 'GHz',
    });
  });
});
