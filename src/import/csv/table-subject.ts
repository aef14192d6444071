/** What a whole table holds, where its columns are qubits: from its title, its name or what the user says. */
import type { Metric, MetricCatalog, MetricScope } from '../../domain/values/metric.ts';
import { refuseFile } from '../../sources/tables/csv-text.ts';
import type { Naming } from './entities.ts';
import { mentionedParameters, readParameter, type ParameterWord } from './parameter-words.ts';
import { storedUnit, toStored, readUnit, unitSuffix } from './units.ts';

/** What is known of a table beside its columns; `parameter` and `unit` as the user said them. */
export type TableHints = {
  readonly title: string;
  readonly fileName: string;
  readonly parameter: string | null;
  readonly unit: string | null;
  readonly naming: Naming | null;
  /** The chip has such names already. */
  readonly isGridChip: boolean;
};

/** A conclusion, and what led to it; `isGuess` where the user has not said it. */
export type Found<T> = { readonly found: T; readonly from: string; readonly isGuess: boolean };

/** @throws InvalidInputError where nothing, or more than one thing, names the parameter. */
export function subjectOf(hints: TableHints, metrics: MetricCatalog): Found<ParameterWord> {
  const { parameter, title, fileName } = hints;
  if (parameter !== null) {
    const reading = readParameter(parameter, metrics);
    if (reading.type === 'ambiguous' || reading.type === 'invalid') throw refuseFile(reading.message);
    return { found: reading.word, from: '--parameter', isGuess: false };
  }
  const sources = [
    ['the title', title],
    ['the file name', fileName.replace(/\.[^.]+$/u, '')],
  ] as const;
  for (const [from, text] of sources) {
    const readings = mentionedParameters(text, metrics);
    const [reading, ...others] = readings;
    if (reading === undefined) continue;
    if (others.length > 0 || reading.type === 'invalid') {
      throw refuseFile(`${from} ${JSON.stringify(text)} names several parameters: pass --parameter`);
    }
    if (reading.type === 'ambiguous') {
      throw refuseFile(
        `${from} ${JSON.stringify(text)}: ${reading.message.replace('write', 'pass --parameter')}`,
      );
    }
    return { found: reading.word, from, isGuess: true };
  }
  throw refuseFile(
    'the columns are qubits, but nothing says what their values are: pass --parameter, for example --parameter t1',
  );
}

/** Numbers of a metric lie within these three decades, so that one prefix alone brings them there. */
const DECADES: readonly { readonly of: RegExp; readonly unit: string; readonly from: number }[] = [
  { of: /^t[12](?:_|$)/u, unit: 'μs', from: 1 },
  { of: /^(?:qubit|readout)_frequency$/u, unit: 'GHz', from: 1 },
  { of: /^anharmonicity$/u, unit: 'MHz', from: 1 },
];
const SPAN = 1000;
/** A unit that is written is believed within wider bounds. */
const TOLERANCE = 100;

/**
 * The unit of `numbers`: as said, as written, or the one that makes them plausible.
 * @throws InvalidInputError where none or several fit, and where the written one cannot be true.
 */
export function unitOf(
  numbers: readonly number[],
  metric: Metric | null,
  written: { readonly unit: string; readonly from: string } | null,
  said: string | null,
  isError: boolean,
): Found<string> {
  if (said !== null) return { found: readUnit(said), from: '--unit', isGuess: false };
  const decade = DECADES.find(({ of }) => metric !== null && of.test(metric.name));
  if (written !== null) {
    refuseImplausible(numbers, metric, written, decade);
    return { found: written.unit, from: written.from, isGuess: true };
  }
  if (metric === null || numbers.length === 0) return { found: '', from: 'no unit is given', isGuess: false };
  if (decade !== undefined) {
    const fits = candidatesOf(metric).filter((unit) =>
      numbers.every((number) => isWithin(number, unit, metric, decade, 1)),
    );
    const [only, ...others] = fits;
    if (only === undefined || others.length > 0) {
      throw refuseFile(
        `no unit of ${metric.name} is given, and none makes all of its values plausible: pass --unit, or write it in the heading`,
      );
    }
    return { found: only, from: `the values: only ${only} makes all of them plausible`, isGuess: true };
  }
  const most = numbers.reduce((a, b) => Math.max(a, Math.abs(b)), 0);
  if (metric.unit === '%' && most <= 100) {
    if (!isError && most > 1 && numbers.some((number) => number > 0 && number <= 1)) {
      throw refuseFile(
        `some values of ${metric.name} look like percentages, such as ${most}, and others like fractions of 1: write all alike, or pass --unit`,
      );
    }
    return most > 1
      ? { found: '%', from: `the values: up to ${most}, so they are percentages`, isGuess: true }
      : { found: '', from: 'the values: none above 1, so they are fractions', isGuess: false };
  }
  if (storedUnit(metric).includes('a.u.')) return { found: '', from: 'the metric has none', isGuess: false };
  throw refuseFile(
    `nothing says the unit of ${metric.name}: pass --unit ${storedUnit(metric)}, or write it in the heading`,
  );
}

function refuseImplausible(
  numbers: readonly number[],
  metric: Metric | null,
  { unit, from }: { readonly unit: string; readonly from: string },
  decade: (typeof DECADES)[number] | undefined,
): void {
  if (metric === null || decade === undefined) return;
  const wrong = numbers.filter((number) => !isWithin(number, unit, metric, decade, TOLERANCE));
  if (wrong.length * 2 <= numbers.length) return;
  throw refuseFile(
    `${from} says ${unit}, but ${wrong[0]} ${unit} is no ${metric.title}: correct it, or pass --unit`,
  );
}

const candidatesOf = (metric: Metric): readonly string[] =>
  ['s', 'ms', 'μs', 'ns', 'Hz', 'kHz', 'MHz', 'GHz'].filter(
    (unit) => typeof toStored(1, unit, metric) !== 'string',
  );

function isWithin(
  number: number,
  unit: string,
  metric: Metric,
  { unit: decadeUnit, from }: (typeof DECADES)[number],
  tolerance: number,
): boolean {
  const inDecade = toStored(Math.abs(number), unit, { ...metric, unit: decadeUnit, scale: 1 });
  if (typeof inDecade === 'string') return true;
  return inDecade.value >= from / tolerance && inDecade.value < from * SPAN * tolerance;
}

/** The unit that a title or file name ends with: `T1 times in s`, `T1 (us)`, `t1_us.csv`; null without any. */
export function writtenUnit({
  title,
  fileName,
}: TableHints): { readonly unit: string; readonly from: string } | null {
  const [, round, square, after] =
    /(?:\(([^()]+)\)|\[([^[\]]+)\]|(?:\bin|,)\s+(\S+))\s*$/iu.exec(title) ?? [];
  const word = round ?? square ?? after;
  const ofTitle = word === undefined ? null : unitSuffix(`x ${word}`);
  if (ofTitle !== null) return { unit: ofTitle.unit, from: 'the title' };
  const ofName = unitSuffix(fileName.replace(/\.[^.]+$/u, ''));
  return ofName === null ? null : { unit: ofName.unit, from: 'the file name' };
}

/** The metric of that name, wherever it is measured. */
export const metricOf = (parameter: string, metrics: MetricCatalog): Metric | null =>
  metrics.find(parameter, 'QUBIT') ?? metrics.find(parameter, 'COUPLING');

/** Where values of `parameter` are measured; empty where nothing is known. */
export function scopesOf(parameter: string, metrics: MetricCatalog): readonly MetricScope[] {
  return (['QUBIT', 'COUPLING'] as const).filter((scope) => metrics.find(parameter, scope) !== null);
}
