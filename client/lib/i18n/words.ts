import type { words } from './en/words.ts';

/** Every text of the pages. English is written first; a text that another language lacks does not compile. */
export type Words = Widened<typeof words>;

/** Literal texts become `string`, so that other languages may have other texts. */
type Widened<T> = T extends string
  ? string
  : T extends (...args: infer Args) => string
    ? (...args: Args) => string
    : { readonly [Key in keyof T]: Widened<T[Key]> };
