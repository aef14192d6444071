/** What the analyst makes of that which the server looked up before it was asked. */
import { isFallback } from './live-lines.ts';
import type { PlannedCall, ToolAnswer } from './answers.ts';
import { linesIn, listed, sentence } from './text.ts';

/** A call of the server's own and its answer. */
export type Opened = { readonly call: PlannedCall; readonly answer: ToolAnswer };

/** The call by which the server answers a doubt. */
export const VERIFICATION = 'verify_against_live';

/** Said to a doubt about nothing. */
export const NOTHING_TO_CHECK =
  'I am the offline analyst and have no earlier values here that I could check. Ask for some, for example "What is T1 of Q7?"; if they look wrong, say so, and they are compared with live ones.';

/** The verdict on each doubted value, which the server has only counted; of other calls all that they say. */
export function openedText(opened: readonly Opened[]): string {
  const failed = opened.flatMap(({ answer }) => ('error' in answer ? [answer.error] : []));
  const lines = opened.flatMap(({ call, answer }) => {
    if ('error' in answer) return [];
    const isTold = (line: string): boolean => !isFallback(line) && !COUNTS.test(line);
    return call.name === VERIFICATION
      ? linesIn(answer.formattedSummary).filter(isTold)
      : linesIn(answer.formattedSummary);
  });
  const heading = opened.some(({ call }) => call.name === VERIFICATION) ? ['Value by value:'] : [];
  return [
    ...(lines.length > 0 ? [listed([...heading, ...lines])] : []),
    ...failed.map((error) => `I could not look this up: ${sentence(error)}`),
  ].join('\n\n');
}

/** The line of a verification that counts its verdicts. */
const COUNTS = /^\d+ values?: /u;
