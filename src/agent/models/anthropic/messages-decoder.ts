import { randomUUID } from 'node:crypto';
import type {
  ContentBlock,
  RawContentBlockDelta,
  RawContentBlockStartEvent,
  RawMessageStreamEvent,
  RefusalStopDetails,
  StopReason,
  ToolUseBlock,
} from '@anthropic-ai/sdk/resources/messages';
import type { FinishReason, ModelCall, ModelEvent, ModelUsage } from '../../model.ts';
import { argumentsObject } from '../shared/call-arguments.ts';
import { countedUsage } from '../shared/provider-model.ts';

/** A block of the message while it streams; a call's input comes as text and is parsed at its end. */
type OpenBlock = { readonly block: ContentBlock; inputJson: string };

type Decoding = {
  readonly blocks: Map<number, OpenBlock>;
  /** Indexes of the blocks that are complete. */
  readonly closed: Set<number>;
  /** Index of the block that began last; -1 before the first. */
  latest: number;
  /** Index of the block with the latest text; null before any. */
  speaking: number | null;
  /** The same of thoughts. */
  thinking: number | null;
  stop: StopReason | null;
  stopDetails: RefusalStopDetails | null;
  /** Tokens of the prompt that were neither read from the cache nor written to it, and those that were. */
  fresh: number;
  cacheRead: number;
  cacheWritten: number;
  output: number;
};

/**
 * Turns the API's stream events into model events. Unknown events and blocks are ignored; a call is emitted when its
 * block is complete. Ends without `finished` where the stream does before a stop reason.
 */
export async function* decodeMessage(
  events: AsyncIterable<RawMessageStreamEvent>,
): AsyncGenerator<ModelEvent> {
  const state: Decoding = {
    blocks: new Map(),
    closed: new Set(),
    latest: -1,
    speaking: null,
    thinking: null,
    stop: null,
    stopDetails: null,
    fresh: 0,
    cacheRead: 0,
    cacheWritten: 0,
    output: 0,
  };
  try {
    for await (const event of events) {
      if (event.type === 'message_stop') break;
      yield* decodeEvent(state, event);
    }
  } catch (error) {
    // The stop reason comes with the last usage; the message is whole without its end.
    if (state.stop === null) throw error;
  }
  if (state.stop !== null) yield* finish(state, state.stop);
}

function* decodeEvent(state: Decoding, event: RawMessageStreamEvent): Generator<ModelEvent> {
  switch (event.type) {
    case 'message_start':
      countInput(state, event.message.usage);
      break;
    case 'content_block_start':
      yield* open(state, event);
      break;
    case 'content_block_delta':
      yield* extend(state, indexOf(state, event), event.delta);
      break;
    case 'content_block_stop':
      yield* close(state, indexOf(state, event));
      break;
    case 'message_delta':
      countInput(state, event.usage);
      state.output = event.usage.output_tokens;
      state.stop = event.delta.stop_reason ?? state.stop;
      state.stopDetails = event.delta.stop_details ?? state.stopDetails;
      break;
    case 'message_stop':
    // Newer kinds of events are ignored.
    default:
  }
}

/** The block that an event is about; without an index, blocks come one after the other. */
function indexOf(state: Decoding, event: { readonly index?: number }): number {
  return event.index ?? Math.max(0, state.latest);
}

function* open(state: Decoding, event: RawContentBlockStartEvent): Generator<ModelEvent> {
  const given: number | undefined = event.index;
  const index = given ?? state.latest + 1;
  state.latest = index;
  if (state.blocks.has(index)) return;
  state.blocks.set(index, { block: withId(event.content_block), inputJson: '' });
  if (event.content_block.type === 'text') yield* speak(state, index, event.content_block.text);
  if (event.content_block.type === 'thinking') yield* think(state, index, event.content_block.thinking);
}

/** Gateways leave out what the model did not write; a call without an id gets one. */
function withId(block: ContentBlock): ContentBlock {
  if (block.type !== 'tool_use') return { ...block };
  const { id, name }: { readonly id?: string; readonly name?: string } = block;
  return { ...block, id: id || `call_${randomUUID()}`, name: name ?? '' };
}

function* extend(state: Decoding, index: number, delta: RawContentBlockDelta): Generator<ModelEvent> {
  const open = state.blocks.get(index);
  if (open === undefined || state.closed.has(index)) return;
  const { block } = open;
  if (delta.type === 'text_delta' && block.type === 'text') {
    block.text += delta.text;
    yield* speak(state, index, delta.text);
  } else if (delta.type === 'thinking_delta' && block.type === 'thinking') {
    block.thinking += delta.thinking;
    yield* think(state, index, delta.thinking);
  } else if (delta.type === 'signature_delta' && block.type === 'thinking') {
    block.signature = delta.signature;
  } else if (delta.type === 'input_json_delta') {
    open.inputJson += delta.partial_json;
  }
}

function* speak(state: Decoding, index: number, text: string): Generator<ModelEvent> {
  if (text === '') return;
  if (state.speaking !== null && state.speaking !== index) yield { type: 'text', text: '\n\n' };
  state.speaking = index;
  yield { type: 'text', text };
}

function* think(state: Decoding, index: number, text: string): Generator<ModelEvent> {
  if (text === '') return;
  const isNew = state.thinking !== null && state.thinking !== index;
  state.thinking = index;
  // Models from Claude 4 on show a summary of their thoughts.
  yield { type: 'thinking', kind: 'summary', text, ...(isNew && { isNew }) };
}

function* close(state: Decoding, index: number): Generator<ModelEvent> {
  const open = state.blocks.get(index);
  if (open === undefined || state.closed.has(index)) return;
  state.closed.add(index);
  const { block, inputJson } = open;
  if (block.type === 'tool_use') yield { type: 'call', call: callOf(block, inputJson) };
}

function callOf(block: ToolUseBlock, inputJson: string): ModelCall {
  // Without fragments the block itself has the input.
  const args = inputJson === '' ? JSON.stringify(block.input ?? {}) : inputJson;
  return { callId: block.id, name: block.name, arguments: args };
}

function* finish(state: Decoding, stop: StopReason): Generator<ModelEvent> {
  for (const index of state.blocks.keys()) yield* close(state, index);
  const explanation = state.stopDetails?.explanation ?? '';
  if (stop === 'refusal' && state.speaking === null && explanation !== '') {
    yield { type: 'refusal', text: explanation };
  }
  yield {
    type: 'finished',
    reason: finishReason(state, stop),
    usage: usageOf(state),
    items: [...state.blocks].toSorted(([a], [b]) => a - b).flatMap(([, open]) => itemOf(open)),
  };
}

function finishReason({ blocks }: Decoding, stop: StopReason): FinishReason {
  switch (stop) {
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return 'length';
    case 'pause_turn':
      return 'paused';
    case 'refusal':
      return 'refused';
    case 'end_turn':
    case 'stop_sequence':
    case 'tool_use':
    // Reasons that came after this was written are normal ends too.
    default:
      return blocks.values().some(({ block }) => block.type === 'tool_use') ? 'calls' : 'stop';
  }
}

/** Blocks go back as they came; those that the API would refuse (empty text, unsigned thoughts) are left out. */
function itemOf({ block, inputJson }: OpenBlock): readonly ContentBlock[] {
  if (block.type === 'text') return block.text === '' ? [] : [block];
  if (block.type === 'thinking') return block.signature === '' ? [] : [block];
  if (block.type !== 'tool_use' || inputJson === '') return [block];
  return [{ ...block, input: argumentsObject(inputJson) }];
}

type CountedInput = {
  readonly input_tokens: number | null;
  readonly cache_read_input_tokens: number | null;
  readonly cache_creation_input_tokens: number | null;
};

/** Later counts are of the whole message so far, and replace earlier ones. */
function countInput(state: Decoding, usage: CountedInput): void {
  state.fresh = usage.input_tokens ?? state.fresh;
  state.cacheRead = usage.cache_read_input_tokens ?? state.cacheRead;
  state.cacheWritten = usage.cache_creation_input_tokens ?? state.cacheWritten;
}

const usageOf = ({ fresh, cacheRead, cacheWritten, output }: Decoding): ModelUsage | null =>
  countedUsage({
    inputTokens: fresh + cacheRead + cacheWritten,
    outputTokens: output,
    cachedTokens: cacheRead,
    ...(cacheWritten > 0 && { cacheWriteTokens: cacheWritten }),
  });
