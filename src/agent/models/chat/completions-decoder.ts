import type OpenAI from 'openai';
import { Stream } from 'openai/core/streaming';
import type { FinishReason, ModelEvent, ModelUsage } from '../../model.ts';
import { createCallAssembly, type CallAssembly } from './calls.ts';
import {
  chatChunk,
  THOUGHT_FIELDS,
  type ChatChunk,
  type ChatDelta,
  type ReasoningDetail,
  type ThoughtField,
} from './chunks.ts';
import { errorOfFrame } from '../shared/error-body.ts';
import { StreamFault } from '../shared/provider-errors.ts';
import { countedUsage } from '../shared/provider-model.ts';
import { createThinkTagFilter, type ThinkTagFilter } from './think-tags.ts';

/** The one item of a response: the message that goes back with the next round. */
export type ChatItem = {
  readonly role: 'assistant';
  readonly content: string;
  readonly tool_calls: readonly {
    readonly id: string;
    readonly type: 'function';
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
  /** Instead of the fields below where the server sends both. */
  readonly reasoning_details?: readonly ReasoningDetail[];
} & { readonly [Field in ThoughtField]?: string };

type Decoding = {
  readonly filter: ThinkTagFilter;
  readonly calls: CallAssembly;
  readonly thoughts: Partial<Record<ThoughtField, string>>;
  readonly details: ReasoningDetail[];
  text: string;
  refused: boolean;
  /** The reason that the server gave; null before it. */
  finish: string | null;
  usage: ModelUsage | null;
};

/** Finish reasons that mean a failure of the server, whatever came before. */
const FAILED = new Set(['error', 'insufficient_system_resource']);

/**
 * Turns the stream into model events. A call is emitted once its arguments are a whole object, or at the end.
 * Ends without `finished` where neither a finish reason nor the last line came. The client lends its log settings only.
 */
export async function* decodeChat(response: Response, client: OpenAI): AsyncGenerator<ModelEvent> {
  const watched = watchEnd(response);
  const chunks = Stream.fromSSEResponse<unknown>(watched.response, new AbortController(), client);
  const state: Decoding = {
    filter: createThinkTagFilter(),
    calls: createCallAssembly(),
    thoughts: {},
    details: [],
    text: '',
    refused: false,
    finish: null,
    usage: null,
  };
  try {
    for await (const chunk of chunks) {
      const error = errorOfFrame(chunk);
      if (error !== null) throw failure(error.message, error);
      yield* readChunk(state, chatChunk.parse(chunk));
    }
  } catch (error) {
    // Behind the finish reason only the usage comes; the answer is whole without it. Where there is no answer, the
    // reason was the failure: gateways report a refused request as `length`, then as an error.
    const isEmpty = state.text === '' && !state.refused && state.calls.calls.length === 0;
    if (state.finish === null || isEmpty) throw error;
  }
  if (state.finish === null && !watched.isDone()) return;
  yield* emitText(state, state.filter.end());
  for (const call of state.calls.close()) yield { type: 'call', call };
  yield { type: 'finished', reason: finishReason(state), usage: state.usage, items: [itemOf(state)] };
}

function* readChunk(state: Decoding, chunk: ChatChunk): Generator<ModelEvent> {
  if (chunk.usage != null) state.usage = usageOf(chunk.usage);
  const choice = chunk.choices?.find(({ index }) => (index ?? 0) === 0);
  // Some servers repeat their last words once they have finished.
  if (choice === undefined || state.finish !== null) return;
  if (choice.delta != null) yield* readDelta(state, choice.delta);
  const reason = choice.finish_reason ?? '';
  if (FAILED.has(reason)) throw failure(`the server ended it with ${reason}`);
  if (reason !== '') state.finish = reason;
}

function* readDelta(state: Decoding, delta: ChatDelta): Generator<ModelEvent> {
  const field = THOUGHT_FIELDS.find((name) => (delta[name] ?? '') !== '');
  if (field !== undefined) state.thoughts[field] = (state.thoughts[field] ?? '') + (delta[field] ?? '');
  const details = delta.reasoning_details ?? [];
  for (const detail of details) addDetail(state.details, detail);
  // The details hold the same words again.
  const shown = field === undefined ? details.map(wordsOf).join('') : (delta[field] ?? '');
  yield* think(shown + delta.content.thought);
  const { answer, thought } = state.filter.add(delta.content.text);
  yield* think(thought);
  yield* emitText(state, answer);
  if (delta.refusal != null && delta.refusal !== '') {
    state.refused = true;
    yield { type: 'refusal', text: delta.refusal };
  }
  const fragments = [
    ...(delta.tool_calls ?? []),
    // The form that tool calls replaced: one call, without an id.
    ...(delta.function_call == null ? [] : [{ index: 0, function: delta.function_call }]),
  ];
  for (const { index, id, type: _type, function: called, ...extra } of fragments) {
    const calls = state.calls.add({
      index: index ?? null,
      id: id == null || id === '' ? null : id,
      name: called?.name ?? null,
      arguments: called?.arguments ?? '',
      extra,
    });
    for (const call of calls) yield { type: 'call', call };
  }
}

function* think(text: string): Generator<ModelEvent> {
  if (text !== '') yield { type: 'thinking', kind: 'thought', text };
}

const wordsOf = ({ text, summary }: ReasoningDetail): string => text ?? summary ?? '';

/** Words continue the detail before them, which may get its signature last; an encrypted detail is complete by itself. */
function addDetail(details: ReasoningDetail[], detail: ReasoningDetail): void {
  const last = details.at(-1);
  const isMore = last?.type === detail.type && last.index === detail.index;
  if (!isMore || (detail.text == null && detail.summary == null && 'data' in detail)) {
    details.push(detail);
    return;
  }
  const given = Object.entries(detail).filter(([, value]) => value != null);
  details[details.length - 1] = {
    ...last,
    ...Object.fromEntries(given),
    ...(detail.text != null && { text: (last.text ?? '') + detail.text }),
    ...(detail.summary != null && { summary: (last.summary ?? '') + detail.summary }),
  };
}

function* emitText(state: Decoding, text: string): Generator<ModelEvent> {
  if (text === '') return;
  state.text += text;
  yield { type: 'text', text };
}

function finishReason({ finish, refused, calls }: Decoding): FinishReason {
  if (finish === 'length' || finish === 'max_tokens') return 'length';
  if (finish === 'content_filter') return 'filtered';
  if (refused) return 'refused';
  return calls.calls.length > 0 ? 'calls' : 'stop';
}

function itemOf({ text, thoughts, details, calls }: Decoding): ChatItem {
  return {
    role: 'assistant',
    content: text,
    ...(details.length > 0 ? { reasoning_details: details } : thoughts),
    tool_calls: calls.calls.map(({ callId, name, arguments: args, extra }) => ({
      ...extra,
      id: callId,
      type: 'function',
      function: { name, arguments: args },
    })),
  };
}

function usageOf(usage: NonNullable<ChatChunk['usage']>): ModelUsage | null {
  return countedUsage({
    inputTokens: usage.prompt_tokens,
    outputTokens: usage.completion_tokens,
    cachedTokens: usage.prompt_tokens_details?.cached_tokens ?? usage.prompt_cache_hit_tokens ?? 0,
  });
}

const failure = (detail: string, error: unknown = null): StreamFault =>
  new StreamFault(detail, 'server_error', error);

/** The last line of a stream. The SDK keeps it to itself. */
const DONE_LINE = /[\r\n]data: ?\[DONE\]/;
const TAIL_LENGTH = 64;

/**
 * The same response, and whether `[DONE]` has come: without it, an end looks the same as a connection that was cut
 * between two events. Reading the returned response reads the given one; cancelling it cancels the given one.
 */
function watchEnd(response: Response): { readonly response: Response; readonly isDone: () => boolean } {
  const decoder = new TextDecoder('latin1');
  let tail = '\n';
  let done = false;
  const watch = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      tail += decoder.decode(chunk);
      done ||= DONE_LINE.test(tail);
      tail = tail.slice(-TAIL_LENGTH);
      controller.enqueue(chunk);
    },
  });
  const { status, headers } = response;
  const body = response.body?.pipeThrough(watch) ?? null;
  return { response: new Response(body, { status, headers }), isDone: () => done };
}
