/**
 * Anthropic's Messages API as a {@link Model}. Tools, prompt and the newest two messages of the user are marked for the
 * provider's cache, which takes no more than four marks; thoughts go back with their signatures, as they came.
 */
import type Anthropic from '@anthropic-ai/sdk';
import type {
  ContentBlockParam,
  MessageCreateParamsStreaming,
  MessageParam,
  Tool,
  ToolChoice as AnthropicToolChoice,
} from '@anthropic-ai/sdk/resources/messages';
import type { Model, ModelCall, ModelInput, ModelRequest, ToolChoice } from '../../model.ts';
import type { Effort } from '../../../config/model-table.ts';
import { effortFor, outputBound, thinkingBudget, type Capabilities } from '../capabilities.ts';
import { anthropicFault } from './client.ts';
import { decodeMessage } from './messages-decoder.ts';
import { argumentsObject } from '../shared/call-arguments.ts';
import { createProviderModel, type ProviderModelOptions } from '../shared/provider-model.ts';
import type { OptionalParameters } from '../shared/unsupported-parameter.ts';

/** What a model of this API needs. */
export type AnthropicOptions = ProviderModelOptions & {
  readonly client: Anthropic;
  /** Bound on one response, thoughts included. */
  readonly maxOutputTokens: number;
};

type Body = MessageCreateParamsStreaming;

const FORMAT = 'anthropic';
const CACHED = { cache_control: { type: 'ephemeral' } } as const;
/** Gateways before Anthropic's models may not know the cache, older models no effort. */
const OPTIONAL_PARAMETERS: OptionalParameters = {
  ofBody: ['thinking', 'output_config'],
  within: ['cache_control'],
};

/** A model whose `items` are content blocks. The caller owns the client. */
export function createAnthropicModel(options: AnthropicOptions): Model {
  return createProviderModel<Body>(options, {
    format: FORMAT,
    optional: OPTIONAL_PARAMETERS,
    ownIds: /^[\w-]{1,64}$/,
    withCalls: (items, callOf) =>
      (items as ContentBlockParam[]).map((block) =>
        block.type === 'tool_use' ? { ...block, ...callBlock(callOf(block.id ?? '')) } : block,
      ),
    body: (request, refused) => requestBody(options, request, refused),
    async send(body, signal) {
      const { data, response } = await options.client.messages.create(body, { signal }).withResponse();
      return { response, events: decodeMessage(data) };
    },
    faultOf: anthropicFault,
  });
}

function requestBody(options: AnthropicOptions, request: ModelRequest, refused: ReadonlySet<string>): Body {
  const { name } = options;
  const can = options.capabilities();
  const bound = outputBound(can, request.outputTokens, options.maxOutputTokens);
  const cached = refused.has('cache_control') ? {} : CACHED;
  const tools = request.tools.map(({ name: tool, description, parameters }, index): Tool => ({
    name: tool,
    description,
    input_schema: { ...parameters, type: 'object' },
    // A mark covers everything before it.
    ...(index === request.tools.length - 1 ? cached : {}),
  }));
  return {
    model: name,
    stream: true,
    max_tokens: bound,
    ...(request.instructions === ''
      ? {}
      : { system: [{ type: 'text', text: request.instructions, ...cached }] }),
    ...thinkingOf({ name, can, bound }, request, refused),
    messages: withMarks(
      withEnd(mergeRoles(request.input.map((entry) => messageOf(entry, `${FORMAT}/${name}`)))),
      cached,
    ),
    ...(tools.length > 0 ? { tools, tool_choice: toolChoice(request.toolChoice) } : {}),
  };
}

/** The least that the API takes. */
const LEAST_BUDGET = 1_024;

/** The API has no word below low. */
const isWord = (effort: Effort): effort is Exclude<Effort, 'none' | 'minimal'> =>
  effort !== 'none' && effort !== 'minimal';

/** Thoughts are asked for with an effort only: they are paid for. The API knows no temperature any more. */
function thinkingOf(
  { name, can, bound }: { readonly name: string; readonly can: Capabilities; readonly bound: number },
  request: ModelRequest,
  refused: ReadonlySet<string>,
): Partial<Body> {
  const effort = request.sampling?.reasoning ?? null;
  // A tool cannot be forced on a model that thinks.
  const thinks = effort !== null && !refused.has('thinking') && typeof request.toolChoice === 'string';
  if (effort === null) return {};
  const { efforts, reasons, thinking } = can;
  const accepted = effortFor(effort, efforts);
  if (accepted === null) return {};
  if (thinking !== 'budget') {
    return {
      ...(thinks && reasons !== false && { thinking: { type: 'adaptive', display: 'summarized' } }),
      ...(isWord(accepted) && !refused.has('output_config') && { output_config: { effort: accepted } }),
    };
  }
  const budget_tokens = thinkingBudget(effort, bound, LEAST_BUDGET);
  if (!thinks || budget_tokens >= bound || !canThinkOn(request, `${FORMAT}/${name}`)) return {};
  return { thinking: { type: 'enabled', budget_tokens } };
}

/** These models refuse to go on thinking behind rounds of this turn that do not begin with thoughts of their own. */
function canThinkOn({ input }: ModelRequest, self: string): boolean {
  const asked = input.findLastIndex(({ type }) => type === 'assistant');
  return input.slice(asked + 1).every((entry) => {
    if (entry.type !== 'round') return true;
    const [first] = entry.provider === self ? (entry.items as ContentBlockParam[]) : [];
    return first?.type === 'thinking' || first?.type === 'redacted_thinking';
  });
}

const toolChoice = (choice: ToolChoice): AnthropicToolChoice =>
  typeof choice === 'string' ? { type: choice } : { type: 'tool', name: choice.tool };

type BlockMessage = { readonly role: 'user' | 'assistant'; readonly content: ContentBlockParam[] };

/**
 * A mark on the newest message and on the one of the user before it: the next request reads the cache up to here, even
 * where this response adds more blocks than the provider looks back over.
 */
function withMarks(messages: readonly BlockMessage[], mark: typeof CACHED | object): MessageParam[] {
  const marked = messages.flatMap(({ role }, at) => (role === 'user' ? [at] : [])).slice(-2);
  return messages.map(({ role, content }, at) => {
    const last = content.at(-1);
    if (last === undefined || !marked.includes(at)) return { role, content };
    return { role, content: [...content.slice(0, -1), { ...last, ...mark }] };
  });
}

/** Roles alternate: all outputs of a round and the text after them are one message. */
function mergeRoles(messages: readonly BlockMessage[]): readonly BlockMessage[] {
  const merged: BlockMessage[] = [];
  for (const { role, content } of messages) {
    const last = merged.at(-1);
    if (last?.role === role) last.content.push(...content);
    else if (content.length > 0) merged.push({ role, content: [...content] });
  }
  return merged;
}

/** Words of the model that are to go on may not end with a space. */
function withEnd(messages: readonly BlockMessage[]): readonly BlockMessage[] {
  const last = messages.at(-1);
  const block = last?.content.at(-1);
  if (last?.role !== 'assistant' || block?.type !== 'text') return messages;
  const content = [...last.content.slice(0, -1), ...textBlocks(block.text.trimEnd())];
  return [...messages.slice(0, -1), ...(content.length > 0 ? [{ ...last, content }] : [])];
}

/** Only items that `self` produced are sent back unchanged. */
function messageOf(input: ModelInput, self: string): BlockMessage {
  switch (input.type) {
    case 'user':
      return { role: 'user', content: [...imageBlocks(input), ...textBlocks(input.text)] };
    case 'assistant':
      return { role: 'assistant', content: textBlocks(input.text) };
    case 'tool-output':
      return {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: input.callId, content: input.output }],
      };
    case 'round':
      // Items of this provider were content blocks of this very API; they are opaque to everyone between.
      return {
        role: 'assistant',
        content:
          input.provider === self
            ? (input.items as ContentBlockParam[]).filter(
                (block) => block.type !== 'text' || !isBlank(block.text),
              )
            : neutralRound(input),
      };
    default:
      return input satisfies never;
  }
}

/** The API refuses text blocks without text. */
const isBlank = (text: string): boolean => text.trim() === '';
const textBlocks = (text: string): ContentBlockParam[] => (isBlank(text) ? [] : [{ type: 'text', text }]);

const imageBlocks = ({ images = [] }: Extract<ModelInput, { type: 'user' }>): ContentBlockParam[] =>
  images.map(({ mediaType, data }) => ({
    type: 'image',
    source: { type: 'base64', media_type: mediaType, data },
  }));

const neutralRound = ({ text, calls }: Extract<ModelInput, { type: 'round' }>): ContentBlockParam[] => [
  ...textBlocks(text),
  ...calls.map(callBlock),
];

const callBlock = ({ callId, name, arguments: args }: ModelCall) => ({
  type: 'tool_use' as const,
  id: callId,
  name,
  input: argumentsObject(args),
});
