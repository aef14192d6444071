import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { typeColumn } from '../../src/sources/tables/column-values.ts';
import { readHeader } from '../../src/sources/tables/csv-header.ts';
import { readCsvRows } from '../../src/sources/tables/csv-rows.ts';
import { checkCsv } from '../../src/sources/tables/csv-text.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

/** What would be kept of a file: columns with their values. */
function tableOf(text: string | Uint8Array) {
  const { header, cells, lines } = readCsvRows(checkCsv(typeof text === 'string' ? bytes(text) : text));
  return readHeader(header).map((heading, index) => typeColumn(heading, cells[index]!, lines));
}
const typesOf = (text: string) => tableOf(text).map(({ name, type, unit }) => [name, type, unit]);
const valuesOf = (text: string) => tableOf(text).map(({ values }) => values);

describe('T4: a table', () => {
  test.each([
    ['commas', 'qid,T1 (us)\n0,45.2\n1,38\n'],
    ['semicolons', 'qid;T1 (us)\n0;45.2\n1;38\n'],
    ['tabs', 'qid\tT1 (us)\n0\t45.2\n1\t38\n'],
    ['Windows line ends', 'qid,T1 (us)\r\n0,45.2\r\n1,38\r\n'],
    ['a byte order mark', '\uFEFFqid,T1 (us)\n0,45.2\n1,38'],
    ['quotes and spaces', '"qid" , "T1 (us)"\n"0", 45.2\n 1,"38"\n'],
    ['empty lines and lines of empty cells', 'qid,T1 (us)\n\n0,45.2\n,\n1,38\n\n'],
  ])('is read with %s', (_name, text) => {
    expect(tableOf(text)).toEqual([
      { name: 'qid', type: 'number', unit: null, missing: 0, values: [0, 1] },
      { name: 'T1', type: 'number', unit: 'μs', missing: 0, values: [45.2, 38] },
    ]);
  });

  test('keeps delimiters, line ends and doubled quotes inside of quotes', () => {
    expect(valuesOf('a,b\n"x, ""y""\nz",1\n')).toEqual([['x, "y"\nz'], [1]]);
  });

  test('keeps empty cells of a file with tabs in their columns', () => {
    expect(valuesOf('a\tb\tc\n\t1\t\n2\t\t3\n')).toEqual([
      [null, 2],
      [1, null],
      [null, 3],
    ]);
  });

  test('has what it holds, whatever that is, when a program writes it as CSV', () => {
    const cell = fc.string({ unit: 'grapheme-ascii', maxLength: 8 }).map((text) => `v${text.trim()}`);
    const rows = fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(rows, fc.constantFrom(',', ';', '\t'), (table, delimiter) => {
        const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
        const lines = [['first', 'second'], ...table].map((row) => row.map(quoted).join(delimiter));
        const [first, second] = valuesOf(lines.join('\n'));
        expect(first).toEqual(table.map(([text]) => text.trim()));
        expect(second).toEqual(table.map(([, text]) => text.trim()));
      }),
    );
  });
});

describe('T4: a column', () => {
  test('has the type that all of its cells have; anything else is text', () => {
    expect(typesOf('a,b,c,d\n1,2026-03-01,x,1\n-2.5e-3,2026-03-01 12:00,2,x\n')).toEqual([
      ['a', 'number', null],
      ['b', 'datetime', null],
      ['c', 'text', null],
      ['d', 'text', null],
    ]);
  });

  test('takes NaN, NA, dashes, infinities and empty cells for missing values', () => {
    const [column] = tableOf('T1,n\n1,0\nNaN,0\n,0\nN/A,0\n-,0\ninf,0\n2,0\n');
    expect(column).toMatchObject({
      type: 'number',
      missing: 5,
      values: [1, null, null, null, null, null, 2],
    });
  });

  test('of missing values only is text', () => {
    expect(tableOf('a,b\n,1\nNaN,2\n')[0]).toMatchObject({ type: 'text', missing: 2, values: [null, null] });
  });

  test('of ids with leading zeros, or too long for a number, keeps them as they are', () => {
    expect(valuesOf('run,id\n007,12345678901234567890\n012,1\n')).toEqual([
      ['007', '012'],
      ['12345678901234567890', '1'],
    ]);
  });

  test('of times reads them in UTC unless they say otherwise, and takes no 30th of February', () => {
    const [times] = valuesOf(
      't\n2026-03-01\n2026-03-01T12:00:00\n2026-03-01 12:00:00.25+09:00\n2026-03-01T12:00Z\n',
    );
    expect(times?.map((time) => (time as Date).toISOString())).toEqual([
      '2026-03-01T00:00:00.000Z',
      '2026-03-01T12:00:00.000Z',
      '2026-03-01T03:00:00.250Z',
      '2026-03-01T12:00:00.000Z',
    ]);
    expect(typesOf('t\n2026-02-30\n')).toEqual([['t', 'text', null]]);
  });

  test('has the unit of its heading, if that is one', () => {
    const units = 'f [GHz],e (%),T1 (µs),pulse (second),rate (MHz/V)';
    expect(typesOf(`${units}\n1,1,1,1,1\n`)).toEqual([
      ['f', 'number', 'GHz'],
      ['e', 'number', '%'],
      ['T1', 'number', 'μs'],
      ['pulse (second)', 'number', null],
      ['rate (MHz/V)', 'number', null],
    ]);
  });

  test('keeps its whole heading where only the unit tells it from another', () => {
    expect(typesOf('T1 (us),T1 (ns)\n1,2\n').map(([name]) => name)).toEqual(['T1 (us)', 'T1 (ns)']);
  });
});

describe('T4: what is refused, with its line and what would be right', () => {
  test.each([
    ['an empty file', '', /the file is empty/],
    ['a header alone', 'qid,T1\n', /no rows below the header/],
    ['a first line of numbers', '0,45.2\n1,38\n', /first line holds numbers: it must name the columns/],
    ['a column without a heading', 'qid,,T1\n0,1,2\n', /column 2 has no heading/],
    ['the same heading twice', 'qid,T1,t1\n0,1,2\n', /has duplicate headings: "T1", "t1"/],
    [
      'a short row',
      'a,b,c\n1,2,3\n\n4,5\n',
      /line 4 has 2 cells, but the header has 3 columns \(separated by commas/,
    ],
    [
      'a long row',
      'a;b\n1;2\n3;4;5\n',
      /line 3 has 3 cells, but the header has 2 columns \(separated by semicolons/,
    ],
    ['decimal commas between commas', 'qid,T1\n0,45,2\n', /line 2 has 3 cells.*write decimal points/],
    ['decimal commas', 'qid;T1\n0;45.2\n1;38,5\n', /line 3, column "T1": "38,5" has a decimal comma.*38\.5/],
    ['a quote that is not closed', 'a,b\n1,"2\n3,4\n', /never closed/],
    ['a quote within a cell', 'a,b\n1,2\n1,x"2"\n', /line 3 has a quotation mark inside a cell/],
    ['a NUL', 'a,b\n1,\0\n', /line 2 holds a NUL/],
  ])('%s', (_name, text, message) => {
    expect(() => tableOf(text)).toThrow(message);
  });

  test('text with a comma in some cells is text, not a number with a decimal comma', () => {
    expect(typesOf('pair;n\n0,1;1\nnone of both;2\nQ3,Q4;3\n')[0]).toEqual(['pair', 'text', null]);
  });

  test.each([
    ['Latin-1', [0x61, 0x0a, 0x62, 0x0a, 0xb5, 0x73, 0x0a], /line 3 is not UTF-8 text/],
    ['UTF-16', [0xff, 0xfe, 0x61, 0x00], /UTF-16: save it as CSV UTF-8/],
    ['a workbook', [0x50, 0x4b, 0x03, 0x04, 0x14], /Excel workbook.*export the sheet as CSV/],
    ['a picture', [0x89, 0x50, 0x4e, 0x47], /picture/],
  ])('%s, by its content', (_name, content, message) => {
    expect(() => tableOf(Uint8Array.from(content))).toThrow(message);
  });

  test('more columns than any measurement has', () => {
    const header = Array.from({ length: 201 }, (_, index) => `c${index}`).join(',');
    expect(() => tableOf(`${header}\n`)).toThrow(/201 columns; at most 200/);
  });
});
