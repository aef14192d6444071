/**
 * The English words that the program knows. They show which words of a question are unknown, what a misspelt word was
 * meant to be, and which plain words a turn of phrase stands for.
 */
import type { Correction } from './query.ts';
import rewrites from './rewrites.json' with { type: 'json' };
import lists from './words.json' with { type: 'json' };

const wordsOf = (lines: readonly string[]): readonly string[] => lines.flatMap((line) => line.split(' '));

/** Terms of the field: what a misspelt word is taken for before any other. */
const FIELD: ReadonlySet<string> = new Set(wordsOf(lists.field));

/** Terms of physics that are neither known parameters nor misspelt words. */
const TECHNICAL: ReadonlySet<string> = new Set(wordsOf(lists.technical));

/** The lists of `words.json`: terms of the field, and words that most sentences have. */
const KNOWN: ReadonlySet<string> = new Set([
  ...FIELD,
  ...wordsOf([...lists.everyday, ...lists.common, ...lists.fillers]),
]);

/** Words by their first letter, which nobody mistypes. */
const byLetter = (words: ReadonlySet<string>): ReadonlyMap<string, readonly string[]> =>
  Map.groupBy(words, (word) => word.charAt(0));
const [FIELD_BY_LETTER, KNOWN_BY_LETTER] = [byLetter(FIELD), byLetter(KNOWN)];
const likeIt = (words: ReadonlyMap<string, readonly string[]>, word: string): readonly string[] =>
  words.get(word.charAt(0)) ?? [];

/** Short forms that mean one thing in questions about calibration. */
const SHORT_FORMS: ReadonlyMap<string, string> = new Map(Object.entries(lists.shortForms));

/** `{N}` and the like in a rewrite stand for these. */
const macro = (source: string): string =>
  Object.entries(rewrites.macros).reduce((text, [name, is]) => text.replaceAll(`{${name}}`, is), source);

type Rewrite = readonly [form: RegExp, plain: string];
const rewritesOf = (rows: readonly (readonly string[])[]): readonly Rewrite[] =>
  rows.map(([form = '', plain = '']) => [new RegExp(macro(macro(form)), 'giu'), plain]);

/** Signs by which readers mark what they have read; people write none of them. */
const MARKS = /[■▣□▢▫◇]/gu;

/**
 * Text without runs of blanks, for which many patterns would take the square of their length. An empty line, and a line
 * that is indented, stay apart.
 */
export const singleSpaced = (text: string): string =>
  text.replaceAll(/\s+/gu, (run) => {
    const at = run.indexOf('\n');
    return at < 0 ? ' ' : at === run.length - 1 ? '\n' : '\n\n';
  });

/** People's text as patterns may meet it: of normal width, without our own marks, and without runs of blanks. */
export const tidied = (text: string): string => singleSpaced(text.normalize('NFKC').replaceAll(MARKS, ' '));

/** Characters of a question that are read: 150 qubits by name with room for the rest. */
const MOST_READ = 2_000;

/** The part of people's text that is read, as {@link tidied}, and what is left out behind it; most have none. */
export function readable(text: string): { readonly text: string; readonly beyond: string } {
  const tidy = tidied(text);
  return { text: tidy.slice(0, MOST_READ).toWellFormed(), beyond: tidy.slice(MOST_READ).trim() };
}

/** Short forms that depend on their context; read before misspelt words are. */
const IN_CONTEXT = rewritesOf(rewrites.short);
/** Turns of phrase, in order: each finds what those before it have made plain. */
const PHRASES = rewritesOf(rewrites.phrases);

const rewritten = (text: string, rows: readonly Rewrite[]): string =>
  rows.reduce((each, [form, plain]) => each.replaceAll(form, plain), text);

/** `text` with its short forms written out. */
const writtenOut = (text: string): string =>
  rewritten(text, IN_CONTEXT).replaceAll(
    /(?<![\w-])[a-z]{2,}(?![a-z0-9_-])/giu,
    (word) => SHORT_FORMS.get(word.toLowerCase()) ?? word,
  );

/** Whether a word is known, in any case and with or without an ending after an apostrophe. */
export const isKnownWord = (word: string): boolean => KNOWN.has(word.toLowerCase().replace(/'\w*$/u, ''));

const ENDINGS: readonly (readonly [ending: RegExp, stems: readonly string[]])[] = [
  [/ies$|ied$/u, ['y']],
  [/(?:s|ed|d|ing|ly)$/u, ['', 'e']],
  [/(?:es|ed|ing|ly)$/u, ['']],
  [/(.)\1(?:ed|ing)$/u, ['$1']],
];

/** Whether a word changes nothing about a question where nothing else reads it; in any of its forms. */
export function isFillerWord(written: string): boolean {
  const word = written.toLowerCase();
  if (isKnownWord(word) || word in lists.shortForms) return true;
  return ENDINGS.some(
    ([ending, stems]) =>
      ending.test(word) && stems.some((stem) => word.length > 4 && KNOWN.has(word.replace(ending, stem))),
  );
}

/** Shorter words resemble too many others, and may be correct words that are not in the lists. */
const SHORTEST = { swapped: 3, wrong: 4, twiceWrong: 8 };

/** `text` with short forms written out, and misspelt words corrected where one known word is meant. */
export const respelt = (text: string): string => spelling(text, []).text;

/** `text` with its turns of phrase made plain: `leave Q3 out of it` is `without Q3`. */
export const inPlainWords = (text: string): string => rewritten(text, PHRASES);

/** What {@link respelt} makes of a text, and which words it took for others; `names` are known words, too. */
export function spelling(
  text: string,
  names: readonly string[],
): { readonly text: string; readonly corrections: readonly Correction[] } {
  const corrections: Correction[] = [];
  const own = new Set(names.map((name) => name.toLowerCase()));
  /** The word that each word is taken for; null where it stays. */
  const meanings = new Map<string, string | null>();
  const meaningOf = (word: string): string | null =>
    word.length < SHORTEST.swapped || own.has(word) || isFillerWord(word) || TECHNICAL.has(word)
      ? null
      : (meantBy(word, [...likeIt(FIELD_BY_LETTER, word), ...own]) ??
        meantBy(word, likeIt(KNOWN_BY_LETTER, word), false));
  const read = writtenOut(tidied(text)).replaceAll(/(?<![\w-])[a-z]{2,}(?![\w-])/giu, (word) => {
    const lower = word.toLowerCase();
    const isNew = !meanings.has(lower);
    const meant = meanings.get(lower) ?? (isNew ? meaningOf(lower) : null);
    meanings.set(lower, meant);
    if (isNew && meant !== null) corrections.push({ written: word, read: meant });
    return meant ?? word;
  });
  return { text: read, corrections };
}

/** The one word among `known` that is nearest; of equally near ones the one of the same length, else none. */
function meantBy(word: string, known: readonly string[], isOfField = true): string | null {
  const most = isOfField ? (word.length < SHORTEST.twiceWrong ? 1 : 2) : 0.5;
  const near = known.flatMap((each) => {
    const slips = slipsBetween(word, each, most);
    const isMeant = slips === 0.5 || (slips <= most && Math.max(word.length, each.length) > SHORTEST.wrong);
    return isMeant && each.length >= SHORTEST.swapped ? [{ each, slips }] : [];
  });
  const fewest = Math.min(...near.map(({ slips }) => slips));
  const best = near.filter(({ slips }) => slips === fewest).map(({ each }) => each);
  const same = best.filter(({ length }) => length === word.length);
  const [only, ...others] = same.length > 0 ? same : best;
  return only === undefined || (others.length > 0 && same.length !== 1) ? null : only;
}

/** Letters added, left out or changed; one swap of neighbours counts half. Infinity for more than `most`. */
function slipsBetween(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most || a[0] !== b[0]) return Infinity;
  let [before, row]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let at = 1; at <= a.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= b.length; to += 1) {
      const isSame = a[at - 1] === b[to - 1];
      const isSwap = a[at - 1] === b[to - 2] && a[at - 2] === b[to - 1];
      next[to] = Math.min(
        (row[to] ?? 0) + 1,
        (next[to - 1] ?? 0) + 1,
        (row[to - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (before[to - 2] ?? 0) + 0.5 : Infinity,
      );
    }
    [before, row] = [row, next];
  }
  const slips = row[b.length] ?? Infinity;
  return slips <= most ? slips : Infinity;
}
