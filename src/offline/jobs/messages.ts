/** The sentences of jobs in English and Japanese. */
import type { Extremes, Ranked } from '../../domain/claims/ranked.ts';
import type { Newest } from '../../domain/claims/timed.ts';
import type { WrittenLanguage } from '../../domain/text/language.ts';
import { reasonInJapanese, termInJapanese } from '../shared/japanese-lines.ts';
import { WORDS, type AnswerWords } from '../analyst/messages.ts';
import { catalogue, type Translate, type Values } from '../shared/messages.ts';
import en from './messages.en.json' with { type: 'json' };
import ja from './messages.ja.json' with { type: 'json' };

type ClaimKey = Extract<keyof typeof en, `claim.${string}`>;
type MessageKey = Exclude<keyof typeof en, ClaimKey>;

/** What a sentence on an order, an extreme or a time is made from; its rows prove it. */
export type Claim = Ranked<unknown> | Newest<unknown> | Extremes<unknown>;

/** The kinds of work of a job; each becomes a to-do, a note and a section of the report. */
export type StepKey = MessageKey extends infer Key
  ? Key extends `todo.${infer Step}`
    ? Step
    : never
  : never;

/** What the texts of a job are written with. */
export type JobWords = {
  /** Those of answers to questions. */
  readonly words: AnswerWords;
  /** The message of a key in this language. */
  readonly t: Translate<MessageKey>;
  /** A message with a word of order, extreme or time. @throws Error for a claim without rows, which is none. */
  readonly claim: (key: ClaimKey, claims: readonly Claim[], values: Values) => string;
};

const messages = catalogue(
  { en, ja },
  {
    ja: {
      reason: reasonInJapanese,
      term: (words) => termInJapanese(words.toLowerCase()),
      and: (titles) => titles.replaceAll('、', 'と'),
    },
  },
);

const wordsIn = (language: WrittenLanguage): JobWords => ({
  t: messages[language],
  words: WORDS[language],
  claim(key, claims, values) {
    const isEmpty = claims.some((claim) => claim.type === 'RANKED' && claim.rows.length === 0);
    if (claims.length === 0 || isEmpty) throw new Error(`"${key}" claims what no row carries`);
    return messages[language](key, values);
  },
});

/** The words of each language. */
export const JOB_WORDS: Readonly<Record<WrittenLanguage, JobWords>> = {
  en: wordsIn('en'),
  ja: wordsIn('ja'),
};

const EXPERTS = ['researcher', 'coder', 'writer', 'calibrator'] as const;

/** The expert as it is named in message keys. */
export const expertKey = (expertId: string): (typeof EXPERTS)[number] | 'other' =>
  EXPERTS.find((known) => known === expertId) ?? 'other';
