/** Explains a count: entities that the sentence lists, values beyond a limit that it names, the rest of a total. */
import type { Operand, Sources, ValueIndex } from './derive.ts';
import type { Fact } from './fact.ts';
import type { FactBook } from './fact-book.ts';
import { isShown, type PlacedNumber } from './match.ts';
import type { Reading } from './reading.ts';

const ABOVE =
  /\b(?:above|over|more than|greater than|at least|exceed\w*|longer than|higher than|better than)\b|[>≥]|以上|超/iu;
const BELOW =
  /\b(?:below|under|less than|at most|shorter than|lower than|worse than|short of)\b|[<≤]|以下|未満/iu;

/** The facts behind a count; null where counting does not yield it. Empty for qubits that the text itself lists. */
export function deriveCount(
  placed: PlacedNumber,
  reading: Reading,
  { others, book, index }: Sources,
): readonly Fact[] | null {
  const { number } = placed;
  if (!number.isInteger || number.unit !== null) return null;
  return (
    beyondLimit(placed, index) ??
    (listed(placed, reading) === number.value ? [] : null) ??
    remainder(placed, others, book)
  );
}

/** How many values of the named parameter lie above or below another number of the sentence. */
function beyondLimit(
  { number, sentence, words, binding }: PlacedNumber,
  index: ValueIndex,
): readonly Fact[] | null {
  const parameters = sentence.parameters.flatMap(({ names }) => names);
  const limits = sentence.numbers.filter(
    ({ start, unit, isInteger }) => start !== number.start && (unit !== null || !isInteger),
  );
  for (const parameter of parameters.length > 0 ? parameters : (binding.parameters ?? [])) {
    const values = index.all(parameter);
    for (const limit of limits) {
      const factor = limit.unit?.factor ?? values[0]?.unit?.factor ?? 1;
      const base = ({ value, unit }: Fact): number => value * (unit?.factor ?? 1);
      const beyond = [
        ...(ABOVE.test(words) ? [values.filter((fact) => base(fact) >= limit.value * factor)] : []),
        ...(BELOW.test(words) ? [values.filter((fact) => base(fact) <= limit.value * factor)] : []),
      ];
      const found = beyond.find((list) => list.length === number.value);
      if (found !== undefined) return found;
    }
  }
  return null;
}

/** Qubits counted: in its sentence, or as items of the list that it introduces. */
function listed({ number, sentence }: PlacedNumber, { sentences }: Reading): number {
  const own = sentence.subjects
    .filter(({ start }) => start > number.start)
    .flatMap(({ ids }) => ids.slice(0, 1));
  const at = sentences.findIndex(({ start }) => start === sentence.start);
  const items = sentences.filter(({ kind, leadIndex }) => kind === 'item' && leadIndex === at);
  return own.length > 0 ? new Set(own).size : items.length;
}

/** A total less another count. */
function remainder(
  { number, cues }: PlacedNumber,
  others: readonly Operand[],
  { facts }: FactBook,
): readonly Fact[] | null {
  if (!cues.has('rest')) return null;
  const counts = facts.filter(({ kind, tag, isText }) => kind === 'count' && tag === null && !isText);
  const known = others.filter(({ dimension }) => dimension === 'ratio');
  for (const total of counts) {
    for (const { base, fact } of known) {
      if (total.value > base && isShown(number, total.value - base))
        return fact === null ? [total] : [total, fact];
    }
  }
  return null;
}
