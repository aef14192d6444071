/**
 * The Chat Completions API as a {@link Model}, as OpenAI, Ollama, vLLM, llama.cpp, DeepSeek and gateways speak it,
 * tools included. Thoughts that a server shows are kept and go back under the name it gave them: some refuse calls
 * without.
 */
import type OpenAI from 'openai';
import type {
  ChatCompletionContentPart,
  ChatCompletionCreateParamsStreaming,
  ChatCompletionFunctionTool,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import type { ProviderId } from '../../../config/providers.ts';
import type { Model, ModelCall, ModelInput, ModelRequest, ToolSchema } from '../../model.ts';
import { effortFor, outputBound, type Capabilities } from '../capabilities.ts';
import { THOUGHT_DETAILS, THOUGHT_FIELDS } from './chunks.ts';
import { decodeChat, type ChatItem } from './completions-decoder.ts';
import { cacheKeyOf, openAiFault } from './openai-client.ts';
import { createProviderModel, type ProviderModelOptions } from '../shared/provider-model.ts';
import type { OptionalParameters } from '../shared/unsupported-parameter.ts';

/** What a model of this API needs. */
export type ChatCompletionsOptions = ProviderModelOptions & {
  readonly client: OpenAI;
  /** Which server it is; items go back to the same one only. */
  readonly server: ProviderId;
  /** Bound on one response, thoughts included. */
  readonly maxOutputTokens: number;
};

type Body = ChatCompletionCreateParamsStreaming;

const OPTIONAL_PARAMETERS: OptionalParameters = {
  ofBody: [
    'response_format',
    'prompt_cache_key',
    'stream_options',
    'parallel_tool_calls',
    'max_tokens',
    'max_completion_tokens',
    'temperature',
    'reasoning_effort',
  ],
  within: ['strict', THOUGHT_DETAILS, ...THOUGHT_FIELDS],
};

/**
 * DeepSeek refuses messages of turns with calls that hold no thoughts (api-docs.deepseek.com/guides/thinking_mode), also
 * those that another model or this server wrote. It takes any words for them but none, and repeated ones mislead it.
 */
const WITHOUT_THOUGHTS = 'messages without reasoning_content';
/** Mistral wants the model's own words between the outputs of its calls and the next message of the user. */
export const USER_BEHIND_TOOLS = 'user messages behind tool outputs';
const FORMS = [
  { form: WITHOUT_THOUGHTS, inWords: /reasoning[_ ]content\b.{0,60}must be passed back/i },
  { form: USER_BEHIND_TOOLS, inWords: /unexpected role 'user' after role 'tool'/i },
] as const;
/** The words that stand there. */
const GO_ON = 'I have the results.';

/** A model whose `items` are assistant messages. The caller owns the client. */
export function createChatCompletionsModel(options: ChatCompletionsOptions): Model {
  return createProviderModel<Body>(options, {
    format: formatOf(options),
    optional: OPTIONAL_PARAMETERS,
    ownIds: /^\P{C}{1,40}$/u,
    withCalls: (items, callOf) =>
      (items as readonly ChatItem[]).map((item) => ({
        ...item,
        tool_calls: item.tool_calls.map((call) => chatCall(callOf(call.id), call)),
      })),
    body: (request, refused) => requestBody(options, request, refused),
    async send(body, signal) {
      const response = await options.client.chat.completions.create(body, { signal }).asResponse();
      return { response, events: decodeChat(response, options.client) };
    },
    refusedForm: ({ detail }, refused) =>
      FORMS.find(({ form, inWords }) => !refused.has(form) && inWords.test(detail))?.form ?? null,
    faultOf: openAiFault,
  });
}

const formatOf = ({ server }: ChatCompletionsOptions): string => `chat-completions:${server}`;

function requestBody(
  options: ChatCompletionsOptions,
  request: ModelRequest,
  refused: ReadonlySet<string>,
): Body {
  const { name, maxOutputTokens } = options;
  const self = `${formatOf(options)}/${name}`;
  const can = options.capabilities();
  return {
    model: name,
    stream: true,
    messages: [
      { role: 'system', content: request.instructions },
      ...inOrder(
        request.input.map((entry) => messageOf(entry, self, refused)),
        refused,
      ),
    ],
    ...(refused.has('stream_options') ? {} : { stream_options: { include_usage: true } }),
    ...outputLimit(outputBound(can, request.outputTokens, maxOutputTokens), refused),
    ...(refused.has('prompt_cache_key') ? {} : { prompt_cache_key: cacheKeyOf(request) }),
    ...samplingOf(request, can, refused),
    ...responseFormat(request, refused),
    ...toolParameters(request, can, refused),
  };
}

/** OpenAI's reasoning models know only the newer name, most other servers only the older one. */
function outputLimit(tokens: number, refused: ReadonlySet<string>): Partial<Body> {
  if (!refused.has('max_tokens')) return { max_tokens: tokens };
  return refused.has('max_completion_tokens') ? {} : { max_completion_tokens: tokens };
}

function samplingOf(
  { sampling }: ModelRequest,
  can: Capabilities,
  refused: ReadonlySet<string>,
): Partial<Body> {
  const { temperature = null, reasoning = null } = sampling ?? {};
  const effort = effortFor(reasoning, can.efforts);
  return {
    ...(temperature !== null && can.temperature !== false && !refused.has('temperature') && { temperature }),
    ...(effort !== null && !refused.has('reasoning_effort') && { reasoning_effort: effort }),
  };
}

function responseFormat({ answerSchema }: ModelRequest, refused: ReadonlySet<string>): Partial<Body> {
  if (answerSchema === undefined || refused.has('response_format')) return {};
  return { response_format: { type: 'json_schema', json_schema: { strict: false, ...answerSchema } } };
}

function toolParameters(
  { tools, toolChoice }: ModelRequest,
  can: Capabilities,
  refused: ReadonlySet<string>,
): Partial<Body> {
  if (tools.length === 0) return {};
  const isStrict = can.strict !== false && !refused.has('strict');
  return {
    tools: tools.map((tool) => chatTool(tool, isStrict)),
    tool_choice:
      typeof toolChoice === 'string' ? toolChoice : { type: 'function', function: { name: toolChoice.tool } },
    ...(refused.has('parallel_tool_calls') ? {} : { parallel_tool_calls: true }),
  };
}

const chatTool = (
  { name, description, parameters, strict: own }: ToolSchema,
  strict: boolean,
): ChatCompletionFunctionTool => ({
  type: 'function',
  function: { name, description, parameters, ...(strict && own !== false ? { strict } : {}) },
});

/** Only items that `self` produced are sent back unchanged. */
function messageOf(
  input: ModelInput,
  self: string,
  refused: ReadonlySet<string>,
): ChatCompletionMessageParam {
  switch (input.type) {
    case 'user':
      return { role: 'user', content: userContent(input) };
    case 'assistant':
      return withThoughts({ role: 'assistant', content: input.text }, input.text, refused);
    case 'tool-output':
      return { role: 'tool', tool_call_id: input.callId, content: input.output };
    case 'round':
      return roundMessage(input, self, refused);
    default:
      return input satisfies never;
  }
}

function userContent({
  text,
  images = [],
}: Extract<ModelInput, { type: 'user' }>): string | ChatCompletionContentPart[] {
  if (images.length === 0) return text;
  return [
    { type: 'text', text },
    ...images.map(({ mediaType, data }) => ({
      type: 'image_url' as const,
      image_url: { url: `data:${mediaType};base64,${data}` },
    })),
  ];
}

const chatCall = (
  { callId, name, arguments: args }: ModelCall,
  more: object = {},
): ChatItem['tool_calls'][number] => ({
  ...more,
  id: callId,
  type: 'function',
  function: { name, arguments: args },
});

/** Any message may follow any other one, but at servers that refuse some. */
function inOrder(
  messages: readonly ChatCompletionMessageParam[],
  refused: ReadonlySet<string>,
): ChatCompletionMessageParam[] {
  if (!refused.has(USER_BEHIND_TOOLS)) return [...messages];
  return messages.flatMap((message, at) =>
    message.role === 'user' && messages[at - 1]?.role === 'tool'
      ? [{ role: 'assistant', content: GO_ON }, message]
      : [message],
  );
}

function roundMessage(
  { provider, items, text, calls }: Extract<ModelInput, { type: 'round' }>,
  self: string,
  refused: ReadonlySet<string>,
): ChatCompletionMessageParam {
  // Items of this provider were made by this adapter's decoder; they are opaque to everyone between.
  const own = provider === self ? (items as readonly ChatItem[])[0] : undefined;
  const { tool_calls, ...rest }: ChatItem = own ?? {
    role: 'assistant',
    content: text,
    tool_calls: calls.map((call) => chatCall(call)),
  };
  const kept = Object.fromEntries(Object.entries(rest).filter(([key]) => !refused.has(key)));
  const words = tool_calls.map((call) => call.function.name).join(', ');
  return {
    role: 'assistant',
    ...withThoughts(kept, words === '' ? text : words, refused),
    // An empty list is refused.
    ...(tool_calls.length > 0 && { tool_calls: [...tool_calls] }),
  };
}

/** The message; for a server that wants thoughts in it, `words` stand for those that nobody had. */
const withThoughts = <Message extends object>(
  message: Message,
  words: string,
  refused: ReadonlySet<string>,
): Message =>
  !refused.has(WITHOUT_THOUGHTS) || THOUGHT_FIELDS.some((field) => field in message)
    ? message
    : { ...message, [THOUGHT_FIELDS[0]]: words.slice(0, 80) || ' ' };
