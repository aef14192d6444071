/** Texts in several languages, and the language of a text as far as its letters show it. */

/** The same in each language, by codes such as `ja`; English is there always. */
export type Localised<Words> = { readonly en: Words; readonly [language: string]: Words };

/** The words of a language; English where there are none, and where no language is given. */
export function inLanguage<Words>(words: Localised<Words>, language: string | null | undefined): Words {
  return (language && Object.hasOwn(words, language) ? words[language] : undefined) ?? words.en;
}

/** Languages in which QPilot has its own texts. */
export type WrittenLanguage = 'en' | 'ja';

const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u;

/** Japanese where any letter is; English otherwise. */
export const writtenLanguage = (text: string): WrittenLanguage => (JAPANESE.test(text) ? 'ja' : 'en');

/** The language that a text asks to be answered in; null where it asks for none. */
export function askedLanguage(text: string): WrittenLanguage | null {
  if (/\bin japanese\b|日本語で/iu.test(text)) return 'ja';
  return /\bin english\b|英語で/iu.test(text) ? 'en' : null;
}

/**
 * The language of a job by what its user wrote, oldest first: what the newest of it asks for, else Japanese where any
 * of it is.
 */
export function languageOfJob(texts: readonly string[]): WrittenLanguage {
  const asked = texts.map(askedLanguage).findLast((language) => language !== null);
  return asked ?? writtenLanguage(texts.join('\n'));
}
