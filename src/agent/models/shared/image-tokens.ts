/**
 * Tokens that a picture costs, as published by the providers. For budgets and windows only: what is billed is
 * what the provider counts afterwards. Sources: OpenAI, "Images and vision", calculating costs
 * (platform.openai.com/docs/guides/images-vision#calculating-costs); Anthropic, "Vision", calculate image
 * costs (docs.anthropic.com/en/docs/build-with-claude/vision#calculate-image-costs); Google, "Understand and count
 * tokens" (ai.google.dev/gemini-api/docs/tokens). Which model follows which is in `config/models.yaml`.
 */
import type { PictureRule } from '../../../config/model-table.ts';
import type { PictureSize } from '../../../domain/conversation/picture.ts';

type Rule = (size: PictureSize) => number;

/** OpenAI: shrunk into a square of 2048 pixels, then to a shortest side of 768; squares of 512 pixels are counted. */
const tiles =
  (base: number, each: number): Rule =>
  (size) => {
    const within = shrunk(size, 2048 / longest(size));
    const { width, height } = shrunk(within, 768 / Math.min(within.width, within.height));
    return base + each * Math.ceil(width / 512) * Math.ceil(height / 512);
  };

const MOST_PATCHES = 1536;

/** OpenAI: squares of 32 pixels, in a picture shrunk until no more than 1536 of them cover it. */
const patches =
  (each: number): Rule =>
  (size) => {
    const { width, height } = { width: size.width / 32, height: size.height / 32 };
    const count = Math.ceil(width) * Math.ceil(height);
    if (count <= MOST_PATCHES) return Math.ceil(count * each);
    const scale = Math.sqrt(MOST_PATCHES / (width * height));
    // Shrunk a little more, so that one of the sides is a whole number of squares.
    const fitted = Math.min(
      Math.floor(width * scale) / (width * scale),
      Math.floor(height * scale) / (height * scale),
    );
    const covering = Math.ceil(width * scale * fitted) * Math.ceil(height * scale * fitted);
    return Math.ceil(Math.min(covering, MOST_PATCHES) * each);
  };

/** Anthropic: a token for 750 pixels, in a picture shrunk to a longest side of 1568 and to about 1600 tokens. */
const pixels: Rule = (size) => {
  const { width, height } = shrunk(size, 1568 / longest(size));
  return Math.min(1600, Math.ceil((width * height) / 750));
};

/** Gemini: a small picture counts once, a larger one for each square of 768 pixels that covers it. */
const squares =
  (each: number): Rule =>
  ({ width, height }) =>
    longest({ width, height }) <= 384 ? each : each * Math.ceil(width / 768) * Math.ceil(height / 768);

/** The tokens of a picture of this size by a rule of the table; null counts as GPT-4o does, which is a guess. */
export function imageTokens(rule: PictureRule | null, size: PictureSize): number {
  const [kind, ...numbers] = rule ?? (['tiles', 85, 170] as const);
  const [first = 0, second = 0] = numbers;
  if (kind === 'pixels') return pixels(size);
  if (kind === 'squares') return squares(first)(size);
  return kind === 'tiles' ? tiles(first, second)(size) : patches(first)(size);
}

const longest = ({ width, height }: PictureSize): number => Math.max(width, height);

/** Never made larger. */
const shrunk = ({ width, height }: PictureSize, scale: number): PictureSize =>
  scale >= 1 ? { width, height } : { width: width * scale, height: height * scale };
