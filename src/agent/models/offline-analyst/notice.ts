/** What the analyst says of itself: what it is, what it can answer, and what of a question it did not understand. */
import type { Ask } from './ask.ts';
import { respelt } from './lexicon.ts';
import { readSlots } from './slots.ts';

/** Words that are told; more of them help nobody. */
const TOLD_WORDS = 6;

const EXAMPLES = [
  '- How healthy is the chip? How old is its data?',
  '- Which five qubits have the shortest T1? How many have T1 below 50?',
  '- Compare Q3 and Q5. Which of them has the better T1?',
  '- How did T2 of Q12 change over the last 30 days? The ZX90 fidelity of 0-1?',
  '- Compare this week with last week for T1.',
  '- Show a heatmap of the qubit frequency. Plot T1 against T2.',
  '- Are there outliers? What are the neighbours of Q7?',
  '- Which runs failed last? What notes are there on Q45? How many versions of T1 of Q7 are there?',
  '- Which parameters are there? What is the 90th percentile of T1?',
].join('\n');

/** Said to a question that the analyst does not understand. */
export function helpFor(question: string): string {
  const words = strangeWords(question, []);
  return [
    `I am the offline analyst: I answer by fixed rules, without a language model, and I did not understand this question${words === '' ? '' : `; I do not know ${words}`}. I can answer questions such as these:`,
    EXAMPLES,
    'I know T1, T2 (echo), T2*, readout, gate and Bell-state fidelities, frequency and anharmonicity, and any parameter by its stored name.',
  ].join('\n\n');
}

/** Said to who wants something done. */
export const CANNOT_ACT =
  'I cannot do this: I only read calibration data, and I measure, change and delete nothing.';

/** Said once an answer, in the language of the question. */
export function noticeFor(question: string, asks: readonly Ask[]): string {
  if (/[\u3040-\u30ff]/u.test(question)) {
    return '_オフライン アナリストの回答です（言語モデルは使っていません）。_';
  }
  const words = strangeWords(question, asks);
  const left = words === '' ? '' : ` Words that I do not know, and left out: ${words}.`;
  return `_From the offline analyst: fixed rules, no language model.${left}_`;
}

/** Unknown words of a question but for those that were looked up as names. */
function strangeWords(question: string, asks: readonly Ask[]): string {
  const used = new Set(asks.flatMap(({ metrics }) => metrics.flatMap((name) => name.split(' '))));
  const { unknown } = readSlots(respelt(question.normalize('NFKC')));
  const words = [...new Set(unknown)].filter((word) => !used.has(word)).slice(0, TOLD_WORDS);
  return words.map((word) => `“${word}”`).join(', ');
}
