/** One response of a model, said the same over each API: what differs is the wire alone. */
import type { AdapterKind } from './adapters.ts';
import { anthropicBody, callBlock, textBlock, thinkingBlock } from './anthropic-streams.ts';
import { frames } from './model-server.ts';

/** The adapters that differ on the wire. */
export const WIRES = [
  'responses',
  'chat',
  'anthropic',
  'gemini',
  'ollama',
] as const satisfies readonly AdapterKind[];
/** One of {@link WIRES}. */
export type WireKind = (typeof WIRES)[number];

/** A part of a response. `unheard` is something that no version of the API has yet. */
export type Said =
  | { readonly thought: string }
  | { readonly text: string }
  | { readonly refusal: string }
  | { readonly call: readonly [id: string, name: string, args: string] }
  | { readonly unheard: string };

/** Why a response ends. */
export type SaidEnd = 'end' | 'length' | 'filter';

/** Tokens of a response: input that was neither cached nor written to the cache, and the rest of it. */
export type SaidUsage = {
  readonly fresh: number;
  readonly cached: number;
  readonly written: number;
  readonly output: number;
};

/** The body of a response with these parts, in their order. */
export function bodyOf(
  kind: WireKind,
  said: readonly Said[],
  end: SaidEnd = 'end',
  usage: SaidUsage | null = null,
): string {
  switch (kind) {
    case 'responses':
      return frames(...said.flatMap(responsesEvents), responsesEnd(end, usage));
    case 'chat':
      return `${frames(...said.map(chatChunk), chunk({}, chatEnd(said, end)), ...chatUsage(usage))}data: [DONE]\n\n`;
    case 'anthropic':
      return anthropicBodyOf(said, end, usage);
    case 'gemini':
      return geminiBody(said, end, usage);
    case 'ollama':
      return ollamaBody(said, end, usage);
    default:
      return kind satisfies never;
  }
}

function responsesEvents(part: Said, index: number): readonly object[] {
  const done = (item: object) => ({ type: 'response.output_item.done', output_index: index, item });
  if ('text' in part) {
    const delta = { type: 'response.output_text.delta', output_index: index, delta: part.text };
    return [delta, done(responsesMessage(part.text))];
  }
  if ('refusal' in part)
    return [{ type: 'response.refusal.delta', output_index: index, delta: part.refusal }];
  if ('thought' in part)
    return [done({ type: 'reasoning', id: 'r', summary: [], encrypted_content: part.thought })];
  if ('unheard' in part) return [done({ type: 'unheard_of', id: 'u', words: part.unheard })];
  const [call_id, name, args] = part.call;
  return [done({ type: 'function_call', id: `f_${call_id}`, call_id, name, arguments: args })];
}

/** A message as an output item. */
export const responsesMessage = (text: string) => ({
  type: 'message',
  id: 'm',
  role: 'assistant',
  content: [{ type: 'output_text', text }],
});

const SOME_USAGE = { input_tokens: 100, output_tokens: 20, total_tokens: 120 };
const inputOf = ({ fresh, cached, written }: SaidUsage): number => fresh + cached + written;
const responsesUsage = (usage: SaidUsage | null) =>
  usage === null
    ? SOME_USAGE
    : {
        input_tokens: inputOf(usage),
        input_tokens_details: { cached_tokens: usage.cached },
        output_tokens: usage.output,
        total_tokens: inputOf(usage) + usage.output,
      };
const chatUsage = (usage: SaidUsage | null): readonly object[] =>
  usage === null
    ? []
    : [
        {
          choices: [],
          usage: {
            prompt_tokens: inputOf(usage),
            completion_tokens: usage.output,
            prompt_tokens_details: { cached_tokens: usage.cached },
          },
        },
      ];
const REASONS = { length: 'max_output_tokens', filter: 'content_filter' };

const responsesEnd = (end: SaidEnd, counted: SaidUsage | null) => {
  const more = { output: [], usage: responsesUsage(counted) };
  if (end === 'end') return { type: 'response.completed', response: { status: 'completed', ...more } };
  const incomplete_details = { reason: REASONS[end] };
  return { type: 'response.incomplete', response: { status: 'incomplete', incomplete_details, ...more } };
};

const chunk = (delta: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason }],
});

function chatChunk(part: Said, index: number): object {
  if ('text' in part) return chunk({ content: part.text });
  if ('refusal' in part) return chunk({ refusal: part.refusal });
  if ('thought' in part) return chunk({ reasoning_content: part.thought });
  if ('unheard' in part) return chunk({ unheard_of: part.unheard });
  const [id, name, args] = part.call;
  return chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: args } }] });
}

function chatEnd(said: readonly Said[], end: SaidEnd): string {
  if (end !== 'end') return { length: 'length', filter: 'content_filter' }[end];
  return said.some((part) => 'call' in part) ? 'tool_calls' : 'stop';
}

/** This API has no words of refusal: the text before the stop reason is them. */
function anthropicBodyOf(said: readonly Said[], end: SaidEnd, usage: SaidUsage | null): string {
  const body = anthropicBodyOfKind(said, end);
  if (usage === null) return body;
  const input = {
    input_tokens: usage.fresh,
    cache_creation_input_tokens: usage.written,
    cache_read_input_tokens: usage.cached,
  };
  return body
    .replace(
      /"usage":\{"input_tokens".*?\}/u,
      JSON.stringify({ usage: { ...input, output_tokens: 1 } }).slice(1, -1),
    )
    .replace('"usage":{"output_tokens":42}', `"usage":{"output_tokens":${usage.output}}`);
}

function anthropicBodyOfKind(said: readonly Said[], end: SaidEnd): string {
  const blocks = said.map((part, index) => {
    if ('text' in part) return textBlock(index, part.text);
    if ('refusal' in part) return textBlock(index, part.refusal);
    if ('thought' in part) return thinkingBlock(index, part.thought, 'c2lnbmVk');
    if ('unheard' in part) return unheardBlock(index, part.unheard);
    return callBlock(index, ...part.call);
  });
  if (end === 'filter') return anthropicBody('refusal', ...blocks);
  if (said.some((part) => 'refusal' in part)) return anthropicBody('refusal', ...blocks);
  if (end === 'length') return anthropicBody('max_tokens', ...blocks);
  return anthropicBody(said.some((part) => 'call' in part) ? 'tool_use' : 'end_turn', ...blocks);
}

const unheardBlock = (index: number, words: string) => [
  { type: 'content_block_start', index, content_block: { type: 'unheard_of', words } },
  { type: 'content_block_stop', index },
];

/**
 * After the API's reference (ai.google.dev/api/generate-content) and streams that other projects recorded: a signature
 * at the first call, an empty part at the end. This API has no words of refusal.
 */
function geminiBody(said: readonly Said[], end: SaidEnd, usage: SaidUsage | null): string {
  const { fresh, cached, written, output } = usage ?? { fresh: 60, cached: 40, written: 0, output: 20 };
  const usageMetadata = {
    promptTokenCount: fresh + cached + written,
    cachedContentTokenCount: cached,
    candidatesTokenCount: output - 5,
    thoughtsTokenCount: 5,
  };
  const event = (part: object, more: object = {}) => ({
    candidates: [{ content: { parts: [part], role: 'model' }, index: 0, ...more }],
    usageMetadata,
    modelVersion: 'gemini-3.8-flash',
    responseId: 'r1',
  });
  const firstCall = said.findIndex((part) => 'call' in part);
  const parts = said.map((part, index) => {
    if ('text' in part) return event({ text: part.text });
    if ('refusal' in part) return event({ text: part.refusal });
    if ('thought' in part) return event({ text: part.thought, thought: true });
    if ('unheard' in part) return event({ unheardOf: part.unheard });
    const [id, name, args] = part.call;
    const signed = index === firstCall ? { thoughtSignature: 'c2lnbmVk' } : {};
    return event({ functionCall: { id, name, args: JSON.parse(args) as object }, ...signed });
  });
  const finishReason = { end: 'STOP', length: 'MAX_TOKENS', filter: 'SAFETY' }[end];
  return frames(...parts, event({ text: '' }, { finishReason }));
}

/** After Ollama's documentation (docs.ollama.com/api/chat): a line for each event. It has no words of refusal. */
function ollamaBody(said: readonly Said[], end: SaidEnd, usage: SaidUsage | null): string {
  const { fresh, cached, written, output } = usage ?? { fresh: 100, cached: 0, written: 0, output: 20 };
  const line = (more: object) => ({ model: 'm', created_at: '2026-11-01T00:00:00Z', done: false, ...more });
  const message = (more: object) => line({ message: { role: 'assistant', content: '', ...more } });
  const lines = said.map((part) => {
    if ('text' in part) return message({ content: part.text });
    if ('refusal' in part) return message({ content: part.refusal });
    if ('thought' in part) return message({ thinking: part.thought });
    if ('unheard' in part) return line({ unheard_of: part.unheard });
    const [id, name, args] = part.call;
    const called = { name, arguments: JSON.parse(args) as object };
    return message({ tool_calls: [{ id, function: called }] });
  });
  const last = message({});
  const done = {
    done: true,
    done_reason: end === 'length' ? 'length' : 'stop',
    prompt_eval_count: fresh + cached + written,
    eval_count: output,
  };
  return [...lines, { ...last, ...done }].map((each) => `${JSON.stringify(each)}\n`).join('');
}
