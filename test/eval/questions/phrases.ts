/** The reader of `phrases.yaml`. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';

/** Sets of phrases: those that anything may be tuned to, and two that were written for examining. */
export const PHRASINGS = ['known', 'held-out', 'shorthand'] as const;
/** One of {@link PHRASINGS}. */
export type Phrasing = (typeof PHRASINGS)[number];

/** Phrases of one template, with its `{words}`. */
export type Phrases = Readonly<Record<Phrasing, readonly string[]>>;

const phrases = z.array(z.string()).min(1);
const schema = z.record(
  z.string(),
  z.record(
    z.string(),
    z.strictObject({ known: phrases, 'held-out': phrases, shorthand: phrases.default([]) }),
  ),
);
const PHRASES = schema.parse(parse(readFileSync(new URL('./phrases.yaml', import.meta.url), 'utf8')));

/** Every phrase of the shorthand set. */
export const ALL_SHORTHAND: readonly string[] = Object.values(PHRASES)
  .flatMap((kind) => Object.values(kind))
  .flatMap(({ shorthand }) => shorthand);

/** @throws Error if the file has no phrases for this template. */
export function phrasesOf({ kind, name }: { readonly kind: string; readonly name: string }): Phrases {
  const found = PHRASES[kind]?.[name];
  if (found === undefined) throw new Error(`phrases.yaml has no ${kind}/${name}`);
  return found;
}
