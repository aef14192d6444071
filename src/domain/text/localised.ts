/** Words for people that an operator writes in several languages. */

/** The same in each language, by codes such as `ja`; English is there always. */
export type Localised<Words> = { readonly en: Words; readonly [language: string]: Words };

/** The words of a language; those in English where there are none, and where nobody says in which. */
export function inLanguage<Words>(words: Localised<Words>, language: string | null | undefined): Words {
  return (language && Object.hasOwn(words, language) ? words[language] : undefined) ?? words.en;
}
