/**
 * The language of the labelled set: sentences with a label on every number of theirs. Digits that stand outside a
 * label are names, ids or marks and must not be reported as numbers.
 */
import type { GroundingStatus } from '../../../src/domain/grounding/grounded-number.ts';
import type { CallKey, ChipData, Measured } from './chip-data.ts';

/** What a number should be found to be. Records are compared where one is given. */
export type Label = {
  readonly shown: string;
  readonly status: GroundingStatus;
  readonly record: Pick<Measured, 'recordId' | 'at'> | null;
};

/** A sentence, or a few, with the labels of its numbers by their offset. */
export type LabelledText = {
  readonly text: string;
  readonly labels: readonly (Label & { readonly offset: number })[];
};

/** A labelled sentence over the results of these calls. */
export type LabelledCase = LabelledText & {
  readonly family: string;
  readonly calls: readonly CallKey[];
  readonly userTexts: readonly string[];
};

/** Sentences of one family for one chip. */
export type Family = (data: ChipData) => readonly LabelledCase[];

/** Read from this record. */
export const from = (record: Measured, shown: string): Label => ({ shown, status: 'SOURCED', record });
/** Read from a result, of no single record. */
export const told = (shown: string): Label => ({ shown, status: 'SOURCED', record: null });
/** Computed from numbers of the results. */
export const computed = (shown: string): Label => ({ shown, status: 'DERIVED', record: null });
/** Said by the user. */
export const said = (shown: string): Label => ({ shown, status: 'FROM_USER', record: null });
/** Nowhere to be found, or said of the wrong thing. */
export const wrong = (shown: string): Label => ({ shown, status: 'UNSOURCED', record: null });

/** A sentence with labels among its words. */
export function say(words: TemplateStringsArray, ...parts: readonly (Label | string)[]): LabelledText {
  const labels: (Label & { offset: number })[] = [];
  let text = words[0] ?? '';
  for (const [index, part] of parts.entries()) {
    if (typeof part !== 'string') labels.push({ ...part, offset: text.length });
    text += (typeof part === 'string' ? part : part.shown) + (words[index + 1] ?? '');
  }
  return { text, labels };
}

/** Sentences of a family over the same calls. */
export const family = (
  name: string,
  calls: readonly CallKey[],
  texts: readonly LabelledText[],
  userTexts: readonly string[] = [],
): readonly LabelledCase[] => texts.map((text) => ({ family: name, calls, userTexts, ...text }));

/** A number with so many decimals. */
export const digits = (value: number, decimals: number): string => value.toFixed(decimals);

/** `value` with its last shown digit off by one. */
export const offByOne = (value: number, decimals: number): string =>
  (Number(value.toFixed(decimals)) + 10 ** -decimals).toFixed(decimals);
