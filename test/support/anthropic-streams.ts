/**
 * Bodies of Anthropic's Messages API, written by the types of its SDK: no recorded one is at hand. Numbers and ids are
 * made up.
 */

/** Frames with the event names that this API's client goes by. */
export const namedFrames = (...events: readonly { readonly type: string }[]): string =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');

const messageStart = {
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-haiku-4-5-20251001',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: {
      input_tokens: 100,
      cache_creation_input_tokens: 20,
      cache_read_input_tokens: 3000,
      output_tokens: 1,
    },
  },
};
const start = (index: number, content_block: object) => ({
  type: 'content_block_start',
  index,
  content_block,
});
const delta = (index: number, more: object) => ({ type: 'content_block_delta', index, delta: more });
const stop = (index: number) => ({ type: 'content_block_stop', index });

/** A text block in these pieces. */
export const textBlock = (index: number, ...pieces: readonly string[]) => [
  start(index, { type: 'text', text: '' }),
  ...pieces.map((text) => delta(index, { type: 'text_delta', text })),
  stop(index),
];

/** A call whose input comes in these pieces of JSON. */
export const callBlock = (index: number, id: string, name: string, ...pieces: readonly string[]) => [
  start(index, { type: 'tool_use', id, name, input: {} }),
  ...pieces.map((partial_json) => delta(index, { type: 'input_json_delta', partial_json })),
  stop(index),
];

/** Signed thoughts. */
export const thinkingBlock = (index: number, thinking: string, signature: string) => [
  start(index, { type: 'thinking', thinking: '', signature: '' }),
  delta(index, { type: 'thinking_delta', thinking }),
  delta(index, { type: 'signature_delta', signature }),
  stop(index),
];

/** The end of a message. */
export const messageEnd = (stop_reason: string, more: object = {}) => [
  {
    type: 'message_delta',
    delta: { stop_reason, stop_sequence: null, ...more },
    usage: { output_tokens: 42 },
  },
  { type: 'message_stop' },
];

/** A whole body around these blocks. */
export const anthropicBody = (
  stopReason: string,
  ...blocks: readonly (readonly { readonly type: string }[])[]
): string => namedFrames(messageStart, { type: 'ping' }, ...blocks.flat(), ...messageEnd(stopReason));

/** An answer in words, with characters of two and four bytes. */
export const ANTHROPIC_TEXT = anthropicBody(
  'end_turn',
  textBlock(0, 'T1 of Q', '07 is ', '52.3 µs 🙂', ' today.'),
);

/** Thoughts, words, and two calls at once. */
export const ANTHROPIC_CALLS = anthropicBody(
  'tool_use',
  thinkingBlock(0, 'The user wants a sum and a product.', 'c2lnbmVk'),
  textBlock(1, 'Let me ', 'calculate.'),
  callBlock(2, 'toolu_1', 'add', '', '{"a":', ' 2, "b"', ': 3}'),
  callBlock(3, 'toolu_2', 'multiply', '{"a": 2, ', '"b": 3}'),
);
