/** Units as people and models write them behind a number, and what they measure. */
import { canonicalUnit } from '../values/units.ts';

/** A unit: numbers in units of one dimension can be compared after multiplying them by `factor`. */
export type TextUnit = { readonly symbol: string; readonly dimension: string; readonly factor: number };

const table = (dimension: string, factors: Readonly<Record<string, number>>): TextUnit[] =>
  Object.entries(factors).map(([symbol, factor]) => ({ symbol, dimension, factor }));

/** Numbers without a unit and percentages are of one dimension: a fidelity is 0.97 or 97 %. */
const UNITS: readonly TextUnit[] = [
  ...table('time', { s: 1, ms: 1e-3, μs: 1e-6, ns: 1e-9, ps: 1e-12 }),
  ...table('time', {
    minute: 60,
    hour: 3600,
    day: 86_400,
    week: 604_800,
    month: 2_629_746,
    year: 31_556_952,
  }),
  ...table('frequency', { Hz: 1, kHz: 1e3, MHz: 1e6, GHz: 1e9, THz: 1e12 }),
  ...table('ratio', { '': 1, 'a.u.': 1, '%': 0.01, '‰': 1e-3, ppm: 1e-6 }),
  ...table('temperature', { K: 1, mK: 1e-3, μK: 1e-6 }),
  ...table('voltage', { V: 1, mV: 1e-3, μV: 1e-6 }),
  ...table('decibel', { dB: 1 }),
  ...table('power', { dBm: 1 }),
  ...table('angle', { rad: 1, mrad: 1e-3, '°': Math.PI / 180 }),
  ...table('points', { pp: 0.01 }),
  ...table('factor', { '×': 1 }),
  ...table('sigma', { σ: 1 }),
];

const BY_SYMBOL: ReadonlyMap<string, TextUnit> = new Map(UNITS.map((unit) => [unit.symbol, unit]));

/** Units that are written as words or in other ways than their symbol. */
const SPELLINGS: readonly (readonly [symbol: string, pattern: string])[] = [
  ['μs', 'usecs?|microseconds?|マイクロ秒|us|㎲'],
  ['ns', 'nanoseconds?|ナノ秒|㎱'],
  ['ms', 'milliseconds?|ミリ秒|msecs?|㎳'],
  ['pp', 'percentage[ -]points?|パーセントポイント|%ポイント|%-?points?|pp'],
  ['%', 'percent|per cent|パーセント|%'],
  ['GHz', 'gigahertz|ギガヘルツ|㎓'],
  ['MHz', 'megahertz|メガヘルツ|㎒'],
  ['kHz', 'kilohertz|キロヘルツ|㎑'],
  ['Hz', 'hertz|㎐'],
  ['minute', 'minutes?|mins?|分(?:間|前)?'],
  ['hour', 'hours?|hrs?|h|時間'],
  ['day', 'days?|d|日(?:間|前)?'],
  ['week', 'weeks?|週間?'],
  ['month', 'months?|(?:か|ヶ|カ)月'],
  ['year', 'years?|年(?:間|前)'],
  ['s', 'seconds?|secs?|s|秒'],
  ['σ', 'sigmas?|σ|standard deviations?|deviations?|標準偏差'],
  ['×', '(?:×|x)(?! ?\\d)|times|fold|倍'],
];

const escape = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/gu, '\\$&');
const SYMBOLS = UNITS.map(({ symbol }) => symbol).filter(
  (symbol) => /^[A-Za-zμ°%‰σ×]/u.test(symbol) && symbol !== 'a.u.',
);
const LONGEST_FIRST = [
  ...SPELLINGS.map(([symbol, pattern]) => [symbol, pattern] as const),
  ...SYMBOLS.filter((symbol) => symbol !== 'pp' && symbol.length > 0).map(
    (symbol) => [symbol, escape(symbol)] as const,
  ),
];
/** Each spelling as a named alternative, so that the match names the unit. */
const FOLLOWING = new RegExp(
  `(?:-|[ \\u00a0\\u2009\\u202f]{0,4})(?:${LONGEST_FIRST.map(([, pattern]) => `(${pattern})`).join('|')})(?![A-Za-zμ_]|\\d)`,
  'uy',
);
const PER_UNIT = /\/a\.u\./uy;

/** The unit in `plain` at `from`, after a few spaces at most, and where it ends. */
export function unitAt(
  plain: string,
  from: number,
): { readonly unit: TextUnit; readonly end: number } | null {
  FOLLOWING.lastIndex = from;
  const match = FOLLOWING.exec(plain);
  if (match === null) return null;
  const which = match.findIndex((group, index) => index > 0 && group !== undefined) - 1;
  const symbol = LONGEST_FIRST[which]?.[0] ?? '';
  const end = from + match[0].length;
  PER_UNIT.lastIndex = end;
  const per = PER_UNIT.exec(plain);
  return per === null
    ? { unit: unitOf(symbol), end }
    : { unit: unitOf(`${symbol}${per[0]}`), end: end + per[0].length };
}

const BY_LOWER_CASE: ReadonlyMap<string, TextUnit> = new Map(
  UNITS.filter(({ symbol }) => symbol !== '').map((unit) => [unit.symbol.toLowerCase(), unit]),
);

/** The unit that a name ends with, as `temperature_mK` and `power_dbm` do; null for none that is known. */
export function unitInName(name: string): TextUnit | null {
  const end = /[a-z\d][_ ]([a-zµμ]+)$/iu.exec(name)?.[1];
  if (end === undefined) return null;
  return BY_SYMBOL.get(end) ?? BY_LOWER_CASE.get(canonicalUnit(end).toLowerCase()) ?? null;
}

/** What a unit of a record or of the catalogue measures; unknown units are comparable to themselves only. */
export function unitOf(symbol: string): TextUnit {
  const canonical = BY_SYMBOL.has(symbol) ? symbol : canonicalUnit(symbol);
  return BY_SYMBOL.get(canonical) ?? { symbol: canonical, dimension: `unit ${canonical}`, factor: 1 };
}
