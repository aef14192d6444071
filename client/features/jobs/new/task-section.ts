/** The section `## Task` of instructions, which is for the user to fill in. Pure. */

const HEADING = /^##[ \t]+Task[ \t]*$/mu;
const NEXT_HEADING = /^#{1,2}[ \t]/mu;

/** Place of the section in a text, in UTF-16 code units: its heading and its content. */
export type TaskSection = { readonly headingAt: number; readonly from: number; readonly to: number };

/** The last section of that name; null where there is none. */
export function findTask(text: string): TaskSection | null {
  const heading = [...text.matchAll(new RegExp(HEADING, 'gmu'))].at(-1);
  if (heading === undefined) return null;
  const from = heading.index + heading[0].length;
  const next = NEXT_HEADING.exec(text.slice(from));
  return { headingAt: heading.index, from, to: next === null ? text.length : from + next.index };
}

/** Content of the section, trimmed; null if there is none. */
export function taskText(text: string): string | null {
  const task = findTask(text);
  return task === null ? null : text.slice(task.from, task.to).trim();
}

/** Whether the section has the same content as in the template. */
export function isTaskUnchanged(template: string, text: string): boolean {
  const task = taskText(text);
  return task !== null && task === taskText(template);
}

/** The text with an empty section at its end. */
export const withTask = (text: string): string =>
  `${text.trimEnd()}${text.trim() === '' ? '' : '\n\n'}## Task\n\n`;
