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

/** Models that think may send their content in parts; thoughts are parts of their own. */
const content = z
  .union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().optional() }))])
  .nullish()
  .transform((given) =>
    Array.isArray(given)
      ? given.map((part) => (part.type === 'text' ? (part.text ?? '') : '')).join('')
      : (given ?? ''),
  );

const delta = z.object({
  content,
  refusal: text,
  reasoning_content: text.catch(null),
  reasoning: text.catch(null),
  thinking: text.catch(null),
  tool_calls: z.array(toolCall).nullish(),
  function_call: calledFunction.nullish(),
});

const usage = z.object({
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  prompt_tokens_details: z.object({ cached_tokens: z.number().nullish() }).nullish(),
  prompt_cache_hit_tokens: z.number().nullish(),
});

/** One frame. A server that puts no error object into a frame may send the error as the frame. */
export const chatChunk = z.object({
  object: text,
  message: text,
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
export type ThoughtField = (typeof THOUGHT_FIELDS)[number];
