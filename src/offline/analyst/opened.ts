/** What the analyst makes of that which the server looked up before it was asked. */
import type { AnswerWords } from './answer-words.ts';
import { isFallback } from './live-lines.ts';
import type { PlannedCall, ToolAnswer } from './answers.ts';
import { linesIn, listed } from './text.ts';

/** A call of the server's own and its answer. */
export type Opened = { readonly call: PlannedCall; readonly answer: ToolAnswer };

/** The call by which the server answers a doubt. */
export const VERIFICATION = 'verify_against_live';

/** The verdict on each doubted value, which the server has only counted; of other calls all that they say. */
export function openedText(opened: readonly Opened[], words: AnswerWords): string {
  const failed = opened.flatMap(({ answer }) => ('error' in answer ? [answer.error] : []));
  const lines = opened.flatMap(({ call, answer }) => {
    if ('error' in answer) return [];
    const isTold = (line: string): boolean => !isFallback(line) && !COUNTS.test(line);
    return call.name === VERIFICATION
      ? linesIn(answer.formattedSummary).filter(isTold)
      : linesIn(answer.formattedSummary);
  });
  const heading = opened.some(({ call }) => call.name === VERIFICATION) ? [words.valueByValue] : [];
  return [
    ...(lines.length > 0 ? [listed([...heading, ...lines.map(words.toolLine)])] : []),
    ...failed.map(words.notLookedUp),
  ].join('\n\n');
}

/** The line of a verification that counts its verdicts. */
const COUNTS = /^\d+ values?: /u;
