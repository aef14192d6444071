/** Reads an answer sentence by sentence: which parts it names and which numbers it gives of them. No code of src. */

import { timesIn, type NamedTime } from './times.ts';

/** A number as it is written. */
export type GivenFigure = {
  readonly value: number;
  /** Step of its last digit. */
  readonly step: number;
  /** As written; null where the sentence has none. */
  readonly unit: string | null;
  readonly at: number;
  /** Parts that it may be of: the one named before it, else the first after it; and by place in the sentence. */
  readonly of: readonly string[];
  /** A part is named before it, in this sentence. */
  readonly isBound: boolean;
  /** The times named last before it and next after it in the sentence. */
  readonly times: readonly NamedTime[];
};

/** A sentence, bullet or row. */
export type Statement = {
  readonly text: string;
  /** Qubits (`7`) and pairs (`4-5`, lower first) in order of mention. */
  readonly names: readonly string[];
  readonly figures: readonly GivenFigure[];
};

const DATES =
  /\d{4}-\d{2}(?:-\d{2}(?:[ T]\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?Z?)?)?|\d{1,2}:\d{2}|\d{4}年(?:\d+月)?(?:\d+日)?/gu;
const NAMES =
  /\bQ0*(\d+)\s?[-–—↔]\s?Q?0*(\d+)(?!\d|\.\d)|(?<![\d.\w-])0*(\d+)[-–↔]0*(\d+)(?!\d|[.-]\d|\s?(?:μ|µ|u|n|m)?s\b|\s?%)|\bQ0*(\d+)\b|(?:\bq(?:u)?bits?|量子ビット)\s?0*(\d+)(?!\d|個)\b/giu;
const FIGURES =
  /(?<![\w.])([-−]?\d{1,3}(?:,\d{3})+(?:\.\d+)?|[-−]?\d+(?:\.\d+)?)(?:e([-+]?\d+)|\s?[×x]\s?10\^?([-−]?\d+))?\s*(μs|µs|us|ms|ns|s\b|秒|GHz|MHz|kHz|Hz|%|％|percentage points?|percent|pp\b|points?\b|a\.u\.)?(?![\w])/gu;

const UNITS: Readonly<Record<string, string>> = {
  µs: 'μs',
  us: 'μs',
  秒: 's',
  '％': '%',
  'percentage point': '%',
  'percentage points': '%',
  percent: '%',
  pp: '%',
  point: '%',
  points: '%',
  'a.u.': 'fraction',
};

/** Statements of a text about a device with these pairs, lower qubit first. */
export function readStatements(text: string, pairs: ReadonlySet<string>): readonly Statement[] {
  const plain = text.replaceAll(/[*_`]/gu, '').replaceAll('−', '-').normalize('NFKC').replaceAll('μ', 'μ');
  const parts = plain.split(/\n+|(?<=[.!?])\s+(?=[A-Z])|(?<=。)/u).filter((part) => part.trim() !== '');
  const statements: Statement[] = [];
  for (const part of parts) statements.push(statementOf(part, pairs, statements));
  return statements;
}

/** All that is named, in order of first mention. */
export const namedIn = (statements: readonly Statement[]): readonly string[] => [
  ...new Set(statements.flatMap(({ names }) => names)),
];

function statementOf(text: string, pairs: ReadonlySet<string>, before: readonly Statement[]): Statement {
  const undated = text.replaceAll(DATES, (date) => ' '.repeat(date.length));
  const names = [...undated.matchAll(NAMES)].flatMap((match) => {
    const id = nameOf(match, pairs);
    return id === null ? [] : [{ id, at: match.index, length: match[0].length }];
  });
  let rest = undated;
  for (const { at, length } of names) rest = rest.slice(0, at) + ' '.repeat(length) + rest.slice(at + length);
  const numbers = [...rest.matchAll(FIGURES)].map((match) => ({ ...numberOf(match), at: match.index }));
  const unit = numbers.find((each) => each.unit !== null)?.unit ?? null;
  const heading = before.findLast((statement) => statement.names.length > 0)?.names ?? [];
  const times = timesIn(text);
  const periods = before.findLast((statement) => periodsIn(statement.text) !== null)?.text;
  const figures = numbers.map(({ value, step, at, unit: own, isWhole }, index) => {
    const previous = names.findLast((name) => name.at < at) ?? names[0];
    const inOrder = names.length === numbers.length ? names[index] : undefined;
    return {
      value,
      step,
      // In a list the unit comes once: `T1 above 50 μs: Q1 61.2, Q2 55.0`.
      unit: own ?? (isWhole ? null : unit),
      at,
      isBound: previous !== undefined && previous.at < at,
      times:
        times.length === 0 && periods !== undefined
          ? timesIn(periodOf(periods, text.slice(0, at)))
          : [times.findLast((time) => time.at < at), times.find((time) => time.at > at)].filter(
              (time) => time !== undefined,
            ),
      of:
        names.length === 0
          ? heading
          : [...new Set([previous, inOrder].flatMap((name) => (name === undefined ? [] : [name.id])))],
    };
  });
  return { text, names: names.map(({ id }) => id), figures };
}

/** The two sides of "May 3 against April 2", above lines such as "Q1: 42 μs, before 38 μs"; null without numbers. */
function periodsIn(text: string): readonly [later: string, earlier: string] | null {
  for (const { 0: word, index } of [...text.matchAll(/against| と |と比べ/gu)].toReversed()) {
    const sides = [text.slice(0, index), text.slice(index + word.length)] as const;
    if (sides.every((side) => /\d/u.test(side))) return sides;
  }
  return null;
}

function periodOf(heading: string, lead: string): string {
  const [later, earlier] = periodsIn(heading) ?? ['', ''];
  return /before|以前|前は/u.test(lead) ? earlier : later;
}

function nameOf(match: RegExpExecArray, pairs: ReadonlySet<string>): string | null {
  const [, labelA, labelB, bareA, bareB, label, word] = match;
  if (labelA !== undefined && labelB !== undefined) return pairId(labelA, labelB);
  if (bareA !== undefined && bareB !== undefined) {
    const id = pairId(bareA, bareB);
    return pairs.has(id) ? id : null;
  }
  return label ?? word ?? null;
}

const pairId = (a: string, b: string): string => (Number(a) < Number(b) ? `${a}-${b}` : `${b}-${a}`);

function numberOf(match: RegExpExecArray) {
  const [, digits = '', power, timesTen, unit] = match;
  const written = digits.replaceAll(',', '');
  const factor = 10 ** Number(power ?? timesTen?.replace('−', '-') ?? 0);
  const decimals = written.split('.')[1]?.length ?? 0;
  return {
    value: Number(written) * factor,
    step: 10 ** -decimals * factor,
    unit: unit === undefined ? null : (UNITS[unit] ?? unit),
    isWhole: decimals === 0 && factor === 1,
  };
}
