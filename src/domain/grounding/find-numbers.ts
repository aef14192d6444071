/** Finds the numbers of a plain text: their values, how finely they are shown, and their units. */
import { unitAt, type TextUnit } from './text-units.ts';

/** A number in a text. `value` and `resolution` are in `unit`, or in no unit where the text names none. */
export type TextNumber = {
  readonly start: number;
  /** Behind the last digit; the unit is not in it. */
  readonly end: number;
  /** Behind the unit. */
  readonly unitEnd: number;
  readonly value: number;
  /** The step of the last shown digit: 0.01 for `59.50`. A source within half of it is shown by this number. */
  readonly resolution: number;
  readonly unit: TextUnit | null;
  /** Without decimals and exponent, so that it may be a count. */
  readonly isInteger: boolean;
  /** Written with a plus or a minus. */
  readonly isSigned: boolean;
  /** The number after `±`, or in brackets as the error of the last digits. */
  readonly isError: boolean;
  /** Numbers of one enumeration, with their errors, have the same. */
  readonly group: number;
};

const MANTISSA =
  /(?<![\p{Script=Latin}\p{Script=Greek}_\d]|\d[.,])(?:\d{1,3}(?:[,\u2009\u202f]\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)/gu;
const EXPONENT =
  /[eE]([-+]?\d{1,3})(?!\w)|\s?[×·*xX]\s*10(?:\^?\s?\{\s*([-+]?\d{1,3})\s*\}|\^([-+]?\d{1,3})|\*\*([-+]?\d{1,3})|([⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+))/uy;
const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const HEDGE =
  /(?:~|≈|≃|\babout|\baround|\broughly|\bapproximately|\bapprox\.?|\bca\.|\bnearly|\balmost|\bclose to|\bsome|約|およそ|ほぼ)\s*[-+]?$/iu;
/** Text allowed between numbers that share the unit of the last one. */
const LIST_LINK = /^\s{0,9}(?:,|,?\s{0,9}(?:and|or)|&|\/|、|と|および|vs\.?|versus)\s{0,9}$/iu;
const RANGE_LINK = /^\s*(?:-|–|—|→|->|\.{2,3}|…|to|through|from|〜|~|から)\s*$/iu;
const ERROR_LINK = /^\s*(?:±|\+\/-|\+-)\s*$/u;
const ERROR_BEFORE = /(?:±|\+\/-)\s*$/u;
/** Text allowed before a sign; after a digit or a word a dash is not a sign. */
const BEFORE_SIGN = /(?:^|[\s([{=:≈~<>≤≥|,/、。（「をがはで約"'])$/u;

/** All numbers of a text that `plainText` made, in order. Dates and names must have been blanked. */
export function findNumbers(plain: string): readonly TextNumber[] {
  const found: TextNumber[] = [];
  for (const match of plain.matchAll(MANTISSA)) {
    if (match.index < (found.at(-1)?.end ?? 0)) continue;
    const number = numberAt(plain, { mantissa: match[0], at: match.index }, found.at(-1) ?? null);
    if (number === null) continue;
    found.push(number);
    const error = concise(plain, number);
    if (error !== null) found.push(error);
  }
  return shareUnits(plain, found);
}

function numberAt(
  plain: string,
  { mantissa, at }: { readonly mantissa: string; readonly at: number },
  before: TextNumber | null,
): TextNumber | null {
  const start = signStart(plain, at, before);
  EXPONENT.lastIndex = at + mantissa.length;
  const exponent = EXPONENT.exec(plain);
  const end = at + mantissa.length + (exponent?.[0].length ?? 0);
  const power = exponent === null ? 0 : exponentOf(exponent);
  const unit = unitAt(plain, end);
  if (unit === null && /[\p{Script=Latin}_]/u.test(plain.charAt(end))) return null;
  const decimals = (/\.(\d+)$/u.exec(mantissa)?.[1] ?? '').length;
  const sign = plain.charAt(start) === '-' || plain.charAt(start) === '–' ? -1 : 1;
  const isInteger = decimals === 0 && exponent === null;
  const digits = mantissa.replaceAll(/[,\u2009\u202f]/gu, '');
  const lead = plain.slice(Math.max(0, start - 20), start);
  const zeros = isInteger && HEDGE.test(lead) ? (/[1-9](0+)$/u.exec(digits)?.[1] ?? '').length : 0;
  return {
    start,
    end,
    unitEnd: unit?.end ?? end,
    value: sign * Number(`${digits}e${power}`) + 0,
    resolution: Number(`1e${power - decimals + zeros}`),
    unit: unit?.unit ?? null,
    isInteger,
    isSigned: start < at,
    isError: ERROR_BEFORE.test(plain.slice(Math.max(0, start - 8), start)),
    group: before === null ? 0 : before.group + (isListed(plain.slice(before.unitEnd, start)) ? 0 : 1),
  };
}

const isListed = (gap: string): boolean => LIST_LINK.test(gap) || ERROR_LINK.test(gap);
const isLinked = (gap: string): boolean => LIST_LINK.test(gap) || RANGE_LINK.test(gap);

/** Where the number begins with its sign; a dash between two numbers is a range. */
function signStart(plain: string, at: number, before: TextNumber | null): number {
  const sign = plain.charAt(at - 1);
  if (sign !== '-' && sign !== '+' && sign !== '–') return at;
  const lead = plain.slice(Math.max(0, at - 2), at - 1);
  if (!BEFORE_SIGN.test(lead)) return at;
  const isRange = before !== null && sign === '–' && plain.slice(before.unitEnd, at - 1).trim() === '';
  return isRange ? at : at - 1;
}

function exponentOf(match: RegExpExecArray): number {
  const written = match.slice(1).find((group) => group !== undefined) ?? '0';
  const plain = written
    .replaceAll(/[⁰¹²³⁴⁵⁶⁷⁸⁹]/gu, (digit) => String(SUPERSCRIPTS.indexOf(digit)))
    .replace('⁻', '-')
    .replace('⁺', '');
  return Number(plain);
}

/** `87.3(12)`: the bracket holds the error of the last digits. */
function concise(plain: string, number: TextNumber): TextNumber | null {
  const bracket = /^\((\d{1,3})\)/u.exec(plain.slice(number.end, number.end + 5));
  if (bracket === null || number.isInteger || number.unitEnd !== number.end) return null;
  const [whole, digits = ''] = bracket;
  const unit = unitAt(plain, number.end + whole.length);
  return {
    ...number,
    start: number.end + 1,
    end: number.end + 1 + digits.length,
    unitEnd: unit?.end ?? number.end + whole.length,
    value: Number((Number(digits) * number.resolution).toPrecision(12)),
    unit: unit?.unit ?? null,
    isSigned: false,
    isError: true,
  };
}

/** `59.5 ± 1.9 μs`, `59–65 μs` and `59, 63 and 65 μs` name the unit once. */
function shareUnits(plain: string, numbers: readonly TextNumber[]): readonly TextNumber[] {
  const shared = [...numbers];
  for (let index = shared.length - 2; index >= 0; index -= 1) {
    const [number, next] = [shared[index], shared[index + 1]];
    if (number === undefined || next === undefined || number.unit !== null || next.unit === null) continue;
    const gap = plain.slice(number.unitEnd, next.start);
    const isOne = ERROR_LINK.test(gap) || isLinked(gap) || (next.isError && gap === '(');
    if (isOne && next.unit.dimension !== 'factor') shared[index] = { ...number, unit: next.unit };
  }
  return shared;
}
