import { useI18n } from './i18n.tsx';
import { serverNames as ja } from './ja/server-names.ts';
import type { Locale } from './locale.ts';
import type { ServerNames } from './server-names.ts';

const NAMES: Readonly<Record<Locale, ServerNames>> = {
  en: { tools: {}, toolCategories: {}, activities: {} },
  ja,
};

/** The names that the language of the pages has of its own. */
export const useServerNames = (): ServerNames => NAMES[useI18n().locale];
