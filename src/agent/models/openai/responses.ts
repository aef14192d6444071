/**
 * OpenAI's Responses API as a {@link Model}. Nothing is kept at the provider (`store: false`): a reasoning model's
 * thoughts travel as encrypted items, which go back verbatim with the next round.
 */
import type OpenAI from 'openai';
import type {
  FunctionTool,
  ResponseCreateParamsStreaming,
  ResponseInput,
  ResponseInputContent,
  ResponseInputItem,
  ResponseReasoningItem,
} from 'openai/resources/responses/responses';
import type { Model, ModelCall, ModelInput, ModelRequest, ToolChoice, ToolSchema } from '../../model.ts';
import { effortFor, outputBound, type Capabilities } from '../capabilities.ts';
import { cacheKeyOf, openAiFault } from '../chat/openai-client.ts';
import { decodeResponse } from './responses-decoder.ts';
import { createProviderModel, type ProviderModelOptions } from '../shared/provider-model.ts';

/** What a model of this API needs. */
export type OpenAiResponsesOptions = ProviderModelOptions & {
  readonly client: OpenAI;
  /** Bound on one response, thoughts included. */
  readonly maxOutputTokens: number;
};

type Body = ResponseCreateParamsStreaming;

const OPTIONAL_PARAMETERS: readonly (keyof Body)[] = [
  'text',
  'prompt_cache_key',
  'include',
  'max_output_tokens',
  'parallel_tool_calls',
  'store',
  'temperature',
  'reasoning',
];
/** Of `reasoning`; organisations that are not verified may not ask for it. */
const SUMMARY = 'summary';
const FORMAT = 'openai-responses';

/** A model whose `items` are the API's output items. The caller owns the client. */
export function createOpenAiResponsesModel(options: OpenAiResponsesOptions): Model {
  return createProviderModel<Body>(options, {
    format: FORMAT,
    optional: { ofBody: OPTIONAL_PARAMETERS, within: ['strict', SUMMARY] },
    ownIds: /^\P{C}{1,64}$/u,
    withCalls: (items, callOf) => (items as ResponseInputItem[]).map((item) => withCall(item, callOf)),
    body: (request, refused) => requestBody(options, request, refused),
    async send(body, signal) {
      const { data, response } = await options.client.responses.create(body, { signal }).withResponse();
      return { response, events: decodeResponse(data) };
    },
    faultOf: openAiFault,
  });
}

function requestBody(
  { name, maxOutputTokens, capabilities }: OpenAiResponsesOptions,
  request: ModelRequest,
  refused: ReadonlySet<string>,
): Body {
  const can = capabilities();
  const isStrict = can.strict !== false && !refused.has('strict');
  const tools = request.tools.map((tool) => responsesTool(tool, isStrict));
  const body: Body = {
    model: name,
    stream: true,
    store: false,
    instructions: request.instructions,
    input: withKnownIds(request.input.flatMap((entry) => inputItems(entry, `${FORMAT}/${name}`))),
    max_output_tokens: outputBound(can, request.outputTokens, maxOutputTokens),
    prompt_cache_key: cacheKeyOf(request),
    ...(request.answerSchema
      ? { text: { format: { type: 'json_schema', strict: false, ...request.answerSchema } } }
      : {}),
    ...(tools.length > 0
      ? { tools, tool_choice: toolChoice(request.toolChoice), parallel_tool_calls: true }
      : {}),
    ...(request.sampling?.temperature != null &&
      can.temperature !== false && { temperature: request.sampling.temperature }),
    ...reasoningOf(request, can, refused),
  };
  for (const parameter of OPTIONAL_PARAMETERS) if (refused.has(parameter)) delete body[parameter];
  return body;
}

/** Asks for thoughts in the form in which they can go back, and for a summary of them that people can read. */
function reasoningOf(
  { sampling }: ModelRequest,
  can: Capabilities,
  refused: ReadonlySet<string>,
): Partial<Body> {
  // A model that is known not to think refuses to be asked for thoughts. Any other is asked, until it refuses.
  const thinks = can.reasons !== false;
  const effort = effortFor(sampling?.reasoning ?? null, can.efforts);
  const reasoning = {
    ...(effort !== null && { effort }),
    ...(thinks && !refused.has(SUMMARY) && { summary: 'auto' as const }),
  };
  return {
    ...(Object.keys(reasoning).length > 0 && { reasoning }),
    ...(thinks && { include: ['reasoning.encrypted_content'] }),
  };
}

const responsesTool = (
  { name, description, parameters, strict: own }: ToolSchema,
  strict: boolean,
): FunctionTool => ({
  type: 'function',
  strict: strict && own !== false,
  name,
  description,
  parameters,
});

const toolChoice = (choice: ToolChoice): NonNullable<Body['tool_choice']> =>
  typeof choice === 'string' ? choice : { type: 'function', name: choice.tool };

/** Only items that `self` produced are sent back unchanged. */
function inputItems(input: ModelInput, self: string): ResponseInput {
  switch (input.type) {
    case 'user':
      return [{ role: 'user', content: userContent(input) }];
    case 'assistant':
      return [{ role: 'assistant', content: input.text }];
    case 'tool-output':
      return [{ type: 'function_call_output', call_id: input.callId, output: input.output }];
    case 'round':
      // Items of this provider were items of this very API; they are opaque to everyone between.
      return input.provider === self ? returned(input.items as ResponseInputItem[]) : neutralRound(input);
    default:
      return input satisfies never;
  }
}

function withCall(item: ResponseInputItem, callOf: (id: string | null) => ModelCall): ResponseInputItem {
  if (item.type !== 'function_call') return item;
  const { callId, name, arguments: args } = callOf(item.call_id ?? '');
  return { ...item, call_id: callId, name, arguments: args };
}

/**
 * Items as they go back: as they came. Nothing is kept there, so thoughts that are known by an id alone stay behind, and
 * those that led to nothing, as where the response was cut. Then other items lose their ids: one that is known to come
 * after missing thoughts is refused.
 */
function returned(items: readonly ResponseInputItem[]): ResponseInput {
  const last = items.findLastIndex(({ type }) => type !== 'reasoning');
  const whole = items.filter((item, at) => item.type !== 'reasoning' || (at < last && hasThoughts(item)));
  return whole.length === items.length ? whole : whole.map(withoutId);
}

function withoutId(item: ResponseInputItem): ResponseInputItem {
  if (!('id' in item)) return item;
  const { id: _id, ...rest } = item;
  return rest as ResponseInputItem;
}

/** An id that comes again, or is none, is refused; without one an item is taken as it is. */
function withKnownIds(items: ResponseInput): ResponseInput {
  const seen = new Set<string>();
  return items.map((item) => {
    const id: unknown = 'id' in item ? item.id : undefined;
    if (typeof id !== 'string' || seen.has(id) || !/^[\w-]{1,64}$/.test(id)) return withoutId(item);
    seen.add(id);
    return item;
  });
}

/** Encrypted, or in plain words as servers of open models send them. */
const hasThoughts = ({ encrypted_content, content }: ResponseReasoningItem): boolean =>
  (encrypted_content ?? '') !== '' || (content ?? []).length > 0;

function userContent({
  text,
  images = [],
}: Extract<ModelInput, { type: 'user' }>): string | ResponseInputContent[] {
  if (images.length === 0) return text;
  return [
    { type: 'input_text', text },
    ...images.map(({ mediaType, data }) => ({
      type: 'input_image' as const,
      detail: 'auto' as const,
      image_url: `data:${mediaType};base64,${data}`,
    })),
  ];
}

function neutralRound({ text, calls }: Extract<ModelInput, { type: 'round' }>): ResponseInput {
  return [
    ...(text === '' ? [] : [{ role: 'assistant' as const, content: text }]),
    ...calls.map((call) => ({
      type: 'function_call' as const,
      call_id: call.callId,
      name: call.name,
      arguments: call.arguments,
    })),
  ];
}
