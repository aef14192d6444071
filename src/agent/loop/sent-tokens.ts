/** Estimates the tokens that a model call sends. Pure. */
import { estimateTokens } from '../../domain/conversation/tokens.ts';
import type { Model, ModelImage, ModelRequest } from '../model.ts';

/** Input that no earlier call sent. */
export type NewInput = { readonly text: string; readonly imageTokens: number };

/** `sent` as text to estimate tokens from, without pictures: their size in bytes does not give their tokens. */
export const wordsOf = (sent: readonly unknown[]): string =>
  JSON.stringify(sent, (key, value: unknown) => (key === 'images' ? undefined : value));

/** A whole request, as input to a model that was sent nothing before. */
export const inputOf = (
  model: Model,
  { instructions, tools, input }: Pick<ModelRequest, 'instructions' | 'tools' | 'input'>,
): NewInput => ({
  text: wordsOf([instructions, tools, input]),
  imageTokens: imageTokensOf(
    model,
    input.flatMap((entry) => (entry.type === 'user' ? (entry.images ?? []) : [])),
  ),
});

/** Estimated tokens. */
export const tokensIn = ({ text, imageTokens }: NewInput): number => estimateTokens(text) + imageTokens;

export const imageTokensOf = ({ imageTokens }: Model, images: readonly ModelImage[]): number =>
  images.reduce((total, image) => total + (imageTokens?.(image) ?? 0), 0);
