/**
 * A deliberately high guess at the tokens of a text, for budgets and for limits on prompts: a token for three ASCII
 * characters, one for each other character. Providers count exactly, but only afterwards.
 */
export function estimateTokens(text: string): number {
  const other = text.match(/[^\p{ASCII}]/gu)?.length ?? 0;
  return Math.ceil((text.length - other) / 3) + other;
}
