import type { Response, ResponseOutputItem, ResponseStreamEvent } from 'openai/resources/responses/responses';
import type { FinishReason, ModelCall, ModelEvent } from '../../model.ts';
import { StreamFault } from '../shared/provider-errors.ts';
import { countedUsage } from '../shared/provider-model.ts';

/** What is known of a response while it streams; everything is keyed by output index, for item ids are not reliable. */
type Decoding = {
  readonly items: Map<number, ResponseOutputItem>;
  /** Calls announced whose arguments are still coming. */
  readonly openCalls: Map<number, { readonly callId: string; readonly name: string }>;
  readonly calls: Set<number>;
  /** Output index of the item that was announced last, for servers that leave it out elsewhere; -1 before the first. */
  latest: number;
  /** Output index of the message with the latest text; null before any. */
  speaking: number | null;
  readonly spoken: Set<number>;
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
    openCalls: new Map(),
    calls: new Set(),
    latest: -1,
    speaking: null,
    spoken: new Set(),
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
  } else if (event.type === 'response.output_item.added' && event.item.type === 'function_call') {
    state.openCalls.set(index, { callId: event.item.call_id, name: event.item.name });
  } else if (event.type === 'response.function_call_arguments.done') {
    const open = state.openCalls.get(index);
    if (open !== undefined) yield* emitCall(state, index, { ...open, arguments: event.arguments });
  } else if (event.type === 'response.output_item.done') {
    yield* completeItem(state, index, event.item);
  } else if (event.type === 'response.failed') {
    throw failure(event.response);
  }
}

/** The item that an event is about; without an index, items come one after the other. */
function indexOf(state: Decoding, event: ResponseStreamEvent): number {
  const given: number | undefined = 'output_index' in event ? event.output_index : undefined;
  if (event.type === 'response.output_item.added') state.latest = given ?? state.latest + 1;
  return given ?? Math.max(0, state.latest);
}

function* completeItem(state: Decoding, index: number, item: ResponseOutputItem): Generator<ModelEvent> {
  state.items.set(index, item);
  if (item.type === 'function_call') {
    yield* emitCall(state, index, { callId: item.call_id, name: item.name, arguments: item.arguments });
  }
  if (item.type !== 'message' || state.spoken.has(index)) return;
  for (const part of item.content) {
    if (part.type === 'output_text') yield* speak(state, index, 'text', part.text);
    else yield* speak(state, index, 'refusal', part.refusal);
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
  state.spoken.add(index);
  if (type === 'refusal') state.refused = true;
  yield { type, text: words };
}

function* emitCall(state: Decoding, index: number, call: ModelCall): Generator<ModelEvent> {
  if (state.calls.has(index)) return;
  state.calls.add(index);
  yield { type: 'call', call };
}

function* finish(state: Decoding, response: Response): Generator<ModelEvent> {
  if (response.status === 'failed') throw failure(response);
  for (const [index, item] of response.output.entries()) {
    if (!state.items.has(index)) yield* completeItem(state, index, item);
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
