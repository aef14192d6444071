/**
 * Gemini's own API as a {@link Model}. Thoughts stay at Google; their signatures come with the parts that they led to
 * and go back at the same parts, without which Gemini 3 refuses the results of its calls.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Model, ModelCall, ModelInput, ModelRequest } from '../../model.ts';
import { effortFor, outputBound, thinkingBudget, type Capabilities } from '../capabilities.ts';
import { argumentsObject } from '../shared/call-arguments.ts';
import { createProviderModel, type ProviderModelOptions } from '../shared/provider-model.ts';
import { toolNameOf } from '../shared/tool-name.ts';
import type { OptionalParameters } from '../shared/unsupported-parameter.ts';
import { geminiFault, type GeminiClient, type GeminiPart } from './client.ts';
import { geminiParameters, geminiSchema, hasOpenObject } from './schema.ts';
import { decodeGemini, OWN_ID } from './stream-decoder.ts';

/** What a model of this API needs. */
export type GeminiOptions = ProviderModelOptions & {
  readonly client: GeminiClient;
  /** Bound on one response, thoughts included. */
  readonly maxOutputTokens: number;
};

type Body = Readonly<Record<string, unknown>>;
type Content = { readonly role: 'user' | 'model'; readonly parts: GeminiPart[] };

const FORMAT = 'gemini';
const OPTIONAL_PARAMETERS: OptionalParameters = {
  ofBody: [],
  within: ['thinkingConfig', 'thinkingLevel', 'thinkingBudget', 'includeThoughts', 'temperature'],
};
/** What Google has instead of a signature for calls that were not its own (Thought signatures, FAQ). */
const NO_SIGNATURE = 'skip_thought_signature_validator';

/** A model whose `items` are parts. */
export function createGeminiModel(options: GeminiOptions): Model {
  return createProviderModel<Body>(options, {
    format: FORMAT,
    optional: OPTIONAL_PARAMETERS,
    ownIds: /^\P{C}{1,64}$/u,
    withCalls: (items, callOf) => (items as readonly GeminiPart[]).map((part) => withCall(part, callOf)),
    body: (request, refused) => requestBody(options, request, refused),
    async send(body, signal) {
      const response = await options.client.stream(options.name, body, signal);
      return { response, events: decodeGemini(response) };
    },
    faultOf: geminiFault,
  });
}

function requestBody(
  { name, maxOutputTokens, capabilities }: GeminiOptions,
  request: ModelRequest,
  refused: ReadonlySet<string>,
): Body {
  const can = capabilities();
  const bound = outputBound(can, request.outputTokens, maxOutputTokens);
  const { instructions, input, answerSchema, sampling } = request;
  const contents = mergeRoles(input.map((entry) => contentOf(entry, input, `${FORMAT}/${name}`)));
  return {
    ...(instructions !== '' && { systemInstruction: { parts: [{ text: instructions }] } }),
    contents,
    ...toolsOf(request),
    generationConfig: {
      maxOutputTokens: bound,
      ...(sampling?.temperature != null &&
        can.temperature !== false &&
        !refused.has('temperature') && { temperature: sampling.temperature }),
      ...thinkingOf(request, { can, bound }, refused),
      // Gemini writes no schema beside tools.
      ...(answerSchema &&
        request.tools.length === 0 && {
          responseMimeType: 'application/json',
          ...(hasOpenObject(answerSchema.schema)
            ? { responseJsonSchema: answerSchema.schema }
            : { responseSchema: geminiSchema(answerSchema.schema) }),
        }),
    },
  };
}

/** The least that every model of this API takes, and the most. */
const [LEAST_BUDGET, MOST_BUDGET] = [512, 24_576];

function thinkingOf(
  { sampling }: ModelRequest,
  { can, bound }: { readonly can: Capabilities; readonly bound: number },
  refused: ReadonlySet<string>,
): Body {
  if (can.reasons === false || refused.has('thinkingConfig') || refused.has('includeThoughts')) return {};
  const asked = sampling?.reasoning ?? null;
  const accepted = effortFor(asked, can.efforts);
  return { thinkingConfig: { includeThoughts: true, ...effortIn() } };

  /** Older models take a budget of tokens in place of a word. */
  function effortIn(): Body {
    if (asked === null || accepted === null) return {};
    if (can.thinking !== 'budget') return refused.has('thinkingLevel') ? {} : { thinkingLevel: accepted };
    const thinkingTokens = Math.min(MOST_BUDGET, thinkingBudget(asked, bound, LEAST_BUDGET));
    return refused.has('thinkingBudget') ? {} : { thinkingBudget: thinkingTokens };
  }
}

function toolsOf({ tools, toolChoice }: ModelRequest): Body {
  if (tools.length === 0) return {};
  const functionDeclarations = tools.map(({ name, description, parameters }) => {
    const schema = geminiParameters(parameters);
    if (schema === null) return { name, description };
    return hasOpenObject(parameters)
      ? { name, description, parametersJsonSchema: parameters }
      : { name, description, parameters: schema };
  });
  const mode = toolChoice === 'auto' ? 'AUTO' : toolChoice === 'none' ? 'NONE' : 'ANY';
  const allowed = typeof toolChoice === 'string' ? {} : { allowedFunctionNames: [toolChoice.tool] };
  return {
    tools: [{ functionDeclarations }],
    toolConfig: { functionCallingConfig: { mode, ...allowed } },
  };
}

/** Results of all calls of a round come in one message. */
function mergeRoles(contents: readonly Content[]): readonly Content[] {
  const merged: Content[] = [];
  for (const { role, parts } of contents) {
    const last = merged.at(-1);
    if (last?.role === role) last.parts.push(...parts);
    else if (parts.length > 0) merged.push({ role, parts: [...parts] });
  }
  return merged;
}

/** Only items that `self` produced are sent back unchanged. */
function contentOf(input: ModelInput, all: readonly ModelInput[], self: string): Content {
  switch (input.type) {
    case 'user':
      return { role: 'user', parts: [...imageParts(input), ...textParts(input.text)] };
    case 'assistant':
      return { role: 'model', parts: textParts(input.text) };
    case 'tool-output': {
      const { callId, output } = input;
      const id = callId.startsWith(OWN_ID) ? {} : { id: callId };
      const name = toolNameOf(callId, all);
      return { role: 'user', parts: [{ functionResponse: { ...id, name, response: { output } } }] };
    }
    case 'round':
      // Items of this provider were parts of this very API; they are opaque to everyone between.
      return {
        role: 'model',
        parts: input.provider === self ? [...(input.items as readonly GeminiPart[])] : neutralRound(input),
      };
    default:
      return input satisfies never;
  }
}

/** A signature is of the very call that it came with; another one has what Google has instead. */
function withCall(part: GeminiPart, callOf: (id: string | null) => ModelCall): GeminiPart {
  const { functionCall, thoughtSignature } = part;
  if (functionCall == null) return part;
  const given = functionCall.id == null || functionCall.id === '' ? null : functionCall.id;
  const { id: _id, ...called } = functionCall;
  const { name, args, ...id } = calledPart(callOf(given));
  const isSame = name === called.name && isDeepStrictEqual(args, called.args ?? {});
  return {
    ...part,
    functionCall: { ...id, ...called, ...(!isSame && { name, args }) },
    ...(!isSame && thoughtSignature != null && { thoughtSignature: NO_SIGNATURE }),
  };
}

const calledPart = ({ callId, name, arguments: args }: ModelCall) => ({
  ...(!callId.startsWith(OWN_ID) && { id: callId }),
  name,
  args: argumentsObject(args),
});

const textParts = (text: string): GeminiPart[] => (text === '' ? [] : [{ text }]);

const imageParts = ({ images = [] }: Extract<ModelInput, { type: 'user' }>): GeminiPart[] =>
  images.map(({ mediaType, data }) => ({ inlineData: { mimeType: mediaType, data } }));

const neutralRound = ({ text, calls }: Extract<ModelInput, { type: 'round' }>): GeminiPart[] => [
  ...textParts(text),
  ...calls.map((call, index) => ({
    functionCall: calledPart(call),
    ...(index === 0 && { thoughtSignature: NO_SIGNATURE }),
  })),
];
