import { randomUUID } from 'node:crypto';
import type {
  Response,
  ResponseFunctionToolCall,
  ResponseOutputItem,
  ResponseOutputMessage,
  ResponseReasoningItem,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses';
import type { FinishReason, ModelCall, ModelEvent, ThinkingKind } from '../../model.ts';
import { StreamFault } from '../shared/provider-errors.ts';
import { countedUsage } from '../shared/provider-model.ts';

/** What is known of a response while it streams; everything is keyed by output index, for item ids are not reliable. */
type Decoding = {
  readonly items: Map<number, ResponseOutputItem>;
  /** Items announced, by their types. */
  readonly announced: Map<number, ResponseOutputItem['type']>;
  /** Calls announced whose arguments are still coming. */
  readonly openCalls: Map<number, { readonly callId: string; readonly name: string }>;
  readonly calls: Set<number>;
  /** Output index of the item that was announced last, for servers that leave it out elsewhere; -1 before the first. */
  latest: number;
  /** Output index of the message with the latest text; null before any. */
  speaking: number | null;
  /** Characters emitted of each message. */
  readonly spoken: Map<number, string>;
  /** Items whose thinking was emitted, and the part of it with the latest words. */
  readonly thought: Set<number>;
  thinking: string | null;
  refused: boolean;
};

/**
 * Turns the API's stream events into model events. Unknown events are ignored; a call is emitted once, as soon as its
 * arguments are complete; text without deltas is emitted when its message is done. Ends without `finished` where
 * the stream does.
 */
export async function* decodeResponse(
  events: AsyncIterable<ResponseStreamEvent>,
): AsyncGenerator<ModelEvent> {
  const state: Decoding = {
    items: new Map(),
    announced: new Map(),
    openCalls: new Map(),
    calls: new Set(),
    latest: -1,
    speaking: null,
    spoken: new Map(),
    thought: new Set(),
    thinking: null,
    refused: false,
  };
  for await (const event of events) {
    if (event.type === 'response.completed' || event.type === 'response.incomplete') {
      yield* finish(state, event.response);
      return;
    }
    yield* decodeEvent(state, event);
  }
}

function* decodeEvent(state: Decoding, event: ResponseStreamEvent): Generator<ModelEvent> {
  const index = indexOf(state, event);
  if (event.type === 'response.output_text.delta') {
    yield* speak(state, index, 'text', event.delta);
  } else if (event.type === 'response.refusal.delta') {
    yield* speak(state, index, 'refusal', event.delta);
  } else if (event.type === 'response.reasoning_summary_text.delta') {
    yield* think(state, index, 'summary', event.summary_index, event.delta);
  } else if (event.type === 'response.reasoning_text.delta') {
    yield* think(state, index, 'thought', event.content_index, event.delta);
  } else if (event.type === 'response.output_item.added') {
    const { item } = event;
    state.announced.set(index, item.type);
    if (item.type === 'function_call') {
      const { call_id: callId, name } = withId(state, index, item);
      state.openCalls.set(index, { callId, name });
    }
  } else if (event.type === 'response.function_call_arguments.done') {
    const open = state.openCalls.get(index);
    if (open !== undefined) yield* emitCall(state, index, { ...open, arguments: event.arguments });
  } else if (event.type === 'response.output_item.done') {
    yield* completeItem(state, index, event.item);
  } else if (event.type === 'response.failed') {
    throw failure(event.response);
  }
}

/** Servers of open models leave out what their model did not write; a call without an id gets one, the same each time. */
function withId({ openCalls }: Decoding, index: number, item: Partial<ResponseFunctionToolCall>) {
  const given = item.call_id ?? '';
  const call_id = given === '' ? (openCalls.get(index)?.callId ?? `call_${randomUUID()}`) : given;
  return { call_id, name: item.name ?? '', arguments: item.arguments ?? '' };
}

/** The item that an event is about; without an index, items come one after the other. */
function indexOf(state: Decoding, event: ResponseStreamEvent): number {
  const given: number | undefined = 'output_index' in event ? event.output_index : undefined;
  if (event.type === 'response.output_item.added') state.latest = given ?? state.latest + 1;
  return given ?? Math.max(0, state.latest);
}

function* completeItem(state: Decoding, index: number, given: ResponseOutputItem): Generator<ModelEvent> {
  const item = given.type === 'function_call' ? { ...given, ...withId(state, index, given) } : given;
  state.items.set(index, item);
  if (item.type === 'function_call') {
    yield* emitCall(state, index, { callId: item.call_id, name: item.name, arguments: item.arguments });
  }
  if (item.type === 'reasoning') yield* thinkAtOnce(state, index, item);
  if (item.type === 'message') yield* completeMessage(state, index, item);
}

/** Says what the deltas of a message left out: all of it, or its end. */
function* completeMessage(
  state: Decoding,
  index: number,
  { content }: ResponseOutputMessage,
): Generator<ModelEvent> {
  const spoken = state.spoken.get(index) ?? '';
  if (!content.map(wordsIn).join('').startsWith(spoken)) return;
  let left = spoken.length;
  for (const part of content) {
    const words = wordsIn(part);
    yield* speak(state, index, part.type === 'output_text' ? 'text' : 'refusal', words.slice(left));
    left = Math.max(0, left - words.length);
  }
}

function* speak(
  state: Decoding,
  index: number,
  type: 'text' | 'refusal',
  words: string,
): Generator<ModelEvent> {
  if (words === '') return;
  if (state.speaking !== null && state.speaking !== index) yield { type: 'text', text: '\n\n' };
  state.speaking = index;
  state.spoken.set(index, (state.spoken.get(index) ?? '') + words);
  if (type === 'refusal') state.refused = true;
  yield { type, text: words };
}

function* think(
  state: Decoding,
  index: number,
  kind: ThinkingKind,
  part: number,
  text: string,
): Generator<ModelEvent> {
  if (text === '') return;
  const place = `${index}.${kind}.${part}`;
  const isNew = state.thinking !== null && state.thinking !== place;
  state.thinking = place;
  state.thought.add(index);
  yield { type: 'thinking', kind, text, ...(isNew && { isNew }) };
}

/** Thinking that came without deltas. */
function* thinkAtOnce(state: Decoding, index: number, item: ResponseReasoningItem): Generator<ModelEvent> {
  if (state.thought.has(index)) return;
  const summary: ResponseReasoningItem['summary'] | undefined = item.summary;
  for (const [part, { text }] of (summary ?? []).entries()) yield* think(state, index, 'summary', part, text);
  for (const [part, { text }] of (item.content ?? []).entries()) {
    yield* think(state, index, 'thought', part, text);
  }
}

function* emitCall(state: Decoding, index: number, call: ModelCall): Generator<ModelEvent> {
  if (state.calls.has(index)) return;
  state.calls.add(index);
  yield { type: 'call', call };
}

function* finish(state: Decoding, response: Response): Generator<ModelEvent> {
  if (response.status === 'failed') throw failure(response);
  for (const item of unseen(state, response.output)) {
    yield* completeItem(state, placeOf(state, item, response.output.indexOf(item)), item);
  }
  const { usage } = response;
  yield {
    type: 'finished',
    reason: finishReason(state, response),
    usage:
      usage == null
        ? null
        : countedUsage({
            inputTokens: usage.input_tokens,
            outputTokens: usage.output_tokens,
            cachedTokens: usage.input_tokens_details?.cached_tokens ?? 0,
          }),
    items: [...state.items].toSorted(([a], [b]) => a - b).map(([, item]) => item),
  };
}

/** Items of the whole response that the stream did not bring: its list has no gaps, while output indexes may. */
function unseen({ items }: Decoding, output: readonly ResponseOutputItem[]): readonly ResponseOutputItem[] {
  const seen = [...items.values()];
  return output.filter((item) => {
    const byId = seen.findIndex(({ id }) => id !== undefined && id === item.id);
    const at = byId === -1 ? seen.findIndex((other) => isSameItem(item, other)) : byId;
    if (at === -1) return true;
    seen.splice(at, 1);
    return false;
  });
}

/** Whether an item under another id, or without one, is the same. */
function isSameItem(item: ResponseOutputItem, other: ResponseOutputItem): boolean {
  if (item.type === 'function_call') return other.type === item.type && other.call_id === item.call_id;
  if (item.type === 'message') return other.type === item.type && wordsOf(other) === wordsOf(item);
  return other.type === item.type;
}

const wordsOf = ({ content }: ResponseOutputMessage): string => content.map(wordsIn).join('\n');

const wordsIn = (part: ResponseOutputMessage['content'][number]): string =>
  part.type === 'output_text' ? part.text : part.refusal;

/** The index under which a part of the item came: the first open one of its type; else its place, where that is free. */
function placeOf(
  { items, announced, spoken }: Decoding,
  { type }: ResponseOutputItem,
  place: number,
): number {
  const known = [...new Set([...announced.keys(), ...spoken.keys()])].toSorted((a, b) => a - b);
  const open = known.find((index) => !items.has(index) && (announced.get(index) ?? 'message') === type);
  if (open !== undefined) return open;
  return items.has(place) || known.includes(place) ? Math.max(...known, ...items.keys()) + 1 : place;
}

/** Some servers send `response.completed` with the status `incomplete`, so the status decides. */
function finishReason(state: Decoding, response: Response): FinishReason {
  if (response.status === 'incomplete') {
    return response.incomplete_details?.reason === 'content_filter' ? 'filtered' : 'length';
  }
  if (state.refused) return 'refused';
  return state.calls.size > 0 ? 'calls' : 'stop';
}

const failure = ({ error }: Response): StreamFault =>
  new StreamFault(error?.message ?? 'no reason given', error?.code ?? null);
