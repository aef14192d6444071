/** `$toDate $convert $dateTrunc $dateToString`, in UTC; other time zones are refused. */
import { ObjectId } from 'bson';
import { type ExpressionName } from '../../allow-list.ts';
import { MongoError } from '../../errors.ts';
import type { Compiler, Evaluate } from '../compiler.ts';
import { type Doc, getField, isNumeric, type Maybe, toDouble, type Value } from '../values.ts';
import { isNullish, namedArguments, type Operator, typeOf, unaryOrNull } from './operator.ts';

const ISO_FORMAT = '%Y-%m-%dT%H:%M:%S.%LZ';

/** Days since 1970-01-01 (a Thursday) of the Sunday that starts week zero. */
const FIRST_SUNDAY_DAY = -4;
const DAY_MS = 86_400_000;
const FIXED_UNITS_MS: Readonly<Record<string, number>> = {
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: DAY_MS,
};

export const DATES = {
  $toDate: unaryOrNull(toDate),
  // Only to dates; what cannot be converted is `onError`, where there is one.
  $convert: (argument, compiler, name) => {
    const parts = namedArguments(argument, name, ['input', 'to'], ['onError', 'onNull']);
    if (parts['to'] !== 'date') throw new MongoError('BadValue', `${name} is supported to "date" only`);
    const input = compiler.compile(parts['input'] ?? null);
    const onNull = compiler.compile(parts['onNull'] ?? null);
    const onError = parts['onError'] === undefined ? undefined : compiler.compile(parts['onError']);
    return (root, variables) => {
      const value = input(root, variables);
      if (isNullish(value)) return onNull(root, variables);
      try {
        return toDate(value);
      } catch (error) {
        if (onError === undefined || !(error instanceof MongoError)) throw error;
        return onError(root, variables);
      }
    };
  },
  $dateTrunc: (argument, compiler, name) => {
    const parts = namedArguments(argument, name, ['date', 'unit'], ['timezone']);
    const date = compileDate(parts, compiler, name);
    const unit = parts['unit'];
    if (typeof unit !== 'string') throw new MongoError(5439013, `${name} requires 'unit' to be a string`);
    if (!(unit in FIXED_UNITS_MS) && !['week', 'month', 'year'].includes(unit)) {
      throw new MongoError('FailedToParse', `${name} parameter 'unit' has an unsupported value: ${unit}`);
    }
    return (root, variables) => {
      const value = date(root, variables);
      return value instanceof Date ? truncate(value, unit) : null;
    };
  },
  $dateToString: (argument, compiler, name) => {
    const parts = namedArguments(argument, name, ['date'], ['format', 'timezone', 'onNull']);
    const date = compileDate(parts, compiler, name);
    const format = parts['format'] ?? ISO_FORMAT;
    if (typeof format !== 'string') throw new MongoError(18533, `${name} requires 'format' to be a string`);
    formatDate(new Date(0), format);
    const onNull = compiler.compile(parts['onNull'] ?? null);
    return (root, variables) => {
      const value = date(root, variables);
      return value instanceof Date ? formatDate(value, format) : onNull(root, variables);
    };
  },
} satisfies Partial<Record<ExpressionName, Operator>>;

function toDate(value: Value): Date {
  if (value instanceof Date) return value;
  const at = isNumeric(value) ? new Date(toDouble(value)) : undefined;
  if (at && !Number.isNaN(at.getTime())) return at;
  if (value instanceof ObjectId) return value.getTimestamp();
  const iso =
    typeof value === 'string'
      ? /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)\d*(Z|[+-]\d\d:?\d\d)?)?$/.exec(value)
      : null;
  if (iso) {
    // Without a zone, MongoDB reads UTC and JavaScript local time.
    const [, day, time = '00:00', zone = 'Z'] = iso;
    const date = new Date(`${day}T${time}${zone}`);
    if (!Number.isNaN(date.getTime())) return date;
  }
  const shown = typeof value === 'string' ? `'${value}'` : typeOf(value);
  throw new MongoError(241, `Unsupported conversion from ${shown} to date in $convert with no onError value`);
}

/** The `date` argument; refuses a `timezone` other than UTC, and values that are not dates. */
function compileDate(parts: Doc, compiler: Compiler, name: string): Evaluate {
  const zone = getField(parts, 'timezone') ?? 'UTC';
  if (zone !== 'UTC' && zone !== 'Etc/UTC') {
    throw new MongoError(40485, `${name}: the only supported timezone is "UTC", got ${JSON.stringify(zone)}`);
  }
  const evaluate = compiler.compile(parts['date'] ?? null);
  return (root, variables) => requireDate(evaluate(root, variables), name);
}

function requireDate(value: Maybe, name: string): Maybe {
  if (isNullish(value) || value instanceof Date) return value;
  if (value instanceof ObjectId) return value.getTimestamp();
  throw new MongoError(16006, `${name} requires 'date' to be a date, but got ${typeOf(value)}`);
}

/** Start of the unit that holds the date; weeks start on Sunday, MongoDB's default. */
function truncate(date: Date, unit: string): Date {
  const size = FIXED_UNITS_MS[unit];
  if (size !== undefined) return new Date(Math.floor(date.getTime() / size) * size);
  if (unit === 'week') {
    const day = Math.floor(date.getTime() / DAY_MS) - FIRST_SUNDAY_DAY;
    return new Date((Math.floor(day / 7) * 7 + FIRST_SUNDAY_DAY) * DAY_MS);
  }
  return new Date(Date.UTC(date.getUTCFullYear(), unit === 'month' ? date.getUTCMonth() : 0));
}

function formatDate(date: Date, format: string): string {
  const iso = date.toISOString();
  const parts: Readonly<Record<string, string>> = {
    Y: iso.slice(0, 4),
    m: iso.slice(5, 7),
    d: iso.slice(8, 10),
    H: iso.slice(11, 13),
    M: iso.slice(14, 16),
    S: iso.slice(17, 19),
    L: iso.slice(20, 23),
    '%': '%',
  };
  return format.replace(/%(.?)/g, (_whole, letter: string) => {
    const part = parts[letter];
    if (part === undefined)
      throw new MongoError(18536, `Invalid format character '%${letter}' in format string`);
    return part;
  });
}
