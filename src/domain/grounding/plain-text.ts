/**
 * The plain reading of a Markdown text: of the same length, so that offsets hold, with one spelling for characters that
 * mean the same and blanks where the answer cannot have a number.
 */

/** Languages of fenced blocks that hold data and not programs. */
const DATA_FENCE = /^\s*(?:(?:text|txt|markdown|md|csv|tsv|plain|plaintext|output|console)\s*)?$/iu;
const FENCE = /^([ \t]*)(`{3,}(?!`)|~{3,}(?!~))([^\n`]*)\n([\s\S]*?)(?:^[ \t]*\2[ \t]*$|(?![\s\S]))/gmu;

/** Names that have digits in them, which are not numbers: addresses, ids, versions, names of models and chips. */
const NAMES: readonly RegExp[] = [
  /\bhttps?:\/\/\S+/giu,
  /(?<=\])\([^)\s]{0,500}\)/gu,
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/giu,
  /\b\d{8}-\d{3,6}(?:-[\w-]+)?\b/gu,
  /\bv?\d+\.\d+\.\d+(?:[.-]\w+)*\b/giu,
  /\bv\d+(?:\.\d+)*\b/gu,
  // `demo-64`, `gpt-4.1`, `square-lattice-mux-64`; not `sub-100`, and not a qubit, which is one letter
  /(?<![\w-])(?!qubits?-|sub-|top-|pre-|post-|over-|under-|near-|non-|Q\d)[A-Za-z]\w+(?:-\w+)*-\d[\w.-]*\w|(?<![\w-])(?!qubits?-|sub-|top-|pre-|post-|over-|under-|near-|non-|Q\d)[A-Za-z]\w+(?:-\w+)*-\d/gu,
  /\bmux(?:es)?\s?#?\d+(?:(?:,| and|–|-)\s?\d+)*\b/giu,
  /[|⟨<]\d\s?[⟩>|]/gu,
  /\b(?:steps?|figures?|fig\.|tables?|sections?|options?|no\.|items?|rules?|cases?|phases?|parts?|points?|examples?|versions?|rounds?|ranks?|rev\.|issue|ticket)\s*#?\d+(?:\.\d+)*(?![\d.]*(?:\w|\s?(?:%|μs|[mnp]s|[kMG]?Hz)(?![A-Za-z])))/giu,
  /(?:ステップ|手順|図|表|第)\s*\d+/gu,
  /(?<!\bqubits?\s?|ビット\s?)#\d+\b/giu,
  /\[\^?\d+\]/gu,
  /\b\d+(?:st|nd|rd|th)\b/gu,
];

/** Numbers that only count paragraphs: of lists and of headings. */
const LIST_MARK = /^([ \t>]*)(\(?\d{1,3}[.)、．]|[*+•・‣])(?=\s)/gmu;
const HEADING_NUMBER = /^([ \t]*#{1,6}\s+)(\d+(?:\.\d+)*[.)]?)(?=\s)/gmu;

const LATEX: readonly (readonly [RegExp, string])[] = [
  [/\\mu\s*(?:\\(?:mathrm|text|rm)\s*\{\s*)?s(?![a-z])/gu, 'μs'],
  [/\\times(?![A-Za-z])/gu, '×'],
  [/\\pm(?![A-Za-z])/gu, '±'],
  [/\\(?:approx|sim|simeq)(?![A-Za-z])/gu, '≈'],
  [/\\%/gu, '%'],
  [/\\[,;:! ]/gu, ''],
  [/\\(?:mathrm|text|textbf|mathbf|rm|mathit|left|right)(?![A-Za-z])/gu, ''],
];

const blank = (text: string): string =>
  text.replaceAll(/[^\n]/gu, (character) => ' '.repeat(character.length));

/** `text` as {@link findNumbers} reads it; the same length in UTF-16 code units, the same lines. */
export function plainText(text: string): string {
  let plain = sameLengthCharacters(text);
  plain = plain.replaceAll(FENCE, (whole, _indent, fence: string, info: string) =>
    DATA_FENCE.test(info) ? whole.replaceAll(fence, ' '.repeat(fence.length)) : blank(whole),
  );
  plain = plain.replaceAll(
    LIST_MARK,
    (_all, indent: string, mark: string) => `${indent}-${' '.repeat(mark.length - 1)}`,
  );
  plain = plain.replaceAll(
    HEADING_NUMBER,
    (_all, hashes: string, mark: string) => `${hashes}${' '.repeat(mark.length)}`,
  );
  for (const [pattern, meaning] of LATEX) {
    plain = plain.replaceAll(pattern, (whole) => meaning.padEnd(whole.length));
  }
  for (const pattern of NAMES) plain = plain.replaceAll(pattern, blank);
  return plain
    .replaceAll(/\*\*|__|`+|(?<![\w)])_|_(?!\w)/gu, (mark) => ' '.repeat(mark.length))
    .replaceAll(/(?<!T2\s?)\*(?!\d)|\$/giu, ' ');
}

/** Full-width forms, signs and micro signs in one spelling; each replaced by one code unit. */
function sameLengthCharacters(text: string): string {
  return text
    .replaceAll(/[\uFF01-\uFF5E]/gu, (character) => String.fromCharCode(character.charCodeAt(0) - 0xfee0))
    .replaceAll('\u3000', ' ')
    .replaceAll('\u00B5', '\u03BC')
    .replaceAll(/[\u2212\uFE63]/gu, '-')
    .replaceAll(/[\u2010\u2011]/gu, '-')
    .replaceAll('\r', ' ');
}
