import { TokenTotals, TurnError, Usage } from '../refs.ts';

Usage.implement({
  description: 'Tokens of a turn, summed over its model calls, as the provider counted them.',
  fields: (t) => ({
    inputTokens: t.exposeInt('inputTokens', { description: 'Tokens that the models read.' }),
    outputTokens: t.exposeInt('outputTokens', { description: 'Tokens that the models wrote.' }),
    cachedTokens: t.exposeInt('cachedTokens', {
      description: 'Those of `inputTokens` that came from a cache.',
    }),
    totalTokens: t.exposeInt('totalTokens', { description: 'Input and output together.' }),
    model: t.exposeString('model', { description: 'The model that answered.' }),
    costUsd: t.exposeFloat('costUsd', {
      nullable: true,
      description: 'Cost in US dollars; null where the price of the model is not configured.',
    }),
  }),
});

TokenTotals.implement({
  description: 'Tokens of turns that have ended.',
  fields: (t) => ({
    inputTokens: t.exposeInt('inputTokens', { description: 'Tokens that the models read.' }),
    outputTokens: t.exposeInt('outputTokens', { description: 'Tokens that the models wrote.' }),
    cachedTokens: t.exposeInt('cachedTokens', {
      description: 'Those of `inputTokens` that came from a cache.',
    }),
    totalTokens: t.exposeInt('totalTokens', { description: 'Input and output together.' }),
    costUsd: t.exposeFloat('costUsd', {
      nullable: true,
      description: 'Cost in US dollars; null once a model answered whose price is not configured.',
    }),
  }),
});

TurnError.implement({
  description: 'Why a turn or a tool call did not succeed, in words for the user.',
  fields: (t) => ({
    code: t.exposeString('code', { description: 'For programs.' }),
    message: t.exposeString('message', { description: 'For people.' }),
    retryable: t.exposeBoolean('retryable', { description: 'True when the same request may succeed later.' }),
  }),
});
