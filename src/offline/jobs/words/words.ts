import type { WrittenLanguage } from '../../../domain/text/written-language.ts';
import { ENGLISH_JOB } from './en.ts';
import { JAPANESE_JOB } from './ja.ts';
import type { JobWords } from './job-words.ts';

/** The words of each language. */
export const JOB_WORDS: Readonly<Record<WrittenLanguage, JobWords>> = { en: ENGLISH_JOB, ja: JAPANESE_JOB };
