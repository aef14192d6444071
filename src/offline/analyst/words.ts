/** Everything that the analyst says in its own words. What a tool said is the tool's, and passes through `toolLine`. */
import { writtenLanguage, type WrittenLanguage } from '../../domain/text/written-language.ts';
import type { AnswerWords } from './answer-words.ts';
import { JAPANESE } from './japanese/words-ja.ts';
import { ENGLISH } from './words-en.ts';

/** Languages that the analyst answers in. */
export type Language = WrittenLanguage;

/** The words of a language. */
export const WORDS: Readonly<Record<Language, AnswerWords>> = { en: ENGLISH, ja: JAPANESE };

/** The language that the instructions settle, else that of the question; the analyst knows no third one. */
export function languageOf(question: string, instructions: string): Language {
  const [, settled] = /\bAnswer in (English|Japanese)\b/u.exec(instructions) ?? [];
  if (settled !== undefined) return settled === 'Japanese' ? 'ja' : 'en';
  return writtenLanguage(question);
}
