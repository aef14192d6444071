import { isFound, type Answers } from '../analyst/answers.ts';

const LABEL = /(?<![\w-])Q(\d{2,4})(?!\d)/u;

/** `Q07`, `Q04-Q01`: an id as tools show it, padded as the labels in their answers are. */
export function labelIn(answers: Answers, qid: string): string {
  const digits = digitsIn(answers);
  return qid
    .split('-')
    .map((part) => (/^\d+$/u.test(part) ? `Q${part.padStart(digits, '0')}` : part))
    .join('-');
}

/** All labels of a chip are of one length; two digits where none was seen. */
function digitsIn(answers: Answers): number {
  for (const answer of answers.values()) {
    const seen = isFound(answer) ? LABEL.exec(answer.formattedSummary)?.[1] : undefined;
    if (seen !== undefined) return seen.length;
  }
  return 2;
}
