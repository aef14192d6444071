import type { TokenTotals as DomainTokenTotals } from '../../src/domain/conversation/session.ts';
import type { builder } from '../builder.ts';
import { TokenTotals, TurnError, Usage } from '../refs.ts';

type TokenFields = Pick<
  PothosSchemaTypes.ObjectFieldBuilder<typeof builder.$inferSchemaTypes, DomainTokenTotals>,
  'exposeInt' | 'exposeFloat' | 'int'
>;

/** Tokens and cost, for whatever they are summed over. */
export const tokenFields = (t: TokenFields) => ({
  inputTokens: t.exposeInt('inputTokens', { description: 'Tokens read by the models.' }),
  outputTokens: t.exposeInt('outputTokens', { description: 'Tokens written by the models.' }),
  cachedTokens: t.exposeInt('cachedTokens', {
    description: 'Part of `inputTokens` that came from a cache.',
  }),
  totalTokens: t.exposeInt('totalTokens', { description: 'Sum of input and output.' }),
  chargedTokens: t.int({
    description:
      'What counts against budgets: input from a cache at its share of the price of input, all else whole.',
    resolve: ({ chargedTokens, totalTokens }) => Math.ceil(chargedTokens ?? totalTokens),
  }),
  costUsd: t.exposeFloat('costUsd', {
    nullable: true,
    description: 'Cost in US dollars; null if the price of one of the models is not configured.',
  }),
});

Usage.implement({
  description: 'Tokens of a turn, summed over its model calls, as the provider counted them.',
  fields: (t) => ({
    ...tokenFields(t),
    model: t.exposeString('model', { description: 'The model that answered.' }),
    estimated: t.boolean({
      description: 'Whether some tokens are an estimate, because the provider did not report them.',
      resolve: ({ estimated }) => estimated ?? false,
    }),
  }),
});

TokenTotals.implement({ description: 'Tokens of finished turns.', fields: tokenFields });

TurnError.implement({
  description: 'Why a turn or a tool call did not succeed, in words for the user.',
  fields: (t) => ({
    code: t.exposeString('code', { description: 'For programs.' }),
    message: t.exposeString('message', { description: 'For people.' }),
    retryable: t.exposeBoolean('retryable', { description: 'Whether the same request may succeed later.' }),
  }),
});
