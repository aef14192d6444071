/** Picks the mention that a number of the same sentence belongs to, by the text between them. */
import type { TextNumber } from './find-numbers.ts';
import type { Reading, ReadSentence } from './reading.ts';

/** A stretch of the text. */
export type Place = { readonly start: number; readonly end: number };
/** The number with its unit as a place in the text. */
export type NumberPlace = Pick<TextNumber, 'start' | 'unitEnd' | 'group' | 'unit'>;

/** A number in its sentence. */
export type NumberInText = {
  readonly reading: Pick<Reading, 'plain'>;
  readonly sentence: ReadSentence;
  readonly number: NumberPlace;
};

/** Text allowed between a mention and the number right after it. */
export const TIGHT_BEFORE =
  /^(?:'s|’s)?[\s:=(≈~<>≤≥–-]*(?:(?:is|was|are|were|at|of|has|have|had|with|shows?|reads?|to|about|around|roughly|only|just|now|a|an|the|its|newest|latest|current|value|stored|live|equals?|は|が|の|で|も|値|現在|最新)[\s:=(≈~]*)*$/iu;
const TIGHT_AFTER =
  /^[\s]*(?:[([][\s]*)?(?:(?:for|at|on|of|in|from|by|の|\(in)[\s]+)?(?:(?:the|its|their|qubits?|couplings?|pair)[\s]+)*(?:の)?$/iu;
const LIST_LINK = /^\s{0,9}(?:,|,?\s{0,9}(?:and|or)|&|\/|、|と|や|および|vs\.?|versus|→|-|–)\s{0,9}$/iu;

/**
 * Right before it, else right behind it, else the last one before it, else the next one. In another cell, the first.
 */
export function nearest<Item extends Place>(
  items: readonly Item[],
  { reading: { plain }, sentence, number }: NumberInText,
): Item | null {
  const before = items.findLast(({ end }) => end <= number.start);
  const after = items.find(({ start }) => start >= number.unitEnd);
  const blanked = (start: number, end: number): string => withoutMentions(plain, { start, end }, sentence);
  if (before !== undefined && before.start < sentence.start) return before;
  if (before !== undefined && TIGHT_BEFORE.test(blanked(before.end, number.start))) return before;
  if (after !== undefined && TIGHT_AFTER.test(blanked(number.unitEnd, after.start))) return after;
  if (before !== undefined || after === undefined) return before ?? null;
  // In brackets behind another number it is that number's.
  const isTaken = sentence.numbers.some(
    ({ unitEnd }) =>
      unitEnd > number.unitEnd &&
      unitEnd <= after.start &&
      /^\s*[([]\s*$/u.test(plain.slice(unitEnd, after.start)),
  );
  return isTaken ? null : after;
}

/** A stretch of the text with the names of parameters and statistics blanked. */
export function withoutMentions(
  plain: string,
  { start: from, end: to }: Place,
  { parameters, statistics }: ReadSentence,
): string {
  let text = plain.slice(from, to);
  for (const { start, end } of [...parameters, ...statistics]) {
    if (start >= from && end <= to)
      text = text.slice(0, start - from) + ' '.repeat(end - start) + text.slice(end - from);
  }
  return text;
}

/** The enumeration that contains a mention. */
export function groupOf<Item extends Place>(
  plain: string,
  items: readonly Item[],
  mention: Item,
): readonly Item[] {
  const at = items.indexOf(mention);
  const isLinked = (index: number): boolean => {
    const [a, b] = [items[index], items[index + 1]];
    return (
      a !== undefined &&
      b !== undefined &&
      LIST_LINK.test(plain.slice(a.end, b.start).replace(/(?:qubit|its|the)\s/giu, ''))
    );
  };
  let [from, to] = [at, at];
  while (from > 0 && isLinked(from - 1)) from -= 1;
  while (isLinked(to)) to += 1;
  return items.slice(from, to + 1);
}

/** `Q12 and Q13 have 59.5 and 78.1`: equal counts pair up in order, else each number may be about all. */
export function inOrderOf<Item>(
  group: readonly Item[],
  { numbers }: ReadSentence,
  number: NumberPlace,
): readonly Item[] {
  const listed = numbers.filter((each) => each.group === number.group && !each.isError);
  const index = listed.findIndex(({ start }) => start === number.start);
  const own = listed.length === group.length ? group[index] : undefined;
  return own === undefined ? group : [own];
}
