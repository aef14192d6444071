import { useI18n } from './i18n.tsx';
import { said as ja } from './ja/said.ts';
import type { Locale } from './locale.ts';
import type { Said } from './said.ts';

const SAID: Readonly<Record<Locale, Said>> = { en: { tools: {}, toolCategories: {}, activities: {} }, ja };

/** The names that the language of the pages has of its own. */
export const useSaid = (): Said => SAID[useI18n().locale];
