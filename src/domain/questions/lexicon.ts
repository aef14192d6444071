/**
 * The English words that the program knows. They show which words of a question are unknown, and what a misspelt word
 * was meant to be.
 */
import type { Correction } from './query.ts';
import lists from './words.json' with { type: 'json' };

/** The lists of `words.json`: terms of the field, and words that most sentences have. */
const KNOWN: ReadonlySet<string> = new Set(
  [...lists.field, ...lists.everyday, ...lists.common, ...lists.fillers].flatMap((line) => line.split(' ')),
);

/** Short forms that mean one thing in questions about calibration. */
const SHORT_FORMS: ReadonlyMap<string, string> = new Map(Object.entries(lists.shortForms));

/** Short forms that depend on their context. */
const IN_CONTEXT: readonly (readonly [form: RegExp, full: string])[] = [
  // T_1, T_2: a subscript, not the name of a parameter.
  [/(?<![\w])t_([12])(?!\w)/giu, 'T$1'],
  [/\bf_(?:ro|r)\b/giu, 'readout fidelity'],
  [/\bf_(?:q|01)\b/giu, 'qubit frequency'],
  [/\bbell f\b/giu, 'bell fidelity'],
  [/α/gu, 'anharmonicity'],
  [/\bw\/(?=\s|\w)/giu, 'with '],
  [/#\s*(?=[a-z]{3})/giu, 'number of '],
  [/%ile\b/giu, ' percentile'],
  [/\bv(?:s\.?|ersus)\s+time\b/giu, 'over time'],
  [/\b(last|past|previous|prev)\s+(\d+)\s*d\b/giu, '$1 $2 days'],
  [/\b(last|past|previous|prev)\s+(\d+)\s*w\b/giu, '$1 $2 weeks'],
  [/\bw\/w\b|\bwow\b/giu, 'week over week'],
  [/(?<=^|\s)n(?=\s)/giu, 'and'],
];

/** `text` with its short forms written out. */
const writtenOut = (text: string): string =>
  IN_CONTEXT.reduce((each, [form, full]) => each.replaceAll(form, full), text).replaceAll(
    /(?<![\w-])[a-z]{2,}(?![a-z0-9_-])/giu,
    (word) => SHORT_FORMS.get(word.toLowerCase()) ?? word,
  );

/** Whether a word is known, in any case and with or without an ending after an apostrophe. */
export const isKnownWord = (word: string): boolean => KNOWN.has(word.toLowerCase().replace(/'\w*$/u, ''));

/** Whether a word changes nothing about a question where nothing else reads it. */
export const isFillerWord = (word: string): boolean =>
  isKnownWord(word) || word.toLowerCase() in lists.shortForms;

/** Shorter words resemble too many others, and may be correct words that are not in the lists. */
const SHORTEST = { swapped: 5, wrong: 7 };

/** `text` with short forms written out, and misspelt words corrected where exactly one known word is one slip away. */
export const respelt = (text: string): string => spelling(text, []).text;

/** What {@link respelt} makes of a text, and which words it took for others; `names` are known words, too. */
export function spelling(
  text: string,
  names: readonly string[],
): { readonly text: string; readonly corrections: readonly Correction[] } {
  const corrections: Correction[] = [];
  const known = new Set([...KNOWN, ...names.map((name) => name.toLowerCase())]);
  const read = writtenOut(text.normalize('NFKC')).replaceAll(/(?<![\w-])[a-z]{2,}(?![\w-])/giu, (word) => {
    const lower = word.toLowerCase();
    if (word.length < SHORTEST.swapped || known.has(lower) || isKnownWord(word)) return word;
    const isMeant = word.length < SHORTEST.wrong ? isSwapped : isOneSlip;
    const [meant, ...others] = [...known].filter((each) => isMeant(lower, each));
    if (meant === undefined || others.length > 0) return word;
    corrections.push({ written: word, read: meant });
    return meant;
  });
  return { text: read, corrections };
}

/** Whether `a` becomes `b` by swapping two adjacent letters. */
function isSwapped(a: string, b: string): boolean {
  const at = firstDifference(a, b);
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
}

/** Whether `a` becomes `b` by inserting, removing or changing one letter, or by a swap. */
function isOneSlip(a: string, b: string): boolean {
  const at = firstDifference(a, b);
  return (
    isSwapped(a, b) ||
    a.slice(at + 1) === b.slice(at + 1) ||
    a.slice(at) === b.slice(at + 1) ||
    a.slice(at + 1) === b.slice(at)
  );
}

function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
}
