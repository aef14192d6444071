import { describe, expect, test } from '@jest/globals';
import { Binary, BSONRegExp, Double, Int32, Long, MaxKey, MinKey, ObjectId, Timestamp } from 'bson';
import fc from 'fast-check';
import { compareValues } from '../../src/mongo/query/compare.ts';
import { orderKey } from '../../src/mongo/query/order-key.ts';
import { decode, encode, type Value } from '../../src/mongo/query/values.ts';

const long = fc
  .oneof(
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }),
  )
  .map((value) => Long.fromBigInt(value));
const double = fc
  .oneof(
    fc.double(),
    fc.integer({ min: -3, max: 3 }),
    fc.constantFrom(2 ** 53, 2 ** 63, -(2 ** 63), -0, NaN, Infinity),
  )
  .map((value) => new Double(value));
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 4 }),
  fc.constantFrom('', 'a', 'a\0', 'a\0b', '\uffee', '\u{10000}'),
);

const { value: anyValue } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constant(null),
    fc.boolean(),
    fc.integer().map((n) => new Int32(n)),
    long,
    double,
    text,
    fc.date({ noInvalidDate: true }),
    fc.uint8Array({ maxLength: 3 }).map((bytes) => new Binary(bytes)),
    fc.uint8Array({ minLength: 12, maxLength: 12 }).map((bytes) => new ObjectId(bytes)),
    fc.record({ t: fc.nat(9), i: fc.nat(9) }).map((at) => new Timestamp(at)),
    fc.constantFrom(new BSONRegExp('a', 'i'), new BSONRegExp('b', ''), new MinKey(), new MaxKey()),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'ab'), tie('value'), { maxKeys: 3 }),
  ),
}));

describe('order keys', () => {
  test('their bytes order as the values do, both ways', () => {
    fc.assert(
      fc.property(anyValue, anyValue, (left, right) => {
        const order = Math.sign(compareValues(left, right));
        expect(Math.sign(Buffer.compare(orderKey(left), orderKey(right)))).toBe(order);
        expect(Math.sign(Buffer.compare(orderKey(left, true), orderKey(right, true)))).toBe(
          order === 0 ? 0 : -order,
        );
      }),
      { numRuns: 2000 },
    );
  });

  test('joined, they order as pairs do', () => {
    const pair = fc.tuple(anyValue, anyValue);
    fc.assert(
      fc.property(pair, pair, ([a, b], [c, d]) => {
        const joined = (one: Value, two: Value) => Buffer.concat([orderKey(one), orderKey(two, true)]);
        const order = compareValues(a, c) || -compareValues(b, d);
        expect(Math.sign(Buffer.compare(joined(a, b), joined(c, d)))).toBe(Math.sign(order) || 0);
      }),
      { numRuns: 1000 },
    );
  });

  test('the order is transitive across number types', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(long, double), { minLength: 3, maxLength: 6 }), (values) => {
        const sorted = values.toSorted(compareValues);
        for (const [i, value] of sorted.entries()) {
          for (const later of sorted.slice(i)) expect(compareValues(value, later)).toBeLessThanOrEqual(0);
        }
      }),
    );
  });

  test('values survive storage with their types', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const read = decode(encode({ value }))['value'] ?? null;
        expect(orderKey(read).equals(orderKey(value))).toBe(true);
        expect(encode({ value: read }).equals(encode({ value }))).toBe(true);
      }),
    );
  });
});
