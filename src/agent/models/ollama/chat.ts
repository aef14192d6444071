/**
 * Ollama's own chat API as a {@link Model}: unlike its imitation of OpenAI's it takes the size of the context, which
 * otherwise is small, and the prompt is cut at its beginning without a word.
 */
import type { Model, ModelCall, ModelEvent, ModelInput, ModelRequest, ToolSchema } from '../../model.ts';
import { effortFor, outputBound, type Capabilities } from '../capabilities.ts';
import { argumentsObject } from '../shared/call-arguments.ts';
import { createProviderModel, type ProviderModelOptions } from '../shared/provider-model.ts';
import { toolNameOf } from '../shared/tool-name.ts';
import type { OptionalParameters } from '../shared/unsupported-parameter.ts';
import { decodeOllamaChat, type OllamaItem } from './chat-decoder.ts';
import { ollamaFault, type OllamaClient } from './client.ts';

/** What a model of this API needs. */
export type OllamaOptions = ProviderModelOptions & {
  readonly client: OllamaClient;
  /** Bound on one response, thoughts included. */
  readonly maxOutputTokens: number;
};

type Body = Readonly<Record<string, unknown>>;

const FORMAT = 'ollama';
/** A model stays loaded this long after its last answer: loading takes longer than an answer. */
const KEEP_ALIVE = '15m';
const OPTIONAL_PARAMETERS: OptionalParameters = { ofBody: ['think'], within: [] };

/** A model whose `items` are assistant messages. */
export function createOllamaModel(options: OllamaOptions): Model {
  return createProviderModel<Body>(options, {
    format: FORMAT,
    optional: OPTIONAL_PARAMETERS,
    ownIds: /^\P{C}{1,64}$/u,
    withCalls: (items, callOf) =>
      (items as readonly OllamaItem[]).map((item) => ({
        ...item,
        tool_calls: item.tool_calls.map(({ callId, wire }) => {
          const call = callOf(callId);
          const { id, function: called } = wireCall(call);
          return { callId: id, wire: { ...wire, id, function: { ...wire.function, ...called } } };
        }),
      })),
    body: (request, refused) => requestBody(options, request, refused),
    async send(body, signal) {
      const response = await options.client.chat(body, signal);
      return { response, events: decodeOllamaChat(response) as AsyncIterable<ModelEvent> };
    },
    faultOf: (error) => ollamaFault(error, options.name),
  });
}

function requestBody(
  { name, maxOutputTokens, capabilities }: OllamaOptions,
  request: ModelRequest,
  refused: ReadonlySet<string>,
): Body {
  const can = capabilities();
  const tools = toolsOf(request);
  return {
    model: name,
    stream: true,
    keep_alive: KEEP_ALIVE,
    messages: [
      { role: 'system', content: request.instructions },
      ...request.input.map((entry) => messageOf(entry, request.input, `${FORMAT}/${name}`)),
    ],
    ...thinkOf(request, can, refused),
    ...(tools.length > 0 && { tools }),
    // A format holds for all that a model writes, so that it could call no tool.
    ...(request.answerSchema && tools.length === 0 && { format: request.answerSchema.schema }),
    options: {
      num_ctx: can.contextTokens,
      num_predict: outputBound(can, request.outputTokens, maxOutputTokens),
      ...(request.sampling?.temperature != null &&
        can.temperature !== false && { temperature: request.sampling.temperature }),
    },
  };
}

/** Models with efforts take one of them, others only whether they think; without either, Ollama decides. */
function thinkOf({ sampling }: ModelRequest, can: Capabilities, refused: ReadonlySet<string>): Body {
  if (refused.has('think') || can.reasons !== true) return {};
  const efforts = can.efforts ?? [];
  const effort = efforts.length > 0 ? effortFor(sampling?.reasoning ?? null, efforts) : null;
  return { think: effort ?? true };
}

/** The API knows no tool choice: only the tools that may be called are shown. */
const toolsOf = ({ tools, toolChoice }: ModelRequest): readonly object[] =>
  tools
    .filter(({ name }) => toolChoice === 'auto' || (toolChoice !== 'none' && toolChoice.tool === name))
    .map(({ name, description, parameters }: ToolSchema) => ({
      type: 'function',
      function: { name, description, parameters },
    }));

/** Only items that `self` produced are sent back unchanged. */
function messageOf(input: ModelInput, all: readonly ModelInput[], self: string): Body {
  switch (input.type) {
    case 'user': {
      const images = input.images ?? [];
      return {
        role: 'user',
        content: input.text,
        ...(images.length > 0 && { images: images.map(({ data }) => data) }),
      };
    }
    case 'assistant':
      return { role: 'assistant', content: input.text };
    case 'tool-output':
      return {
        role: 'tool',
        tool_name: toolNameOf(input.callId, all),
        tool_call_id: input.callId,
        content: input.output,
      };
    case 'round': {
      // Items of this provider were made by this adapter's decoder; they are opaque to everyone between.
      const own = input.provider === self ? (input.items as readonly OllamaItem[])[0] : undefined;
      if (own !== undefined) return { ...own, tool_calls: own.tool_calls.map(({ wire }) => wire) };
      const calls = input.calls.map(wireCall);
      return { role: 'assistant', content: input.text, ...(calls.length > 0 && { tool_calls: calls }) };
    }
    default:
      return input satisfies never;
  }
}

/** Ids are known since 0.12; older versions pass over them. */
const wireCall = ({ callId, name, arguments: args }: ModelCall) => ({
  id: callId,
  function: { name, arguments: argumentsObject(args) },
});
