/**
 * What is searched for, as `search_words` of Postgres splits texts: whole words, and pairs of characters where a script has
 * no spaces. Words that are written together (`Q00-Q01`, `t2_echo`, `緩和時間`) are found together; `"…"` holds others together.
 */

/** Han, kana and Hangul. Of one class with the index, as {@link BETWEEN}. */
const UNSPACED = String.raw`\u3005\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\u{20000}-\u{3ffff}`;
const BETWEEN = String.raw`\u0000-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u00d7\u00f7\u2000-\u2bff\u3000-\u3040\u3097-\u309c\u30a0\u30fb\ufe00-\ufe6f\uff00-\uffff`;
const RUNS = new RegExp(`[${UNSPACED}]+|[^${UNSPACED}${BETWEEN}]+`, 'gu');
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'u');
const SEPARATORS = `[${BETWEEN}]`;
const WORD_CHARACTER = `[^${UNSPACED}${BETWEEN}]`;

/** What must be found as it is: its parts one behind the other. `isPrefix`: the last may go on. */
export type SearchTerm = { readonly parts: readonly string[]; readonly isPrefix: boolean };

/** A part of a text, in UTF-16 units; `to` is exclusive. */
export type TextRange = { readonly from: number; readonly to: number };

/** Longer words match by their beginning: without a dictionary, `calibrat` finds `calibrated`, and `qubits` a `qubit`. */
const PREFIX_FROM = 3;
const MAX_TERMS = 16;
/** Characters of a word in the index. */
const MAX_WORD = 100;

/** The terms of a search, all of which must be found; empty where there is no word in it. */
export function searchTerms(search: string): readonly SearchTerm[] {
  const pieces = search.normalize('NFKC').match(/"[^"]*"|[^\s"]+/gu) ?? [];
  const terms = pieces.flatMap((piece) => {
    const parts = piece.match(RUNS)?.map((run) => wordOf(run)) ?? [];
    const [only] = parts;
    if (only === undefined) return [];
    const isWord = parts.length === 1 && !piece.startsWith('"') && !IS_UNSPACED.test(only);
    const isPrefix = isWord && only.length >= PREFIX_FROM && !/\p{N}/u.test(only);
    return [{ parts: isPrefix ? [only.replace(/(?<=[a-z]{3})(?<!s)s$/u, '')] : parts, isPrefix }];
  });
  return [...new Map(terms.map((term) => [JSON.stringify(term), term])).values()].slice(0, MAX_TERMS);
}

/** Qubits have as many zeros as their chip needs. */
const wordOf = (run: string): string =>
  IS_UNSPACED.test(run)
    ? run.toLowerCase()
    : run
        .toLowerCase()
        .replace(/^q0+(?=\d)/u, 'q')
        .slice(0, MAX_WORD);

/** The terms as a `tsquery` of Postgres. */
export const toTsquery = (terms: readonly SearchTerm[]): string =>
  terms.map((term) => `(${phraseOf(term).join(' <-> ')})`).join(' & ');

const phraseOf = ({ parts, isPrefix }: SearchTerm): readonly string[] =>
  parts.flatMap((part, index) => {
    const isLast = index === parts.length - 1;
    if (!IS_UNSPACED.test(part)) return [`'${part}'${isPrefix ? ':*' : ''}`];
    const letters = Array.from(part);
    if (isLast && letters.length === 1) return [`'${part}':*`];
    const pairs = letters.map((letter, at) => `'${letter}${letters[at + 1] ?? ''}'`);
    return isLast ? pairs.slice(0, -1) : pairs;
  });

/** Finds where the terms are in a text: null unless all of them are, else the ranges in order, without overlaps. */
export function findTerms(terms: readonly SearchTerm[], text: string): readonly TextRange[] | null {
  const { folded, origins } = fold(text);
  const found: TextRange[] = [];
  for (const term of terms) {
    const before = found.length;
    for (const { index, 0: match } of folded.matchAll(patternOf(term)))
      found.push({ from: origins[index] ?? 0, to: origins[index + match.length] ?? text.length });
    if (found.length === before) return null;
  }
  return merged(found);
}

/** As {@link findTerms}, for texts that the index found: what of the terms can be shown. */
export const markTerms = (terms: readonly SearchTerm[], text: string): readonly TextRange[] =>
  merged(terms.flatMap((term) => findTerms([term], text) ?? []));

function patternOf({ parts, isPrefix }: SearchTerm): RegExp {
  const pattern = parts.map((part) => part.replace(/^q(?=\d)/u, 'q0*')).join(`${SEPARATORS}*`);
  const first = parts[0] ?? '';
  const last = parts.at(-1) ?? '';
  const start = IS_UNSPACED.test(first) ? '' : `(?<!${WORD_CHARACTER})`;
  const end = IS_UNSPACED.test(last) || isPrefix ? '' : `(?!${WORD_CHARACTER})`;
  return new RegExp(`${start}${pattern}${isPrefix ? `${WORD_CHARACTER}*` : ''}${end}`, 'gu');
}

/** A text in one width and case, with the place in the text that each of its units comes from, and its end. */
function fold(text: string): { readonly folded: string; readonly origins: readonly number[] } {
  const origins: number[] = [];
  let folded = '';
  let at = 0;
  for (const letter of text) {
    const form = letter.normalize('NFKC').toLowerCase();
    folded += form;
    for (let unit = 0; unit < form.length; unit += 1) origins.push(at);
    at += letter.length;
  }
  origins.push(at);
  return { folded, origins };
}

function merged(ranges: readonly TextRange[]): readonly TextRange[] {
  const joined: TextRange[] = [];
  for (const range of ranges.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    const last = joined.at(-1);
    if (last === undefined || range.from > last.to) joined.push(range);
    else joined[joined.length - 1] = { from: last.from, to: Math.max(last.to, range.to) };
  }
  return joined;
}

/** Characters of an excerpt around what was found. */
const EXCERPT = 240;
const BEFORE = 60;

/** A piece of a text around the first place where a term is, on one line, and where terms are in it. */
export function excerptOf(
  terms: readonly SearchTerm[],
  text: string,
): { readonly text: string; readonly matches: readonly TextRange[] } {
  const line = text.replaceAll(/\s+/gu, ' ').trim();
  const first = markTerms(terms, line)[0]?.from ?? 0;
  const start = first <= BEFORE ? 0 : startOfWord(line, first - BEFORE);
  const end = Math.min(line.length, start + EXCERPT);
  const cut =
    `${start > 0 ? '…' : ''}${line.slice(start, end)}${end < line.length ? '…' : ''}`.toWellFormed();
  return { text: cut, matches: markTerms(terms, cut) };
}

/** The first start of a word at or after a place, so that no word is cut where words have spaces. */
function startOfWord(line: string, at: number): number {
  const space = line.indexOf(' ', at);
  return space >= 0 && space - at < BEFORE / 2 ? space + 1 : at;
}
