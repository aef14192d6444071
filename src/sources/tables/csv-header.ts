/** Names and units of columns, from the header line of a CSV. */
import { canonicalUnit } from '../../domain/values/units.ts';
import { refuseFile } from './csv-text.ts';

/** A heading, taken apart. */
export type Heading = { readonly name: string; readonly unit: string | null };

const MAX_LENGTH = 80;

/** Only what is surely a unit is taken off a heading: `T1 (us)` is T1 in μs, `pulse (second)` is a name. */
const UNIT =
  /^(?:[fpnuμmkMG]?s|[mkMGT]?Hz|[fpnuμm]?[KVA]|[fpnuμm]?W|dBm?|%|deg|°|rad|rad\/s|a\.u\.|arb\.|Φ0|Φ₀)$/u;
const WITH_UNIT = /^(.+?)(?:\(([^()]+)\)|\[([^[\]]+)\])$/u;
const NUMBER = /^[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:e[+-]?\d+)?$/i;

/**
 * Reads a header. Two columns whose names differ by the unit only keep their whole headings.
 * @throws InvalidInputError for a first line that holds numbers, for empty and for repeated headings.
 */
export function readHeader(header: readonly string[]): readonly Heading[] {
  const texts = header.map((text) => text.replaceAll(/\s+/g, ' ').trim());
  if (texts.every((text) => text === '' || NUMBER.test(text))) {
    throw refuseFile(
      'the first line holds numbers: it must name the columns, for example "qid,T1 (us),time"',
    );
  }
  const empty = texts.indexOf('');
  if (empty >= 0) throw refuseFile(`column ${empty + 1} has no heading: name it in the first line`);
  const long = texts.find((text) => text.length > MAX_LENGTH);
  if (long !== undefined) {
    throw refuseFile(`the heading ${JSON.stringify(long)} has more than ${MAX_LENGTH} characters`);
  }
  const repeated = repeatedOf(texts);
  if (repeated.size > 0) {
    const names = texts.filter((text) => repeated.has(key(text))).map((text) => JSON.stringify(text));
    throw refuseFile(
      `the first line has duplicate headings: ${names.join(', ')}; give each column its own heading`,
    );
  }
  const headings = texts.map(takeApart);
  const ambiguous = repeatedOf(headings.map(({ name }) => name));
  return headings.map((heading, index) =>
    ambiguous.has(key(heading.name)) ? { ...heading, name: texts[index] ?? heading.name } : heading,
  );
}

function takeApart(text: string): Heading {
  const [, name, round, square] = WITH_UNIT.exec(text) ?? [];
  const unit = canonicalUnit(round ?? square ?? '');
  return name !== undefined && UNIT.test(unit) ? { name: name.trimEnd(), unit } : { name: text, unit: null };
}

/** Headings are compared without regard to case. */
const key = (text: string): string => text.normalize('NFKC').toLowerCase();

function repeatedOf(texts: readonly string[]): ReadonlySet<string> {
  const keys = texts.map(key);
  return new Set(keys.filter((each, index) => keys.indexOf(each) !== index));
}
