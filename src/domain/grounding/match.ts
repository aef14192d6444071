/** Finds the fact that a number shows: the same quantity within its rounding, about the same things. */
import type { Binding } from './binding.ts';
import type { CountedNoun, Fact } from './fact.ts';
import type { FactBook } from './fact-book.ts';
import type { TextNumber } from './find-numbers.ts';
import type { ReadSentence } from './reading.ts';
import { isTime } from './find-times.ts';
import type { Cue } from './words.ts';

/** A number with the properties that its position in the text gives it. */
export type PlacedNumber = {
  readonly number: TextNumber;
  readonly binding: Binding;
  readonly sentence: ReadSentence;
  /** The sentence's own words, marks and names blanked. */
  readonly words: string;
  /** What the sentence has words for. */
  readonly cues: ReadonlySet<Cue>;
  /** What it counts; null for a number that counts nothing that results count. */
  readonly noun: CountedNoun | null;
  /** The words after it show that it counts, whether or not they name what: `37 of 64`, `37個`. */
  readonly isCounting: boolean;
  /** Chips that the sentence names; any where it names none. */
  readonly chipIds: ReadonlySet<string>;
};

/** Half a step of the last shown digit, and what floating point may add to it. */
const tolerance = ({ value, resolution }: TextNumber, factor: number): number =>
  resolution * factor * (0.5 + 1e-9) + Math.abs(value * factor) * 1e-12;

/** Whether `exact` is what a number shows when both are in `factor` times their base unit. */
export const isShown = (number: TextNumber, exact: number, factor = 1): boolean =>
  Math.abs(exact - number.value * factor) <= tolerance(number, factor);

/** The best fact for a number, null where none fits. */
export function findSource(book: FactBook, placed: PlacedNumber): Fact | null {
  const about = shownFacts(book, placed.number).filter((fact) => isAbout(fact, placed));
  // What is stored goes before what another program says.
  const stored = about.filter(({ callId }) => callId === null || !book.outside.has(callId));
  const fitting = stored.length > 0 ? stored : about;
  if (fitting.length === 0) return null;
  if (isGuess(fitting, placed)) return null;
  let best: Fact | null = null;
  let bestScore = Number.NEGATIVE_INFINITY;
  for (const fact of fitting) {
    const score = scoreOf(fact, placed, book);
    if (score > bestScore || (score === bestScore && (fact.measuredAtMs ?? 0) > (best?.measuredAtMs ?? 0))) {
      [best, bestScore] = [fact, score];
    }
  }
  return best;
}

/** Facts whose quantity a number shows; a number without a unit may be in display scale or as stored. */
function shownFacts({ facts, sizes }: FactBook, number: TextNumber): readonly Fact[] {
  const { unit } = number;
  const factor = unit?.factor ?? 1;
  const [size, room] = [Math.abs(number.value * factor), tolerance(number, factor)];
  const isNear = (other: number | undefined): boolean => Math.abs((other ?? Number.NaN) - size) <= room;
  const found: Fact[] = [];
  for (let index = 0; index < facts.length; index += 1) {
    const passes =
      unit === null ? isNear(sizes.shown[index]) || isNear(sizes.stored[index]) : isNear(sizes.base[index]);
    const fact = passes ? facts[index] : undefined;
    if (fact !== undefined && isQuantity(fact, number)) found.push(fact);
  }
  return found;
}

function isQuantity(fact: Fact, number: TextNumber): boolean {
  const { unit } = number;
  const ownFactor = unit === null ? 1 : (fact.unit?.factor ?? 1);
  const factor = unit?.factor ?? 1;
  // Text showing 400.8 is not a source for 400.80.
  if (fact.resolution * ownFactor > number.resolution * factor * 1.001) return false;
  // The sign of a change may be in the words.
  const isMagnitude = (fact.kind === 'sigma' || fact.kind === 'change') && !number.isSigned;
  const fits = (exact: number): boolean =>
    isShown(number, exact, factor) || (isMagnitude && isShown(number, Math.abs(exact), factor));
  if (unit === null) return fits(fact.value) || (fact.stored !== null && fits(fact.stored.value));
  return (fact.unit?.dimension ?? 'ratio') === unit.dimension && fits(fact.value * ownFactor);
}

const CHIP_KINDS = new Set(['mean', 'median', 'stdev', 'min', 'max', 'quantile']);

function isAbout(fact: Fact, placed: PlacedNumber): boolean {
  return (
    isOfKind(fact, placed) &&
    isOfChip(fact, placed) &&
    isOfSubject(fact, placed) &&
    isOfParameter(fact, placed.binding)
  );
}

function isOfKind(fact: Fact, { number, binding, words, cues, noun, isCounting }: PlacedNumber): boolean {
  const { statistic } = binding;
  if (number.isError) return fact.kind === 'error' || fact.kind === 'stdev';
  if (noun !== null) return isCount(fact) && isSameNoun(fact.noun, noun) && isTagged(fact, words);
  if (isCounting) return isCount(fact) && isTagged(fact, words);
  switch (fact.kind) {
    case 'error':
      return cues.has('error');
    case 'threshold':
      return cues.has('threshold');
    case 'count':
      return number.unit === null && number.isInteger && isTagged(fact, words);
    case 'stdev':
      return statistic === 'stdev';
    case 'mean':
    case 'median':
    case 'quantile':
      return statistic === null || statistic === fact.kind;
    case 'min':
      return statistic === null || statistic === 'min' || statistic === 'extreme';
    case 'max':
      return statistic === null || statistic === 'max' || statistic === 'extreme';
    case 'value':
    case 'change':
    case 'duration':
    case 'other':
      return isPlain(statistic) || fact.isText;
    case 'sigma':
      // A deviation is given with the statistic that it is from: 5.3 deviations below the median.
      return isPlain(statistic) || fact.isText || DEVIATION.test(words);
    default:
      return fact.kind satisfies never;
  }
}

const DEVIATION = /\bdeviations?\b|\bsigmas?\b|σ|偏差/iu;

/** No statistic, or one that a single value can be. */
const isPlain = (statistic: PlacedNumber['binding']['statistic']): boolean =>
  statistic === null || statistic === 'min' || statistic === 'max' || statistic === 'extreme';

const isCount = ({ kind, unit, value, parameter }: Fact): boolean =>
  kind === 'count' || (kind === 'other' && unit === null && Number.isInteger(value) && parameter === null);

/** Results, points, rows and values are words for one thing. */
function isSameNoun(a: CountedNoun | null, b: CountedNoun): boolean {
  const common = (noun: CountedNoun): CountedNoun => (noun === 'point' || noun === 'row' ? 'result' : noun);
  return a === null || common(a) === common(b);
}

const TAG_WORDS: Readonly<Record<string, RegExp>> = {
  up: /\bris\w+|\bup\b|increas|improv|上昇|増/iu,
  down: /\bfall\w*|\bdown\b|decreas|declin|degrad|worse|低下|減|劣化/iu,
  stable: /\bstable|unchanged|安定/iu,
  better: /\bbetter|improv|改善/iu,
  'not better': /\bworse|degrad|悪化|劣化/iu,
  is_stale: /\bold|stale|outdated|古/iu,
  failed: /\bfail|失敗/iu,
  completed: /\bcomplet|succe|完了|成功/iu,
};

/** A count of a class of rows is of that class only where the sentence names it. */
function isTagged({ tag }: Fact, words: string): boolean {
  return tag === null || (TAG_WORDS[tag]?.test(words) ?? words.toLowerCase().includes(tag));
}

const isOfChip = ({ chipId }: Fact, { chipIds }: PlacedNumber): boolean =>
  chipIds.size === 0 || chipId === null || chipIds.has(chipId);

function isOfSubject(
  { subject, kind, parameter, isText, isComputed }: Fact,
  { binding }: PlacedNumber,
): boolean {
  const { subjects, isSubjectNamed, statistic } = binding;
  if (subjects === null) return true;
  if (subject !== null) return subjects.includes(subject);
  if (!isSubjectNamed || isComputed) return true;
  // Beside a named qubit a figure of the chip is one only if it is called so.
  if (CHIP_KINDS.has(kind)) return statistic !== null;
  return kind === 'threshold' || kind === 'count' || kind === 'duration' || (isText && parameter === null);
}

function isOfParameter({ parameter, kind }: Fact, { parameters }: Binding): boolean {
  if (parameters === null || parameter === null || kind === 'count' || kind === 'duration') return true;
  return parameters.includes(parameter);
}

/** Above this many matching records, a match is considered chance. */
const MAX_UNNAMED = 2;

/** A coarse number without context matches some record of any chip. */
function isGuess(fitting: readonly Fact[], { binding, noun }: PlacedNumber): boolean {
  if (noun !== null || binding.subjects !== null || binding.parameters !== null) return false;
  if (fitting.some(({ subject, isText }) => subject === null || isText)) return false;
  return new Set(fitting.map(({ subject, parameter }) => `${subject} ${parameter}`)).size > MAX_UNNAMED;
}

function scoreOf(
  fact: Fact,
  { number, binding, sentence, noun }: PlacedNumber,
  { catalogued }: FactBook,
): number {
  const { subjects, parameters, statistic } = binding;
  const isTimeNamed = sentence.times.some(
    (time) => fact.measuredAtMs !== null && isTime(time, new Date(fact.measuredAtMs)),
  );
  const factor = number.unit === null || fact.unit === null ? 1 : fact.unit.factor / number.unit.factor;
  const distance = Math.abs(fact.value * factor - number.value) / number.resolution;
  return (
    (parameters !== null && fact.parameter !== null && parameters.includes(fact.parameter) ? 8 : 0) +
    (subjects !== null && fact.subject !== null && subjects.includes(fact.subject) ? 8 : 0) +
    (noun !== null && fact.noun === noun ? 4 : 0) +
    (fact.tag === null ? 0 : 2) +
    (isTimeNamed ? 6 : 0) +
    (fact.isText ? 0 : 4) +
    (fact.recordId === null ? 0 : 4) +
    (fact.isComputed ? -3 : 0) +
    (fact.parameter !== null && catalogued.has(fact.parameter) ? 1 : 0) +
    (statistic === fact.kind ? 3 : fact.kind === 'value' ? 2 : 0) -
    Math.min(distance, 1) / 2
  );
}
