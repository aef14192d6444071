import { useI18n } from './i18n.tsx';
import { serverNames as ja } from './ja/server-names.ts';
import type { Locale } from './locale.ts';
import type { ServerNames } from './server-names.ts';

const NAMES: Readonly<Record<Locale, ServerNames>> = {
  en: { tools: {}, toolCategories: {}, activities: {} },
  ja,
};

/** Names for which the language of the pages has its own word. */
export const useServerNames = (): ServerNames => NAMES[useI18n().locale];
