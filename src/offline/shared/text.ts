/** Shapes of Markdown and plain text that answers and reports share. */

/** The lines of a tool's summary, without empty ones. */
export const linesIn = (summary: string): readonly string[] =>
  summary.split('\n').filter((line) => line !== '');

/** A Markdown list. */
export const bulletList = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n');

/** The first line above a list of the others; a single line alone. */
export const headedList = ([head = '', ...others]: readonly string[]): string =>
  others.length === 0 ? head : `${head}\n\n${bulletList(others)}`;

/** Text with a full stop where it has none. */
export const sentence = (text: string): string =>
  /[.!?]$/u.test(text.trim()) ? text.trim() : `${text.trim()}.`;

/** White space reduced to single blanks. */
export const oneLine = (text: string): string => text.replaceAll(/\s+/gu, ' ').trim();

/** A Markdown table; pipes and line breaks within cells are escaped. */
export function markdownTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cellOf).join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

const cellOf = (text: string): string => oneLine(text).replaceAll('|', '\\|');
