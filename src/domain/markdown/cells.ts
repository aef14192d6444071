/** How many cells a line of Markdown would have as a row of a table. */
export type Cells = {
  readonly count: number;
  /** Whether a bar precedes the first cell. */
  readonly leads: boolean;
  /** Whether a bar follows the last cell. */
  readonly trails: boolean;
};

/**
 * Spans whose bars separate nothing: escapes, code, math, and the notation of physics. Lengths are bounded, so that no
 * line takes more than linear time. An ASCII ket or bra must not touch a word outside it, as it would in `|T1>80|`.
 */
const NO_SEPARATORS = new RegExp(
  [
    String.raw`\\\(.{1,400}?\\\)`,
    String.raw`\\\[.{1,400}?\\\]`,
    String.raw`\\.`,
    '(?<=^|[^`]|\\\\`)(?<ticks>`+)(?!`).{1,400}?(?<!`)\\k<ticks>(?!`)',
    String.raw`\$\$.{1,400}?\$\$`,
    String.raw`\$(?!\s)[^$]{1,400}?(?<!\s)\$(?!\d)`,
    String.raw`\|[^\s|]{1,24}?(?:⟩|〉|\\rangle|>(?!\w))`, // a ket
    String.raw`(?:⟨|〈|\\langle ?|(?<!\w)<)[^\s|>]{1,24}?\|`, // a bra
    String.raw`\w\([^()|]{0,80}\|[^()|]{0,80}\)`, // a conditional probability
  ].join('|'),
  'gu',
);

/** The cells of a line without its containers; null if no bar in it separates cells. */
export function cellsOf(content: string): Cells | null {
  const text = content.replace(NO_SEPARATORS, (span) => 'x'.repeat(span.length)).trim();
  const bars = text.split('|').length - 1;
  if (bars === 0) return null;
  const leads = text.startsWith('|');
  const trails = text.length > 1 && text.endsWith('|');
  return { count: bars + 1 - Number(leads) - Number(trails), leads, trails };
}

const DELIMITERS = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?$/u;

/** The cells of a delimiter row such as `|---|:--:|`; null for any other line, and for one without a bar. */
export function delimiterCells(content: string): Cells | null {
  const text = content.trim();
  return DELIMITERS.test(text) ? cellsOf(text) : null;
}

/** The cells of a delimiter row that broke off; the last one may have no dash yet. */
export function brokenDelimiterCells(content: string): Cells | null {
  const text = content.trim();
  return /^[|:\- \t]+$/u.test(text) && text.includes('-') ? cellsOf(text) : null;
}
