/** Texts of the pages. Components get all of theirs from {@link useWords}. */
import { createContext, use, useCallback, useEffect, useMemo, useState, type ReactNode } from 'react';
import { createFormat, type Format } from '../format/format.ts';
import { words as en } from './en/words.ts';
import { words as ja } from './ja/words.ts';
import { initialLocale, keepLocale, type Locale } from './locale.ts';
import type { Words } from './words.ts';

type I18n = {
  readonly locale: Locale;
  readonly words: Words;
  readonly format: Format;
  readonly setLocale: (locale: Locale) => void;
};

const CATALOGUE: Readonly<Record<Locale, Words>> = { en, ja };

const I18nContext = createContext<I18n | null>(null);

/** Gives the pages below it their language. */
export function I18nProvider({ children }: { readonly children: ReactNode }) {
  const [locale, setState] = useState(initialLocale);
  const setLocale = useCallback((chosen: Locale) => {
    keepLocale(chosen);
    setState(chosen);
  }, []);
  useEffect(() => {
    document.documentElement.lang = locale;
  }, [locale]);
  const value = useMemo(
    () => ({ locale, words: CATALOGUE[locale], format: createFormat(locale), setLocale }),
    [locale, setLocale],
  );
  return <I18nContext value={value}>{children}</I18nContext>;
}

/** Language, words and formats. */
export function useI18n(): I18n {
  const i18n = use(I18nContext);
  if (i18n === null) throw new Error('useI18n is for components below I18nProvider');
  return i18n;
}

/** The words of the language. */
export const useWords = (): Words => useI18n().words;

/** How the language writes numbers and times. */
export const useFormat = (): Format => useI18n().format;
