/** Shapes of text that parts of an answer share. */

/** Lines of a tool's summary. */
export const linesIn = (summary: string): readonly string[] =>
  summary.split('\n').filter((line) => line !== '');

/** One line is a sentence; of several the first heads a list. */
export const listed = ([head = '', ...others]: readonly string[]): string =>
  others.length === 0 ? head : `${head}\n\n${others.map((line) => `- ${line}`).join('\n')}`;

/** Text with a full stop where it has none. */
export const sentence = (text: string): string =>
  /[.!?]$/u.test(text.trim()) ? text.trim() : `${text.trim()}.`;
