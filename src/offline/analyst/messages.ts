/** The analyst's own sentences in English and Japanese, and the language of an answer. */
import { writtenLanguage, type WrittenLanguage } from '../../domain/text/language.ts';
import {
  reasonInJapanese,
  resultLineInJapanese,
  scriptLineInJapanese,
  toolLineInJapanese,
} from '../shared/japanese-lines.ts';
import { catalogue, type Translate } from '../shared/messages.ts';
import en from './messages.en.json' with { type: 'json' };
import ja from './messages.ja.json' with { type: 'json' };

/** What an answer is written with. */
export type AnswerWords = {
  /** The message of a key in this language. */
  readonly t: Translate<keyof typeof en>;
  /** A line of a tool's summary. */
  readonly toolLine: (line: string) => string;
  /** A line about a task result. */
  readonly resultLine: (line: string) => string;
  /** A line that the script of an analysis printed. */
  readonly scriptLine: (line: string) => string;
  /** Words of the question, in quotes. */
  readonly quoted: (words: readonly string[]) => string;
};

const EXPERTS: Readonly<Record<string, string>> = {
  researcher: '調査担当（researcher）',
  coder: '分析担当（coder）',
  writer: 'レポート担当（writer）',
  calibrator: '較正計画担当（calibrator）',
};

const messages = catalogue(
  { en, ja },
  {
    ja: {
      reason: reasonInJapanese,
      expert: (id) => EXPERTS[id] ?? id,
      sentences: (findings) => findings.replaceAll('、', '。'),
    },
  },
);

const asItIs = (line: string): string => line;

/** The words of each language. */
export const WORDS: Readonly<Record<WrittenLanguage, AnswerWords>> = {
  en: {
    t: messages.en,
    toolLine: asItIs,
    resultLine: asItIs,
    scriptLine: asItIs,
    quoted: (words) => words.map((word) => `“${word}”`).join(', '),
  },
  ja: {
    t: messages.ja,
    toolLine: toolLineInJapanese,
    resultLine: resultLineInJapanese,
    scriptLine: scriptLineInJapanese,
    quoted: (words) => words.map((word) => `「${word}」`).join(''),
  },
};

/** The language that the instructions fix, otherwise that of the question. */
export function languageOf(question: string, instructions: string): WrittenLanguage {
  const [, fixed] = /\bAnswer in (English|Japanese)\b/u.exec(instructions) ?? [];
  if (fixed !== undefined) return fixed === 'Japanese' ? 'ja' : 'en';
  return writtenLanguage(question);
}
