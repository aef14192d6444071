/**
 * OpenAI's Responses API as a {@link Model}. Nothing is kept at the provider (`store: false`): a reasoning model's
 * thoughts travel as encrypted items, which go back verbatim with the next round.
 */
import { LRUCache } from 'lru-cache';
import type OpenAI from 'openai';
import type {
  ResponseCreateParamsStreaming,
  ResponseInput,
  ResponseInputItem,
} from 'openai/resources/responses/responses';
import type { Model, ModelEvent, ModelInput, ModelRequest, ToolChoice } from '../model.ts';
import { toModelError, unsupportedParameter } from './openai-errors.ts';
import { decodeResponse } from './openai-responses-decoder.ts';

/** What a model of this API needs. */
export type OpenAiResponsesOptions = {
  readonly client: OpenAI;
  readonly name: string;
  /** Bound on one response, thoughts included. */
  readonly maxOutputTokens: number;
};

type Parameter = keyof ResponseCreateParamsStreaming;

/** Parameters that can be left out if a model does not know them; anything else it refuses is a failure. */
const OPTIONAL_PARAMETERS: readonly Parameter[] = [
  'include',
  'max_output_tokens',
  'parallel_tool_calls',
  'store',
];
/** Sessions whose learned refusals are remembered; an evicted one merely asks once more. */
const REMEMBERED_SESSIONS = 1000;
/** Models that think before they answer and return their thoughts encrypted; others refuse to be asked for them. */
const REASONING_MODEL = /^(o\d|gpt-5|codex)/;
const PROVIDER = 'openai-responses';

/** A model whose `items` are the API's output items. The client stays the caller's. */
export function createOpenAiResponsesModel(options: OpenAiResponsesOptions): Model {
  const refusals = new LRUCache<string, ReadonlySet<Parameter>>({ max: REMEMBERED_SESSIONS });

  async function open(request: ModelRequest, signal: AbortSignal) {
    for (;;) {
      const refused = refusals.get(request.sessionId) ?? new Set();
      const body = without(requestBody(options, request), refused);
      try {
        return await options.client.responses.create(body, { signal });
      } catch (error) {
        const parameter = unsupportedParameter(error, OPTIONAL_PARAMETERS);
        if (parameter === null || !(parameter in body)) throw error;
        refusals.set(request.sessionId, new Set([...refused, parameter]));
      }
    }
  }

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    let streaming = false;
    try {
      const events = await open(request, signal);
      streaming = true;
      yield* decodeResponse(events, signal);
    } catch (error) {
      signal.throwIfAborted();
      throw toModelError(error, { model: options.name, streaming });
    }
  }

  return { name: options.name, provider: PROVIDER, stream };
}

function requestBody(
  { name, maxOutputTokens }: OpenAiResponsesOptions,
  request: ModelRequest,
): ResponseCreateParamsStreaming {
  const tools = request.tools.map((tool) => ({ type: 'function' as const, strict: true, ...tool }));
  return {
    model: name,
    stream: true,
    store: false,
    instructions: request.instructions,
    input: request.input.flatMap(inputItems),
    max_output_tokens: maxOutputTokens,
    ...(tools.length > 0
      ? { tools, tool_choice: toolChoice(request.toolChoice), parallel_tool_calls: true }
      : {}),
    ...(REASONING_MODEL.test(name) ? { include: ['reasoning.encrypted_content'] } : {}),
  };
}

function without(
  body: ResponseCreateParamsStreaming,
  refused: ReadonlySet<Parameter>,
): ResponseCreateParamsStreaming {
  const left = { ...body };
  for (const parameter of refused) delete left[parameter];
  return left;
}

const toolChoice = (choice: ToolChoice): NonNullable<ResponseCreateParamsStreaming['tool_choice']> =>
  typeof choice === 'string' ? choice : { type: 'function', name: choice.tool };

function inputItems(input: ModelInput): ResponseInput {
  switch (input.type) {
    case 'user':
    case 'assistant':
      return [{ role: input.type, content: input.text }];
    case 'tool-output':
      return [{ type: 'function_call_output', call_id: input.callId, output: input.output }];
    case 'round':
      // Items of this provider were items of this very API; they are opaque to everyone between.
      return input.provider === PROVIDER ? (input.items as ResponseInputItem[]) : neutralRound(input);
    default:
      return input satisfies never;
  }
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
