/** Explains the numbers of an answer: from records, from the user's words, from arithmetic over the others. */
import { derive, indexValues, type Operand, type ValueIndex } from './derive.ts';
import { deriveCount } from './derive-counts.ts';
import type { Fact } from './fact.ts';
import type { FactBook } from './fact-book.ts';
import type { TextNumber } from './find-numbers.ts';
import type { GroundingStatus } from './grounded-number.ts';
import { findSource, isShown, type PlacedNumber } from './match.ts';
import type { Reading, ReadSentence } from './reading.ts';
import { groundSpan } from './times.ts';

/** How a number was explained. */
export type Explanation = { readonly status: GroundingStatus; readonly facts: readonly Fact[] };

const UNEXPLAINED: Explanation = { status: 'UNSOURCED', facts: [] };

const isCountLike = ({ number: { unit, isInteger } }: PlacedNumber): boolean => unit === null && isInteger;

/** Explanations of `placed`, in its order. */
export function explainNumbers(
  placed: readonly PlacedNumber[],
  reading: Reading,
  book: FactBook,
): readonly Explanation[] {
  const explained = new Map(placed.map((each) => [each.number, directly(reading.plain, each, book)]));
  const known: Known = {
    reading,
    book,
    index: indexValues(book),
    bySentence: Map.groupBy(placed, ({ sentence }) => sentence),
    explained,
  };
  // Counts first: a share is one count in another.
  for (const each of placed.toSorted((a, b) => Number(isCountLike(b)) - Number(isCountLike(a)))) {
    if (explained.get(each.number) !== null) continue;
    explained.set(each.number, inSteps(each, known));
  }
  return placed.map(({ number }) => explained.get(number) ?? UNEXPLAINED);
}

type Known = {
  readonly reading: Reading;
  readonly book: FactBook;
  readonly index: ValueIndex;
  readonly bySentence: ReadonlyMap<ReadSentence, readonly PlacedNumber[]>;
  /** Null for numbers that were not explained yet. */
  readonly explained: ReadonlyMap<TextNumber, Explanation | null>;
};

/** Words after which a number is a limit and not a value. */
const LIMIT_BEFORE =
  /(?:\byour|\byou (?:named|asked for|gave|set|wrote|said|want)|\babove|\bbelow|\bover|\bunder|\bthan|\bexceed\w*|\breach\w*|\bleast|\bmost|\blimit|\bthreshold|\btarget|\bgoal|[<>≤≥])\s*(?:(?:of|a|an|the|your|in|is)\s*)*$/iu;

/** The same behind it. */
const LIMIT_AFTER =
  /^\s*(?:を(?:超|越|上回|下回)|以上|以下|未満|より|に(?:届|達)|or (?:more|less|better|worse)\b)/u;

/** From a record or from the user's words. */
function directly(plain: string, placed: PlacedNumber, book: FactBook): Explanation | null {
  const { start, unitEnd } = placed.number;
  const isLimit =
    LIMIT_BEFORE.test(plain.slice(Math.max(0, start - 32), start)) ||
    LIMIT_AFTER.test(plain.slice(unitEnd, unitEnd + 12));
  // The user's own limit is theirs, whatever record happens to have the same value.
  if (
    isLimit &&
    placed.number.unit !== null &&
    book.userNumbers.some((stated) => isStated(placed.number, stated))
  ) {
    return { status: 'FROM_USER', facts: [] };
  }
  const source = findSource(book, placed);
  if (source !== null) return { status: source.isComputed ? 'DERIVED' : 'SOURCED', facts: [source] };
  const span = groundSpan(placed, book);
  if (span !== null) return span;
  return book.userNumbers.some((stated) => isStated(placed.number, stated))
    ? { status: 'FROM_USER', facts: [] }
    : null;
}

/** The user's number may be in another unit, or named without one. */
function isStated(number: TextNumber, stated: TextNumber): boolean {
  if (number.unit === null || stated.unit === null) return isShown(number, stated.value);
  if (number.unit.dimension !== stated.unit.dimension) return false;
  return isShown(number, stated.value * stated.unit.factor, number.unit.factor);
}

function inSteps(placed: PlacedNumber, known: Known): Explanation {
  const { reading, book, index } = known;
  const { sentence } = placed;
  const own = neighbours(placed, sentence, known);
  const leading = sentence.leadIndex === null ? undefined : reading.sentences[sentence.leadIndex];
  const lead = leading === undefined ? [] : neighbours(placed, leading, known);
  for (const others of lead.length === 0 ? [own] : [own, [...own, ...lead]]) {
    const counted = deriveCount(placed, reading, { others, book, index });
    if (counted !== null) return { status: 'DERIVED', facts: counted };
    const derived = derive(placed, { others, book, index });
    if (derived !== null) return { status: 'DERIVED', facts: derived.facts };
  }
  return UNEXPLAINED;
}

/** Numbers on either side that steps may use: more distant ones are hardly meant. */
const MAX_NEIGHBOURS = 8;

/** What the numbers of a sentence near to `placed`, or its last ones, were found to be. */
function neighbours(
  { number }: PlacedNumber,
  sentence: ReadSentence,
  { bySentence, explained }: Known,
): readonly Operand[] {
  const all = bySentence.get(sentence) ?? [];
  const found = all.findIndex((other) => other.number === number);
  const at = found < 0 ? all.length : found;
  return all
    .slice(Math.max(0, at - MAX_NEIGHBOURS), at + 1 + MAX_NEIGHBOURS)
    .filter((other) => other.number !== number)
    .flatMap((other) => operandsFor(other.number, explained.get(other.number) ?? null));
}

/** What a number that was explained gives to steps: its record exactly, and itself as it was rounded. */
function operandsFor({ value, unit }: TextNumber, explained: Explanation | null): readonly Operand[] {
  if (explained === null || explained.status === 'UNSOURCED') return [];
  const [fact = null] = explained.facts;
  const [dimension, factor] = [unit?.dimension ?? 'ratio', unit?.factor ?? 1];
  const shown: Operand = { base: value * factor, dimension, fact };
  const isExact =
    explained.status === 'SOURCED' && fact !== null && (fact.unit?.dimension ?? 'ratio') === dimension;
  return isExact ? [{ base: fact.value * (fact.unit?.factor ?? 1), dimension, fact }, shown] : [shown];
}
