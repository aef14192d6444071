/** The sentences of jobs in English and Japanese. */
import type { WrittenLanguage } from '../../domain/text/language.ts';
import { jobLineInJapanese, reasonInJapanese, scriptLineInJapanese } from '../shared/japanese-lines.ts';
import { catalogue, type Translate } from '../shared/messages.ts';
import en from './messages.en.json' with { type: 'json' };
import ja from './messages.ja.json' with { type: 'json' };

type MessageKey = keyof typeof en;

/** The kinds of work of a job; each becomes a to-do, a note and a section of the report. */
export type StepKey = MessageKey extends infer Key
  ? Key extends `todo.${infer Step}`
    ? Step
    : never
  : never;

/** What the texts of a job are written with. */
export type JobWords = {
  /** The message of a key in this language. */
  readonly t: Translate<MessageKey>;
  /** A line of a tool's summary. */
  readonly toolLine: (line: string) => string;
  /** A line that the script of an analysis printed. */
  readonly scriptLine: (line: string) => string;
};

const RATINGS: Readonly<Record<string, string>> = {
  EXCELLENT: '優秀',
  GOOD: '良好',
  FAIR: '可',
  BAD: '不良',
};

const messages = catalogue(
  { en, ja },
  {
    ja: {
      reason: reasonInJapanese,
      rating: (rating) => RATINGS[rating] ?? rating,
      and: (titles) => titles.replaceAll('、', 'と'),
    },
  },
);

/** The words of each language. */
export const JOB_WORDS: Readonly<Record<WrittenLanguage, JobWords>> = {
  en: { t: messages.en, toolLine: (line) => line, scriptLine: (line) => line },
  ja: { t: messages.ja, toolLine: jobLineInJapanese, scriptLine: scriptLineInJapanese },
};

const EXPERTS = ['researcher', 'coder', 'writer', 'calibrator'] as const;

/** The expert as it is named in message keys. */
export const expertKey = (expertId: string): (typeof EXPERTS)[number] | 'other' =>
  EXPERTS.find((known) => known === expertId) ?? 'other';
