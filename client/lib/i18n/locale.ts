/** Languages of the pages. */
export const LOCALES = ['en', 'ja'] as const;

export type Locale = (typeof LOCALES)[number];

const KEY = 'qpilot.locale';

const isLocale = (name: string | null | undefined): name is Locale => LOCALES.some((known) => known === name);

/** The chosen language, else the first of the browser's that the pages speak. */
export function initialLocale(): Locale {
  const chosen = localStorage.getItem(KEY);
  if (isLocale(chosen)) return chosen;
  return navigator.languages.map((name) => name.split('-')[0]).find(isLocale) ?? 'en';
}

/** Keeps the choice for the next visit. */
export const keepLocale = (locale: Locale): void => localStorage.setItem(KEY, locale);
