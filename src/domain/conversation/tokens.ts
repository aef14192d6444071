/**
 * Tokens that each character of a kind of script may cost, after the vocabularies of OpenAI's models (o200k and
 * cl100k): prose in Latin letters is cut into words, figures and punctuation into ones to threes, and a character of
 * Japanese is nearly a token of its own.
 */
const TOKENS_OF = {
  lowerCaseAndSpace: 1 / 4,
  figuresAndSigns: 1 / 1.7,
  otherAlphabets: 0.6,
  kana: 0.9,
  hanAndHangul: 1.25,
  beyondTheBasicPlane: 3,
} as const;

/**
 * A deliberately high guess at the tokens of a text, for budgets and for limits on prompts. Providers count exactly,
 * but only afterwards; identifiers and encoded bytes, which are rarely long in a text, cost up to twice the guess.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const character of text) tokens += tokensOf(character.codePointAt(0) ?? 0);
  return Math.ceil(tokens);
}

function tokensOf(codePoint: number): number {
  if (codePoint < 0x80) {
    const isPlain = (codePoint >= 0x61 && codePoint <= 0x7a) || codePoint === 0x20 || codePoint === 0x0a;
    return isPlain ? TOKENS_OF.lowerCaseAndSpace : TOKENS_OF.figuresAndSigns;
  }
  if (codePoint < 0x2e80) return TOKENS_OF.otherAlphabets;
  if (codePoint > 0xffff) return TOKENS_OF.beyondTheBasicPlane;
  return codePoint >= 0x3000 && codePoint < 0x3100 ? TOKENS_OF.kana : TOKENS_OF.hanAndHangul;
}

/** What a turn may spend in all; `bound` describes the limiting budget, its use and its renewal. */
export type TokenGrant = { readonly tokens: number; readonly bound: string };

/** The budgets of one turn: those of its session, its user and its project. */
export type TokenBudget = {
  /**
   * Sets `tokens` aside for the turn, what it spent so far included, or as many as there are. Asked again, the new
   * number takes the place of the old one; they are let go when the turn ends.
   */
  hold(tokens: number): Promise<TokenGrant>;
};
