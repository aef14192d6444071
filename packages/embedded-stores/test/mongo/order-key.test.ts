import { describe, expect, test } from '@jest/globals';
import {
  Binary,
  BSONRegExp,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
} from 'bson';
import fc from 'fast-check';
import { compareValues } from '../../src/mongo/query/compare.ts';
import { orderKey } from '../../src/mongo/query/order-key.ts';
import { decode, encode, type NumericValue, type Value } from '../../src/mongo/query/values.ts';

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
const decimal = fc
  .oneof(
    fc
      .tuple(
        fc.bigInt({ min: -(10n ** 34n) + 1n, max: 10n ** 34n - 1n }),
        fc.oneof(fc.integer({ min: -6176, max: 6111 }), fc.integer({ min: -40, max: 5 })),
      )
      .map(([coefficient, exponent]) => `${coefficient}E${exponent}`),
    fc.constantFrom('NaN', 'Infinity', '-Infinity', '-0', '0E+9', '1E-6176', '-1E-6176', '1.5', '1.50'),
  )
  .map((digits) => Decimal128.fromString(digits));
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
    decimal,
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

/** The double so many steps further from zero. */
function stepped(double: number, steps: number): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, double);
  const bits = view.getBigInt64(0) + BigInt(steps);
  view.setBigInt64(0, bits < 0n ? 0n : bits);
  return view.getFloat64(0);
}

/** Two numbers of any type at one place: often they are equal or have no double between them. */
const closePair = fc
  .tuple(
    fc.constantFrom(0, 5e-324, 0.1, 1.5, 3, 2 ** 53, 2 ** 60, 2 ** 63, 1e22, Number.MAX_VALUE),
    fc.constantFrom(-1, 1),
  )
  .chain(([place, sign]) => fc.tuple(numberNear(place, sign), numberNear(place, sign)));

function numberNear(place: number, sign: number): fc.Arbitrary<NumericValue> {
  return fc
    .record({
      type: fc.constantFrom('double', 'long', 'short decimal', 'decimal', 'decimal'),
      steps: fc.integer({ min: -1, max: 1 }),
      distance: fc.bigInt({ min: -2n, max: 2n }),
    })
    .map(({ type, steps, distance }) => {
      if (type === 'long') return Long.fromBigInt(BigInt(sign) * (BigInt(Math.floor(place)) + distance));
      const double = sign * stepped(place, steps);
      if (type === 'double' || Number.isNaN(double)) return new Double(double);
      if (!Number.isFinite(double)) return Decimal128.fromString(`${sign}E${400n + distance}`);
      const [digits = '', exponent] = double.toExponential(type === 'decimal' ? 33 : 2).split('e');
      const [whole = '', fraction = ''] = digits.split('.');
      const coefficient = BigInt(whole + fraction) + distance;
      return Decimal128.fromString(`${coefficient}E${Number(exponent) - fraction.length}`);
    });
}

/** A number as a fraction, found in another way than the server does; NaN and infinities have the divisor 0. */
type Fraction = readonly [dividend: bigint, divisor: bigint];

function fractionOf(value: NumericValue): Fraction {
  const text = value.toString();
  if (text === 'NaN') return [-2n, 0n];
  if (text.endsWith('Infinity')) return [text.startsWith('-') ? -1n : 1n, 0n];
  if (value instanceof Long) return [value.toBigInt(), 1n];
  if (value instanceof Decimal128) {
    const [digits = '', exponent = '0'] = text.split('E');
    const [whole = '', fraction = ''] = digits.split('.');
    const power = Number(exponent) - fraction.length;
    return [BigInt(whole + fraction) * 10n ** BigInt(Math.max(power, 0)), 10n ** BigInt(Math.max(-power, 0))];
  }
  const steps = 2n ** 1074n;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Math.abs(value.value));
  const exponent = view.getUint16(0) >> 4;
  const bits = BigInt.asUintN(52, view.getBigUint64(0)) + (exponent > 0 ? 2n ** 52n : 0n);
  return [BigInt(Math.sign(value.value)) * bits * 2n ** BigInt(Math.max(exponent - 1, 0)), steps];
}

function compareFractions([a, b]: Fraction, [c, d]: Fraction): number {
  // NaN, then -Infinity, then all others, then Infinity.
  const [left, right] = b === 0n || d === 0n ? [b === 0n ? a : 0n, d === 0n ? c : 0n] : [a * d, c * b];
  return left < right ? -1 : Number(left > right);
}

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
    const pair = fc.oneof(fc.tuple(anyValue, anyValue), closePair);
    fc.assert(
      fc.property(pair, pair, fc.boolean(), fc.boolean(), ([a, c], [b, d], first, second) => {
        const joined = (one: Value, two: Value) =>
          Buffer.concat([orderKey(one, first), orderKey(two, second)]);
        const signed = (order: number, descending: boolean) => (descending ? -order : order);
        const order = signed(compareValues(a, c), first) || signed(compareValues(b, d), second);
        expect(Math.sign(Buffer.compare(joined(a, b), joined(c, d)))).toBe(Math.sign(order) || 0);
      }),
      { numRuns: 2000 },
    );
  });

  test('numbers close to each other order by their exact values, alone and within arrays and documents', () => {
    const shapes = [
      (value: Value): Value => value,
      (value: Value): Value => [value],
      (value: Value): Value => [[value], new MaxKey()],
      (value: Value): Value => ({ a: { b: [value] }, c: value }),
    ];
    fc.assert(
      fc.property(closePair, fc.constantFrom(...shapes), anyValue, ([a, b], within, next) => {
        const order = compareFractions(fractionOf(a), fractionOf(b));
        expect(Math.sign(compareValues(within(a), within(b)))).toBe(order);
        for (const [sign, descending] of [
          [1, false],
          [-1, true],
        ] as const) {
          const key = (value: Value) => Buffer.concat([orderKey(within(value), descending), orderKey(next)]);
          expect(Math.sign(Buffer.compare(key(a), key(b)))).toBe(sign * order || 0);
        }
      }),
      { numRuns: 5000 },
    );
  });

  test('keys are as they are stored in databases', () => {
    const stored: [Value, string][] = [
      [new Int32(1), '10bff0000000000000'],
      [new Double(-2.5), '103ffbffffffffffff'],
      [Long.fromBigInt(2n ** 53n + 1n), '10c3400000000000008001'],
      [new Double(Infinity), '10fff00000000000008000'],
      [
        { t: [new Timestamp({ t: 1, i: 2 }), new Date(-1)] },
        '30407400004088000000010000000280' + '7fffffffffffffff0000',
      ],
      [Decimal128.fromString('1.0'), '10bff0000000000000'],
      [Decimal128.fromString('0.1'), '10bfb9999999999999' + 'ff' + 'ae76bc65e0af8acf6fcc878a00000000'],
    ];
    for (const [value, key] of stored) expect(orderKey(value).toString('hex')).toBe(key);
  });

  test('the order is transitive across number types', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(long, double, decimal), { minLength: 3, maxLength: 6 }), (values) => {
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
