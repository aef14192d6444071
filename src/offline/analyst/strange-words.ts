/** Tells which words of a question the analyst left out because it does not know them. */
import type { Ask } from './ask.ts';
import { respelt } from '../../domain/questions/lexicon.ts';
import { readSlots } from '../../domain/questions/slots.ts';

/** Words that are told; more of them help nobody. */
const TOLD_WORDS = 6;

/** Unknown words of a question but for those that were looked up as names. */
export function strangeWords(question: string, asks: readonly Ask[]): readonly string[] {
  const used = new Set(asks.flatMap(({ metrics }) => metrics.flatMap((name) => name.split(' '))));
  const { unknown } = readSlots(respelt(question));
  return [...new Set(unknown)].filter((word) => !used.has(word)).slice(0, TOLD_WORDS);
}
