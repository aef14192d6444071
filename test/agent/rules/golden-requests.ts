/** Every request of one turn with one call, whole, as each API takes it. */
import { responsesMessage, type WireKind } from '../../support/wire-bodies.ts';

const parameters = {
  type: 'object',
  properties: { a: { type: 'integer' }, b: { type: 'integer' } },
  required: ['a', 'b'],
  additionalProperties: false,
};
const add = { name: 'add', description: 'add of two numbers.', parameters };
const output = '{"data":{"summary":"5"},"formattedSummary":"5","freshness":null,"source":"SNAPSHOT"}';
const args = '{"a":2,"b":3}';

const responses = {
  model: 'responses-model',
  stream: true,
  store: false,
  instructions: 'Answer from the data.',
  max_output_tokens: 1000,
  prompt_cache_key: 'session-1',
  parallel_tool_calls: true,
  // Of an unknown model: it refuses them if it has none.
  include: ['reasoning.encrypted_content'],
  reasoning: { summary: 'auto' },
  tools: [{ type: 'function', strict: true, ...add }],
};
const responsesInput = [
  { role: 'user', content: 'Hello' },
  { role: 'assistant', content: 'Hi.' },
  { role: 'user', content: 'How is the chip?' },
];

const chat = {
  model: 'chat-model',
  stream: true,
  stream_options: { include_usage: true },
  max_tokens: 1000,
  prompt_cache_key: 'session-1',
  parallel_tool_calls: true,
  tools: [{ type: 'function', function: { ...add, strict: true } }],
};
const chatMessages = [{ role: 'system', content: 'Answer from the data.' }, ...responsesInput];

const cached = { cache_control: { type: 'ephemeral' } };
const anthropic = {
  model: 'anthropic-model',
  stream: true,
  max_tokens: 1000,
  system: [{ type: 'text', text: 'Answer from the data.', ...cached }],
  tools: [{ name: 'add', description: add.description, input_schema: parameters, ...cached }],
};
const words = (text: string) => [{ type: 'text', text }];
const [before, reply] = responsesInput.map(({ role, content }) => ({ role, content: words(content) }));
const markedWords = (text: string) => [{ type: 'text', text, ...cached }];
const markedQuestion = { role: 'user', content: markedWords('How is the chip?') };

const gemini = {
  systemInstruction: { parts: [{ text: 'Answer from the data.' }] },
  generationConfig: { maxOutputTokens: 1000, thinkingConfig: { includeThoughts: true } },
  tools: [
    {
      functionDeclarations: [
        {
          name: 'add',
          description: add.description,
          // Gemini knows no `additionalProperties`.
          parameters: { type: 'object', properties: parameters.properties, required: ['a', 'b'] },
        },
      ],
    },
  ],
};
const geminiContents = responsesInput.map(({ role, content }) => ({
  role: role === 'user' ? 'user' : 'model',
  parts: [{ text: content }],
}));

const ollama = {
  model: 'ollama-model',
  stream: true,
  keep_alive: '15m',
  options: { num_ctx: 128_000, num_predict: 1000 },
  tools: [{ type: 'function', function: add }],
};

/** The first request forces `add`; the second follows thoughts, words and a call. */
export const GOLDEN_REQUESTS: Readonly<Record<WireKind, readonly [object, object]>> = {
  responses: [
    { ...responses, tool_choice: { type: 'function', name: 'add' }, input: responsesInput },
    {
      ...responses,
      tool_choice: 'auto',
      input: [
        ...responsesInput,
        { type: 'reasoning', id: 'r', summary: [], encrypted_content: 'Hm.' },
        responsesMessage('Let me add.'),
        { type: 'function_call', id: 'f_c1', call_id: 'c1', name: 'add', arguments: args },
        { type: 'function_call_output', call_id: 'c1', output },
      ],
    },
  ],
  chat: [
    { ...chat, tool_choice: { type: 'function', function: { name: 'add' } }, messages: chatMessages },
    {
      ...chat,
      tool_choice: 'auto',
      messages: [
        ...chatMessages,
        {
          role: 'assistant',
          content: 'Let me add.',
          reasoning_content: 'Hm.',
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'add', arguments: args } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: output },
      ],
    },
  ],
  anthropic: [
    {
      ...anthropic,
      tool_choice: { type: 'tool', name: 'add' },
      messages: [{ ...before, content: markedWords('Hello') }, reply, markedQuestion],
    },
    {
      ...anthropic,
      tool_choice: { type: 'auto' },
      messages: [
        before,
        reply,
        markedQuestion,
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm.', signature: 'c2lnbmVk' },
            ...words('Let me add.'),
            { type: 'tool_use', id: 'c1', name: 'add', input: { a: 2, b: 3 } },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: output, ...cached }] },
      ],
    },
  ],
  gemini: [
    {
      ...gemini,
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['add'] } },
      contents: geminiContents,
    },
    {
      ...gemini,
      toolConfig: { functionCallingConfig: { mode: 'AUTO' } },
      contents: [
        ...geminiContents,
        {
          role: 'model',
          parts: [
            { text: 'Let me add.' },
            { functionCall: { id: 'c1', name: 'add', args: { a: 2, b: 3 } }, thoughtSignature: 'c2lnbmVk' },
          ],
        },
        { role: 'user', parts: [{ functionResponse: { id: 'c1', name: 'add', response: { output } } }] },
      ],
    },
  ],
  ollama: [
    { ...ollama, messages: chatMessages },
    {
      ...ollama,
      messages: [
        ...chatMessages,
        {
          role: 'assistant',
          content: 'Let me add.',
          thinking: 'Hm.',
          tool_calls: [{ id: 'c1', function: { name: 'add', arguments: { a: 2, b: 3 } } }],
        },
        { role: 'tool', tool_name: 'add', tool_call_id: 'c1', content: output },
      ],
    },
  ],
};
