/** Scores an answer against what a right one must hold, and says what is missing. */
import { unitOf } from '../../../src/domain/grounding/text-units.ts';
import { twinOf } from '../../../src/domain/qid.ts';
import type { Check, WantedValue } from '../questions/question.ts';
import type { GivenNumber, ReadAnswer } from './read-answer.ts';

/** Points from 0 to 1, and a sentence for each thing that is wrong. */
export type Score = { readonly points: number; readonly faults: readonly string[] };

const RIGHT: Score = { points: 1, faults: [] };
const wrong = (fault: string): Score => ({ points: 0, faults: [fault] });

/**
 * The points of the worst check: one thing wrong makes an answer wrong, a part of many values makes it right in part.
 */
export function scoreAnswer(checks: readonly Check[], answer: ReadAnswer): Score {
  const scores = checks.map((check) => scoreCheck(check, answer));
  return {
    points: Math.min(1, ...scores.map(({ points }) => points)),
    faults: scores.flatMap(({ faults }) => faults),
  };
}

function scoreCheck(check: Check, answer: ReadAnswer): Score {
  switch (check.type) {
    case 'values':
      return scoreValues(check.values, answer);
    case 'count':
      return answer.numbers.some((given) => isCount(given, check.value)) ||
        saysCount(answer.text, check.value)
        ? RIGHT
        : wrong(`the number ${check.value}`);
    case 'day':
      return answer.times.some(
        (time) => time.month === check.at.getUTCMonth() + 1 && time.day === check.at.getUTCDate(),
      )
        ? RIGHT
        : wrong(`the day ${check.at.toISOString().slice(0, 10)}`);
    case 'names':
      return scoreNames(check, answer);
    case 'says':
      return check.pattern.test(answer.text) ? RIGHT : wrong(check.what);
    case 'never says':
      return check.pattern.test(answer.text) ? wrong(`not ${check.what}`) : RIGHT;
    case 'no values': {
      const made = answer.numbers.filter(({ hasUnit, dimension }) => hasUnit && dimension !== 'factor');
      return made.some(isMeasured) ? wrong('no made-up values') : RIGHT;
    }
    case 'shows':
      return check.visuals.some((visual) => answer.visuals.includes(visual))
        ? RIGHT
        : wrong(`one of ${check.visuals.join(', ')} shown`);
    case 'any of': {
      const scores = check.ways.map((way) => scoreAnswer(way, answer));
      return scores.reduce((best, score) => (score.points > best.points ? score : best));
    }
    default:
      return check satisfies never;
  }
}

/** Ages and lengths of time are no measured values, nor are the user's own numbers. */
const isMeasured = ({ dimension, value }: GivenNumber): boolean => dimension !== 'time' || value < 0.01;

const isCount = ({ value, isInteger, hasUnit }: GivenNumber, wanted: number): boolean =>
  isInteger && !hasUnit && value === wanted;

const NUMBER_WORDS = [
  '(?:no|none|nobody|zero)',
  'one',
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

const saysCount = (text: string, wanted: number): boolean => {
  const word = NUMBER_WORDS[wanted];
  return word !== undefined && new RegExp(String.raw`\b${word}\b`, 'iu').test(text);
};

function scoreValues(values: readonly WantedValue[], { numbers }: ReadAnswer): Score {
  const missing = values.filter((wanted) => !numbers.some((given) => isValue(given, wanted)));
  return {
    points: (values.length - missing.length) / values.length,
    faults: missing.map(({ subject, parameter, value, unit }) =>
      `${parameter ?? 'value'}${subject === null ? '' : ` of ${subject}`} = ${Number(value.toPrecision(5))} ${unit}`.trim(),
    ),
  };
}

/** The coarsest that a number may be rounded to, in its unit: enough to tell qubits apart. */
const COARSEST: Readonly<Record<string, number>> = { μs: 1, '%': 0.1, GHz: 0.01, MHz: 1 };

function isValue(given: GivenNumber, { subject, parameter, value, unit }: WantedValue): boolean {
  const { dimension, factor } = unitOf(unit);
  if (given.isError || given.dimension !== dimension) return false;
  if (given.resolution > (COARSEST[unit] ?? 0.01) * factor * 1.001) return false;
  if (Math.abs(given.value - value * factor) > given.resolution * 0.5001) return false;
  const isSubject =
    subject === null || given.subjects.includes(subject) || given.subjects.includes(twinOf(subject));
  return (
    isSubject && (parameter === null || given.parameters.length === 0 || given.parameters.includes(parameter))
  );
}

function scoreNames(
  { subjects, how, except = [] }: Extract<Check, { type: 'names' }>,
  { named }: ReadAnswer,
): Score {
  const others = named.filter((ids) => !ids.some((id) => except.includes(id)));
  const isNamed = (subject: string, ids: readonly string[] | undefined): boolean =>
    ids?.includes(subject) ?? false;
  const first = others.slice(0, subjects.length);
  const isRight =
    how === 'in order'
      ? subjects.every((subject, index) => isNamed(subject, others[index]))
      : subjects.every((subject) => first.some((ids) => isNamed(subject, ids))) &&
        (how === 'first' || others.length === subjects.length);
  const list = subjects.length === 0 ? 'nobody' : subjects.join(', ');
  return isRight
    ? RIGHT
    : wrong(`${list} named${how === 'only' ? ', nobody else' : how === 'in order' ? ' in this order' : ''}`);
}
