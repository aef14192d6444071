/**
 * Record of each model call of a turn, for inspection and replay: what was sent, in the form of the loop rather than a
 * provider's, and what came back. Input is stored once: each record holds only what the one before lacks.
 */
import { z } from 'zod';
import type { JsonObject } from '../visuals.ts';

const call = z.object({ callId: z.string(), name: z.string(), arguments: z.string() });

const section = z.object({
  id: z.string(),
  text: z.string(),
  changes: z.enum(['ALWAYS', 'SOMETIMES']).optional(),
});

const input = z.discriminatedUnion('type', [
  z.object({ type: z.literal('user'), text: z.string(), context: z.array(section).optional() }),
  z.object({ type: z.literal('assistant'), text: z.string() }),
  z.object({
    type: z.literal('round'),
    provider: z.string(),
    items: z.array(z.unknown()),
    /** Numbers of the records that hold the items, which then are left out here. */
    itemsOf: z.array(z.int()).optional(),
    text: z.string(),
    calls: z.array(call),
  }),
  z.object({ type: z.literal('tool-output'), callId: z.string(), output: z.string() }),
]);

const jsonObject = z.custom<JsonObject>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);

/** What a model is asked for: the words of an answer, or a summary of the earlier conversation. */
export const STEP_PURPOSES = ['ANSWER', 'SUMMARY'] as const;
export type StepPurpose = (typeof STEP_PURPOSES)[number];

/** Input of a model call as it is recorded, and as later turns send it again. */
export type RecordedInput = z.infer<typeof input>;

/** A record as it is stored, JSON and without secrets. */
export const stepRecordSchema = z.object({
  /** Of the model calls of the turn, from 1; a retried call gets its own number. */
  number: z.int().min(1),
  /** Older records without a purpose are answers. */
  purpose: z.enum(STEP_PURPOSES).default('ANSWER'),
  model: z.string(),
  provider: z.string(),
  instructions: z.string(),
  /** Items of the previous input of the same purpose that precede `input`. */
  inputFrom: z.int().min(0),
  input: z.array(input),
  /** Identifies the offered tools; see {@link RecordedTools}. */
  toolsHash: z.string(),
  toolChoice: z.union([z.literal('auto'), z.literal('none'), z.object({ tool: z.string() })]),
  answerSchema: z.object({ name: z.string(), schema: jsonObject }).nullable(),
  /** Null in older records, too. */
  sampling: z
    .object({ temperature: z.number().nullable(), reasoning: z.enum(['low', 'medium', 'high']).nullable() })
    .nullable()
    .default(null),
  /** The model's words as they came, before anything was taken out of them. */
  text: z.string(),
  refusal: z.string(),
  calls: z.array(call),
  /** The provider's output items, to be returned verbatim; none if they held a secret, and in older records. */
  items: z.array(z.unknown()).default([]),
  /** Null where the response did not come to its end. */
  reason: z.enum(['stop', 'calls', 'length', 'filtered', 'refused', 'paused']).nullable(),
  usage: z
    .object({
      inputTokens: z.number(),
      outputTokens: z.number(),
      cachedTokens: z.number(),
      cacheWriteTokens: z.number().optional(),
    })
    .nullable(),
  /** What broke the response, in words. */
  error: z.string().nullable(),
  durationMs: z.number(),
  /** Whether input was too large to be kept; then the call cannot be asked again. */
  isCut: z.boolean(),
});

/** One model call; see {@link stepRecordSchema}. */
export type StepRecord = z.infer<typeof stepRecordSchema>;

/** A model call without what was said. */
export type ModelCallSummary = Pick<
  StepRecord,
  'number' | 'purpose' | 'model' | 'provider' | 'reason' | 'usage' | 'error' | 'durationMs'
> & { readonly turnId: string; readonly toolCalls: number };

/** Tools as a model was offered them. */
export const recordedToolsSchema = z.array(
  z.object({
    name: z.string(),
    description: z.string(),
    parameters: jsonObject,
    strict: z.literal(false).exactOptional(),
  }),
);

/** The tools of a call: kept once, however many calls had them. */
export type RecordedTools = {
  readonly hash: string;
  readonly schemas: readonly z.infer<typeof recordedToolsSchema>[number][];
};

/** What the last of these calls of a turn was sent, each response with the items that it had. */
export function sentInput(
  records: readonly Pick<StepRecord, 'number' | 'inputFrom' | 'input' | 'items'>[],
): readonly RecordedInput[] {
  const itemsOf = (number: number) => records.find((record) => record.number === number)?.items ?? [];
  return records
    .reduce<readonly RecordedInput[]>(
      (before, { inputFrom, input: added }) => [...before.slice(0, inputFrom), ...added],
      [],
    )
    .map((entry) => {
      if (entry.type !== 'round' || entry.itemsOf === undefined) return entry;
      const { itemsOf: numbers, ...round } = entry;
      return { ...round, items: numbers.flatMap(itemsOf) };
    });
}
