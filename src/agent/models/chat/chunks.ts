/** The frames of a Chat Completions stream, as far as QPilot reads them. Servers add to them and leave things out. */
import { z } from 'zod';

const text = z.string().nullish();

/** Arguments are text at OpenAI, and an object at servers that have parsed them already. */
const callArguments = z
  .union([z.string(), z.record(z.string(), z.unknown())])
  .nullish()
  .transform((given) =>
    typeof given === 'object' && given !== null ? JSON.stringify(given) : (given ?? ''),
  );

const calledFunction = z.object({ name: text, arguments: callArguments });

const toolCall = z.looseObject({
  index: z.number().nullish(),
  id: text,
  type: text,
  function: calledFunction.nullish(),
});

const textPart = z.looseObject({ type: z.string(), text: z.string().optional() });
const textOf = (parts: readonly z.infer<typeof textPart>[], type: string): string =>
  parts.map((part) => (part.type === type ? (part.text ?? '') : '')).join('');

/** Models that think may send their content in parts; thoughts are parts of their own. */
const content = z
  .union([z.string(), z.array(textPart.extend({ thinking: z.array(textPart).nullish().catch(null) }))])
  .nullish()
  .transform((given) =>
    Array.isArray(given)
      ? {
          text: textOf(given, 'text'),
          thought: given.map(({ thinking }) => textOf(thinking ?? [], 'text')).join(''),
        }
      : { text: given ?? '', thought: '' },
  );

/** A piece of a thought as OpenRouter and gateways like it send them: words, a summary, or something encrypted. */
const reasoningDetail = z.looseObject({
  type: z.string(),
  index: z.number().nullish(),
  text,
  summary: text,
});
export type ReasoningDetail = z.infer<typeof reasoningDetail>;

const delta = z.object({
  content,
  refusal: text,
  reasoning_content: text.catch(null),
  reasoning: text.catch(null),
  thinking: text.catch(null),
  reasoning_details: z.array(reasoningDetail).nullish().catch(null),
  tool_calls: z.array(toolCall).nullish(),
  function_call: calledFunction.nullish(),
});

const usage = z.object({
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  prompt_tokens_details: z.object({ cached_tokens: z.number().nullish() }).nullish(),
  prompt_cache_hit_tokens: z.number().nullish(),
});

/** One frame. */
export const chatChunk = z.object({
  choices: z
    .array(z.object({ index: z.number().nullish(), delta: delta.nullish(), finish_reason: text }))
    .nullish(),
  usage: usage.nullish().catch(null),
});

/** One frame, read. */
export type ChatChunk = z.infer<typeof chatChunk>;
/** What a frame adds to the message. */
export type ChatDelta = z.infer<typeof delta>;

/** The names that servers give to a model's thoughts; they go back under the name under which they came. */
export const THOUGHT_FIELDS = ['reasoning_content', 'reasoning', 'thinking'] as const;
/** Thoughts with signatures and encrypted parts; they go back instead of the bare words. */
export const THOUGHT_DETAILS = 'reasoning_details';
export type ThoughtField = (typeof THOUGHT_FIELDS)[number];
