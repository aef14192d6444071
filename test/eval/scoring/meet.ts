/** Whether an answer gives a fact that it must give. */
import type { Fact, FactUnit } from './expectation.ts';
import { isOf as isOfTime } from './times.ts';
import { inBase } from './true-figures.ts';
import { namedIn, type GivenFigure, type Statement } from './statements.ts';

/**
 * How far: `otherwise` is the right figure in another unit than asked or with a single digit, `untimed` one without the time it is of, `part`
 * some of the names and no others.
 */
export type Met = 'yes' | 'otherwise' | 'untimed' | 'part' | 'no';

/** An answer that facts are looked for in. */
export type Given = {
  /** What the answer itself says, without notices about its sources. */
  readonly statements: readonly Statement[];
  /** With the rows of tables, where the answer says that there are more. */
  readonly all: readonly Statement[];
  readonly text: string;
  /** With everything, for days. */
  readonly whole: string;
  /** Subjects that need not be counted. */
  readonly mayName: readonly string[];
  /** Parts that the question names. */
  readonly asked: readonly string[];
};

/** Whether `given` has `fact`. */
export function meets(fact: Fact, given: Given): Met {
  switch (fact.type) {
    case 'figure':
      return figureMet(fact, given);
    case 'count':
      return fact.values.some((value) => hasCount(value, fact.when, given)) ? 'yes' : 'no';
    case 'names':
      return namesMet(fact, given);
    case 'day':
      return hasDay(fact.at, given.text) ? 'yes' : hasDay(fact.at, given.whole) ? 'untimed' : 'no';
    case 'says':
      return fact.pattern.test(given.text) ? 'yes' : 'no';
    case 'either':
      return fact.ways.some((way) => way.every((each) => meets(each, given) === 'yes')) ? 'yes' : 'no';
    default:
      return fact satisfies never;
  }
}

type Wanted = { readonly value: number; readonly unit: FactUnit };

function figureMet(fact: Extract<Fact, { type: 'figure' }>, given: Given): Met {
  const { of, value, unit, isExact, when, also = [] } = fact;
  const own = given.all.flatMap(({ figures }) => figures).filter((figure) => isOf(figure, of, given));
  const base = inBase(value, unit);
  const ways = [{ value, unit }, ...also];
  const loose =
    base.dimension === 'ratio' ? [...ways, { value: 1 - base.value, unit: 'fraction' as const }] : ways;
  const same = own.filter((figure) => ways.some((way) => isSame(figure, way, isExact)));
  if (same.some(({ times }) => when === undefined || times.some((time) => isOfTime(time, when))))
    return 'yes';
  if (same.length > 0) return same.some(({ times }) => times.length === 0) ? 'untimed' : 'no';
  const isNear = (figure: GivenFigure): boolean =>
    loose.some((way) => isSame(figure, way, false)) ||
    (figure.unit !== null && ways.some((way) => isSame(figure, way, false, ONE_DIGIT)));
  return own.some(isNear) ? 'otherwise' : 'no';
}

/** A figure that names nobody is of the only part that the question names. */
function isOf({ of: subjects }: GivenFigure, of: string | null, { asked }: Given): boolean {
  if (of === null) return true;
  if (subjects.length === 0) return asked.length === 1 && asked[0] === of;
  return subjects.includes(of);
}

/** Steps of the last digit as shares of the value, or of what is left to 1. */
const [TWO_DIGITS, ONE_DIGIT] = [0.06, 1];

/** Rounded as it likes as long as two digits, or so many, are right. */
export function isSame(
  figure: GivenFigure,
  wanted: Wanted,
  needsUnit: boolean,
  coarsest = TWO_DIGITS,
): boolean {
  const unit = figure.unit ?? 'fraction';
  const [given, target, step] = [
    inBase(figure.value, unit),
    inBase(wanted.value, wanted.unit),
    inBase(figure.step, unit).value,
  ];
  if (given.dimension !== target.dimension || (needsUnit && unit !== wanted.unit)) return false;
  const size =
    target.dimension === 'ratio'
      ? Math.min(Math.abs(target.value), Math.abs(1 - target.value))
      : Math.abs(target.value);
  return step <= size * coarsest + 1e-12 && Math.abs(given.value - target.value) <= step * 0.5001 + 1e-12;
}

const WORDS = [
  'no|none|zero',
  'one|only',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
];

function hasCount(wanted: number, when: string | undefined, { statements, text }: Given): boolean {
  const isGiven = statements
    .flatMap(({ figures }) => figures)
    .filter(({ times }) => when === undefined || times.some((time) => isOfTime(time, when)))
    .some(({ value, unit, step }) => value === wanted && unit === null && step === 1);
  const word = WORDS[wanted];
  return isGiven || (word !== undefined && new RegExp(String.raw`\b(?:${word})\b`, 'iu').test(text));
}

function namesMet({ names, how }: Extract<Fact, { type: 'names' }>, given: Given): Met {
  const source = how === 'only' || names.length > 5 ? given.all : given.statements;
  const named = namedIn(source).filter((name) => names.includes(name) || !given.mayName.includes(name));
  if (how === 'in order') {
    // A list by number singles nobody out.
    const isByNumber =
      named.length > names.length + 2 &&
      named.every((name, index) => index === 0 || Number(named[index - 1]) < Number(name));
    return !isByNumber && names.every((name, index) => named[index] === name) ? 'yes' : 'no';
  }
  if (named.length === 0 || !named.every((name) => names.includes(name))) return 'no';
  return named.length === names.length ? 'yes' : 'part';
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function hasDay(at: Date, text: string): boolean {
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  const name = MONTHS[month] ?? '';
  return [
    at.toISOString().slice(0, 10),
    String.raw`${day}\.? ${name}\w* ${year}`,
    String.raw`${name}\w* ${day},? ${year}`,
    String.raw`${year}年${month + 1}月${day}日`,
  ].some((form) => new RegExp(form, 'u').test(text));
}
