/** What a model call sends, as its tokens are estimated. Pure. */
import { estimateTokens } from '../../domain/conversation/tokens.ts';
import type { Model, ModelImage, ModelRequest } from '../model.ts';

/** What a call sends that none before it did: its words, and what its pictures cost. */
export type NewInput = { readonly text: string; readonly imageTokens: number };

/** `sent` as text to estimate tokens from. The length of a picture's data says nothing of its tokens. */
export const wordsOf = (sent: readonly unknown[]): string =>
  JSON.stringify(sent, (key, value: unknown) => (key === 'images' ? undefined : value));

/** What all of a request is to a model that was sent nothing before. */
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

/** Tokens of it, as far as they can be known before anybody counted. */
export const tokensIn = ({ text, imageTokens }: NewInput): number => estimateTokens(text) + imageTokens;

/** What pictures cost a model. */
export const imageTokensOf = ({ imageTokens }: Model, images: readonly ModelImage[]): number =>
  images.reduce((total, image) => total + (imageTokens?.(image) ?? 0), 0);
