import type { ModelCallSummary } from '../../src/domain/conversation/step-record.ts';
import { builder } from '../builder.ts';

/** A call of a model, without what was said. */
export const ModelCall = builder.objectRef<ModelCallSummary>('ModelCall').implement({
  description: 'A request to a model during a turn: what it cost and how it ended, without what was said.',
  fields: (t) => ({
    number: t.exposeInt('number', { description: 'From 1; a request that was repeated counts again.' }),
    purpose: t.exposeString('purpose', {
      description: '`ANSWER`, or `SUMMARY` for a summary of the earlier conversation.',
    }),
    model: t.exposeString('model', { description: 'Name of the model.' }),
    endReason: t.exposeString('reason', {
      nullable: true,
      description: '`stop`, `calls`, `length`, `filtered` or `refused`; null if the response broke off.',
    }),
    error: t.exposeString('error', {
      nullable: true,
      description: "What broke it, in the provider's words; null for nothing.",
    }),
    toolCalls: t.exposeInt('toolCalls', { description: 'Number of tool calls that it asked for.' }),
    inputTokens: t.int({
      nullable: true,
      description: 'Tokens that it read; null where the provider did not count them.',
      resolve: ({ usage }) => usage?.inputTokens ?? null,
    }),
    cachedTokens: t.int({
      nullable: true,
      description: 'Part of `inputTokens` that came from a cache.',
      resolve: ({ usage }) => usage?.cachedTokens ?? null,
    }),
    outputTokens: t.int({
      nullable: true,
      description: 'Tokens that it wrote.',
      resolve: ({ usage }) => usage?.outputTokens ?? null,
    }),
    durationMs: t.int({
      description: 'From the request to the end of the response, in milliseconds.',
      resolve: ({ durationMs }) => Math.round(durationMs),
    }),
  }),
});
