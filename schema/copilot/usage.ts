import type { TokenTotals as DomainTokenTotals } from '../../src/domain/conversation/session.ts';
import type { builder } from '../builder.ts';
import { TokenTotals, TurnError, Usage } from '../refs.ts';

type TokenFields = Pick<
  PothosSchemaTypes.ObjectFieldBuilder<typeof builder.$inferSchemaTypes, DomainTokenTotals>,
  'exposeInt' | 'exposeFloat'
>;

/** Tokens and cost, for whatever they are summed over. */
export const tokenFields = (t: TokenFields) => ({
  inputTokens: t.exposeInt('inputTokens', { description: 'Tokens that the models read.' }),
  outputTokens: t.exposeInt('outputTokens', { description: 'Tokens that the models wrote.' }),
  cachedTokens: t.exposeInt('cachedTokens', {
    description: 'Those of `inputTokens` that came from a cache.',
  }),
  totalTokens: t.exposeInt('totalTokens', { description: 'Input and output together.' }),
  costUsd: t.exposeFloat('costUsd', {
    nullable: true,
    description: 'Cost in US dollars; null where one of the models has no configured price.',
  }),
});

Usage.implement({
  description: 'Tokens of a turn, summed over its model calls, as the provider counted them.',
  fields: (t) => ({
    ...tokenFields(t),
    model: t.exposeString('model', { description: 'The model that answered.' }),
    estimated: t.boolean({
      description:
        'True where the provider did not count one of the calls, so that part of the tokens is our estimate.',
      resolve: ({ estimated }) => estimated ?? false,
    }),
  }),
});

TokenTotals.implement({ description: 'Tokens of turns that have ended.', fields: tokenFields });

TurnError.implement({
  description: 'Why a turn or a tool call did not succeed, in words for the user.',
  fields: (t) => ({
    code: t.exposeString('code', { description: 'For programs.' }),
    message: t.exposeString('message', { description: 'For people.' }),
    retryable: t.exposeBoolean('retryable', { description: 'True when the same request may succeed later.' }),
  }),
});
