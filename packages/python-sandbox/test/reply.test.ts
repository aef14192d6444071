import { Readable } from 'node:stream';
import { deserialize, serialize } from 'node:v8';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DEFAULT_LIMITS } from '../src/limits.ts';
import { createLineReader } from '../src/line-reader.ts';
import { messages } from '../src/messages.ts';
import { readReply } from '../src/reply.ts';

const read = (reply: unknown) =>
  readReply(typeof reply === 'string' ? reply : JSON.stringify(reply), DEFAULT_LIMITS);
const cpuMs = (work: () => unknown): number => {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
};
const numbersTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const good = { output: 'text', truncated: false, error: null };

describe('a reply', () => {
  test('that is anything but what was agreed gives an error within the limits', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.jsonValue().map((value) => JSON.stringify({ ...good, output: value, tables: value })),
        ),
        (text) => {
          const { output, charts, tables, error } = read(text);
          expect(error !== null || typeof output === 'string').toBe(true);
          expect(charts.every(({ data }) => Array.isArray(data))).toBe(true);
          expect(
            Object.values(tables)
              .flat()
              .every((row) => typeof row === 'object'),
          ).toBe(true);
        },
      ),
    );
  });

  test.each([
    ['another type of output', { ...good, output: 7 }],
    ['a missing field', { output: 'text' }],
    ['rows that are no objects', { ...good, tables: { t: [1] } }],
    ['an error text without end', { ...good, error: 'x'.repeat(100_000) }],
    ['nothing', ''],
  ])('with %s cannot be read', (_, reply) => {
    expect(read(reply)).toEqual({
      output: null,
      charts: [],
      refused: [],
      tables: {},
      error: messages.badReply,
    });
  });

  test('may say that the interpreter broke', () => {
    expect(read({ broken: true }).error).toBe(messages.broken);
  });

  test('cuts output that is longer than agreed, and mends halves of characters', () => {
    const { output } = read({ ...good, output: `${'x'.repeat(102_399)}😀😀` });
    expect(output).toBe(`${'x'.repeat(102_399)}\uFFFD${messages.truncated(102_400)}`);
  });

  test('holds no text that a database refuses', () => {
    const { output, tables, charts } = read(
      String.raw`{"output":"a\u0000b","truncated":false,"error":null,"chart":{"data":[{"name":"\ud800"}]},"tables":{"t\u0000":[{"k\udc00":"v\u0000"}]}}`,
    );
    expect({ output, tables, charts }).toEqual({
      output: 'a\uFFFDb',
      tables: { 't\uFFFD': [{ 'k\uFFFD': 'v\uFFFD' }] },
      charts: [{ data: [{ name: '\uFFFD' }] }],
    });
  });

  test('gives at most 50 tables, with names of at most 200 characters', () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`t${index}`, [{ a: 1 }]]));
    const { tables, refused } = read({ ...good, tables: { ['x'.repeat(1_000_000)]: [], ...many } });
    expect(Object.keys(tables)).toHaveLength(50);
    expect(refused).toEqual([messages.tooManyTables(4_951, 50)]);
  });

  test('may be nested without end', () => {
    expect(
      read(`{"output":"","truncated":false,"error":null,"chart":${'['.repeat(50_000)}${']'.repeat(50_000)}}`)
        .error,
    ).toBe(messages.badReply);
  });

  test.each([
    ['empty lists', () => `[${'[],'.repeat(1_300_000)}[]]`],
    ['empty dicts', () => `[${'{},'.repeat(1_300_000)}{}]`],
    ['names', () => JSON.stringify(Object.fromEntries(numbersTo(300_000).map((n) => [`k${n}`, 1])))],
    ['dicts of one name each', () => JSON.stringify(numbersTo(250_000).map((n) => ({ [`k${n}`]: 1 })))],
    ['rows', () => JSON.stringify(numbersTo(90_000).map((n) => ({ qid: 'Q1', t1: n, t2: n })))],
    ['numbers', () => JSON.stringify(numbersTo(500_000))],
    [
      'a reply of as many rows as are taken',
      () => JSON.stringify(numbersTo(24_000).map((n) => ({ a: n, b: 'x', c: n }))),
    ],
  ])('of %s costs who receives it little processor time', (_, data) => {
    const text = `{"output":"","truncated":false,"error":null,"chart":{"data":${data()}}}`;
    expect(text.length).toBeLessThan(DEFAULT_LIMITS.replyBytes);
    const sent = serialize(readReply(text, DEFAULT_LIMITS));
    expect(Math.min(...[1, 2, 3].map(() => cpuMs(() => deserialize(sent))))).toBeLessThan(50);
  });

  test('of too many parts says what would be right', () => {
    const rows = numbersTo(90_000).map((n) => ({ qid: 'Q1', t1: n, t2: n }));
    expect(read({ ...good, tables: { t: rows } })).toMatchObject({
      tables: {},
      error: expect.stringContaining('too many parts'),
    });
    expect(read({ ...good, tables: { t: rows.slice(0, 20_000) } }).tables['t']).toHaveLength(20_000);
  });

  test('may name tables as it likes', () => {
    const { tables, error } = read(
      '{"output":"","truncated":false,"error":null,"tables":{"constructor":[{"__proto__":1}]}}',
    );
    expect(error).toBeNull();
    expect(JSON.stringify(tables)).toBe('{"constructor":[{"__proto__":1}]}');
  });
});

describe('a line', () => {
  const reader = (...chunks: string[]) =>
    createLineReader(Readable.from(chunks.map((chunk) => Buffer.from(chunk))));

  test('is put together from pieces, and what follows is kept', async () => {
    const input = reader('{"a"', ':1}\n{"b":', '2}\nabc');
    expect(await input.line(100)).toBe('{"a":1}');
    expect(await input.line(100)).toBe('{"b":2}');
    expect((await input.bytes(2)).toString()).toBe('ab');
  });

  test('that is too long, or never ends, is refused', async () => {
    await expect(reader('x'.repeat(50), 'x'.repeat(100)).line(100)).rejects.toThrow('more than 100 bytes');
    await expect(reader(`${'x'.repeat(101)}\n`).line(100)).rejects.toThrow('longer than 100 bytes');
    await expect(reader('abc').line(100)).rejects.toThrow('ended after 3 bytes');
  });
});
