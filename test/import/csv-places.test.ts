import { describe, expect, test } from '@jest/globals';
import { readCsvRows } from '../../src/sources/tables/csv-rows.ts';
import { importText as importIntoBench, useImportBench } from './csv-harness.ts';
import type { CsvFileRequest } from '../../src/import/import-csv-file.ts';

const bench = useImportBench();
const importText = (text: string, options: Partial<CsvFileRequest> = {}, name = 'table.csv') =>
  importIntoBench(bench, text, { create: true, yes: true, ...options }, name);

/** What is stored: `qid parameter value unit day`. */
async function stored(): Promise<readonly string[]> {
  const results = await bench.db.collection('task_result_history').find().toArray();
  return results
    .flatMap(({ qid, end_at: at, output_parameters: outputs }) =>
      Object.entries<{ value: number; unit: string }>(outputs).map(
        ([name, { value, unit }]) =>
          `${qid} ${name} ${Number(value.toPrecision(12))} ${unit} ${at.toISOString().slice(0, 10)}`,
      ),
    )
    .toSorted();
}

const T1_OF_TWO = ['0 t1 46 μs 2026-05-01', '1 t1 66.5 μs 2026-05-01'];

describe('a table with a column per qubit', () => {
  test.each<[string, string, Partial<CsvFileRequest>?, string?]>([
    ['a title with the unit', 'T1 times in s\ndate,q0,q1\n2026-05-01,0.000046,0.0000665\n'],
    ['a title as spreadsheets export it', 'T1 (us),,\n,,\ndate,q0,q1\n2026-05-01,46,66.5\n'],
    ['a comment for a title', '# T1 [ns]\ndate,Q00,Q01\n2026-05-01,46000,66500\n'],
    ['numbers for headings', 'T1 in μs\ndate,0,1\n2026-05-01,46,66.5\n'],
    ['the parameter in the file name', 'date,q0,q1\n2026-05-01,46,66.5\n', {}, 'lab_t1_us.csv'],
    ['plausible values without a unit', 'T1\ndate,q0,q1\n2026-05-01,0.000046,0.0000665\n'],
    ['units in the headings', 'T1\ndate,q0 (us),q1 (us)\n2026-05-01,46,66.5\n'],
    ['what the user says', 'fridge 3\ndate,q0,q1\n2026-05-01,46,66.5\n', { parameter: 't1', unit: 'us' }],
    ['semicolons and decimal commas', 'T1 (us)\ndate;q0;q1\n2026-05-01;46,0;66,5\n'],
    ['a time for all rows', 'T1 (us)\nq0,q1\n46,66.5\n', { time: '2026-05-01' }],
    [
      'missing cells in words',
      'T1 (us)\ndate,q0,q1,q2\n2026-05-01,46,66.5,no data\n2026-05-02,n/a,-,not measured\n',
    ],
    ['a column per time instead', 'T1 (us)\nqubit,2026-05-01,2026/05/02\nq0,46,\nq1,66.5,no data\n'],
    ['a row per parameter', 'date,parameter,unit,q0,q1\n2026-05-01,T1,us,46,66.5\n'],
  ])('is read with %s', async (...[, text, options, name]) => {
    await importText(text, options, name);
    expect(await stored()).toEqual(T1_OF_TWO);
  });

  test('reports what it understood, with values as they are stored', async () => {
    const printed = await importText(
      'T1 times in s\ndate,q0,Fridge\n2026-05-02,0.000046,x\n2026-05-01,no data,y\n',
    );
    expect(printed).toContain(
      [
        'table.csv, as understood:',
        '  title: T1 times in s',
        '  a row per time, a column per qubit',
        '  parameter: T1 (t1), from the title',
        '  unit: s, from the title; stored in μs',
        '  of: 1 place: Q00',
        '  rows: 2; values: 1; cells without a value: 1; unusable: 0',
        '  times: 2026-05-02 00:00 UTC',
        '  columns left out: Fridge',
        '  first values as they will be stored:',
        '    2026-05-02 00:00 UTC Q00 t1 46 μs (written: 0.000046)',
      ].join('\n'),
    );
  });

  test('of errors stores fidelities, of percentages fractions', async () => {
    const printed = await importText('Readout error (%)\ndate,q0\n2026-05-01,1.5\n');
    expect(printed).toContain('errors are stored as 1 - error');
    await importText('CX error\ndate,"(0,1)","q1-q0",0_2\n2026-05-01,0.01,0.02,0.03\n');
    expect(await stored()).toEqual([
      '0 average_readout_fidelity 0.985 a.u. 2026-05-01',
      '0-1 zx90_gate_fidelity 0.99 a.u. 2026-05-01',
      '0-2 zx90_gate_fidelity 0.97 a.u. 2026-05-01',
      '1-0 zx90_gate_fidelity 0.98 a.u. 2026-05-01',
    ]);
  });

  test.each<[string, string, RegExp, Partial<CsvFileRequest>?]>([
    [
      'nothing names its parameter',
      'date,q0\n2026-05-01,46\n',
      /nothing says what their values are: pass --parameter/,
    ],
    [
      'a title that names two',
      'T1 and T2 echo (us)\ndate,q0\n2026-05-01,46\n',
      /several parameters: pass --parameter/,
    ],
    [
      'a title that may be either',
      'T2 (us)\ndate,q0\n2026-05-01,46\n',
      /pass --parameter t2_echo or t2_star/,
    ],
    [
      'no plausible unit',
      'T1\ndate,q0,q1\n2026-05-01,0.5,4000\n',
      /none makes all of its values plausible: pass --unit/,
    ],
    ['a unit that cannot be', 'T1 in s\ndate,q0\n2026-05-01,46\n', /the title says s, but 46 s is no T1/],
    [
      'a fidelity that looks like an error',
      'Readout fidelity\ndate,q0\n2026-05-01,0.02\n',
      /as errors are: pass --parameter "average readout error"/,
    ],
    [
      'an error that looks like a fidelity',
      'CX error\ndate,0-1\n2026-05-01,99\n',
      /most values are above 50%, as fidelities are/,
    ],
    [
      'fractions beside percentages',
      'Readout fidelity\ndate,q0,q1\n2026-05-01,98.5,0.97\n',
      /look like percentages, such as 98\.5, and others like fractions of 1/,
    ],
    [
      'a title of two cells',
      'T1, in us\ndate,q0,q1\n2026-05-01,46,47\n',
      /line 2 has 3 cells.*If a title is above the header, put it in quotes/,
    ],
    [
      'a qubit twice',
      'T1 (us)\ndate,q0,Q00\n2026-05-01,46,47\n',
      /columns "q0" and "Q00" are both 0: remove one/,
    ],
    ['the same heading twice', 'T1 (us)\ndate,q0,q0\n2026-05-01,46,47\n', /duplicate headings: "q0", "q0"/],
    ['qubits in rows and columns', 'T1 (us)\nqubit,q0\n0,46\n', /in rows and in the columns q0: keep one/],
    ['qubits and metrics', 'T1 (us)\ndate,q0,T1\n2026-05-01,46,3\n', /q0 are qubits and T1 a parameter/],
    ['only a header', 'T1 (us)\ndate,q0\n', /no rows below the header/],
    [
      'pairs for a metric of qubits',
      'T1 (us)\ndate,0-1\n2026-05-01,46\n',
      /t1 belongs to qubits, and 0-1 is a coupling/,
    ],
  ])('is refused with %s', async (...[, text, words, options]) => {
    await expect(importText(text, options)).rejects.toThrow(words);
    expect(await stored()).toEqual([]);
  });

  test('of qubits that the chip lacks is refused by its lines', async () => {
    await importText('T1 (us)\ndate,q0,q1\n2026-05-01,46,66.5\n', { create: false, size: 2 });
    await expect(importText('T1 (us)\ndate,q1,q7\n2026-05-02,46,66.5\n', { create: false })).rejects.toThrow(
      'line 3: chip lab has no qubit 7; it has 2, from 0 to 1',
    );
  });
});

describe('qubits by row and column', () => {
  test('are numbered row by row, keep their names, and are never couplings', async () => {
    const printed = await importText('T1 (us)\ndate,0_6,1_5,0_5\n2026-05-01,46,66.5,70\n');
    expect(printed).toContain('numbers of the qubits: 0 is 0_5, 1 is 0_6, 2 is 1_5');
    expect(await stored()).toEqual([
      '0 t1 70 μs 2026-05-01',
      '1 t1 46 μs 2026-05-01',
      '2 t1 66.5 μs 2026-05-01',
    ]);
    const chip = await bench.db.collection('chip').findOne();
    expect(chip?.['layout']).toEqual({
      0: { row: 0, col: 0, name: '0_5' },
      1: { row: 0, col: 1, name: '0_6' },
      2: { row: 1, col: 0, name: '1_5' },
    });
    expect(await bench.db.collection('qubit').distinct('name')).toEqual(['0_5', '0_6', '1_5']);
  });

  test('are reported as couplings where two are joined, and errors in percent may be on both sides of 1', async () => {
    const printed = await importText('CZ gate error\ndate,0_1-0_2,0_2-1_2\n2026-05-01,0.8,1.2\n');
    expect(printed).toContain('a row per time, a column per coupling');
    expect(await stored()).toEqual([
      '0-1 cz_gate_fidelity 0.992 a.u. 2026-05-01',
      '1-2 cz_gate_fidelity 0.988 a.u. 2026-05-01',
    ]);
  });

  test('are known again by later tables, in rows and in pairs', async () => {
    await importText('T1 (us)\ndate,0_6,0_5\n2026-05-01,46,66.5\n');
    await importText('qubit,T2 echo (us),time\n0_6,90,2026-05-02\n0_4,91,2026-05-02\n');
    await importText('CZ error\ndate,0_5-0_6\n2026-05-03,0.01\n');
    expect(await stored()).toEqual([
      '0 t1 66.5 μs 2026-05-01',
      '0-1 cz_gate_fidelity 0.99 a.u. 2026-05-03',
      '1 t1 46 μs 2026-05-01',
      '1 t2_echo 90 μs 2026-05-02',
      '2 t2_echo 91 μs 2026-05-02',
    ]);
    await expect(importText('CX error\ndate,0_5\n2026-05-03,0.01\n')).rejects.toThrow(/belongs to couplings/);
  });

  test('are refused for a chip that counts its qubits, and asked about where they may be couplings', async () => {
    await importText('T1 (us)\ndate,q0,q1\n2026-05-01,46,66.5\n');
    await expect(importText('T1 (us)\ndate,0_1\n2026-05-02,46\n')).rejects.toThrow(
      'chip lab counts its qubits: it has none by row and column',
    );
    const own = 'date,0_1\n2026-05-02,46\n';
    const options = { chipId: 'other', parameter: 'purcell_rate', unit: 'kHz' };
    await expect(importText(own, options)).rejects.toThrow(
      '"0_1" may be a qubit by row and column or a coupling: pass --names grid or --names pairs',
    );
    await importText(own, { ...options, naming: 'numbers' });
    expect(await stored()).toContain('0-1 purcell_rate 46 kHz 2026-05-02');
  });
});

describe('a file that is no table', () => {
  test.each([
    ['commas', () => ','.repeat(20_000_000), /line 1 has more than 1,000,000 bytes/],
    ['quotes', () => '"'.repeat(20_000_000), /line 1 has more than 1,000,000 bytes/],
    ['a quote that is never closed', () => `a,b\n"${'x\n'.repeat(5_000_000)}`, /quotation mark/],
    ['parentheses', () => `${'('.repeat(900_000)}\n`, /no rows below the header/],
  ])('is refused before it fills the memory: %s', (_what, text, words) => {
    const file = text();
    expect(() => readCsvRows(Buffer.from(file))).toThrow(words);
  });
});
