/** The strict provider refuses what the real ones refuse, and takes what is sound. */
import { describe, expect, test } from '@jest/globals';
import { refusalOf, type StrictApi } from '../support/strict/provider.ts';
import type { Json } from '../support/strict/refused.ts';

const ask = { role: 'user', content: 'Hi' };
const schema = {
  type: 'object',
  properties: { a: { type: 'string' } },
  required: ['a'],
  additionalProperties: false,
};

const call = (call_id: string, name = 'add', args = '{}') => ({
  type: 'function_call',
  call_id,
  name,
  arguments: args,
});
const output = (call_id: string) => ({ type: 'function_call_output', call_id, output: 'x' });
const responses = (...input: readonly object[]) => ({ model: 'm', input: [ask, ...input] });
const thought = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'e' };

const chatCall = (id: string, name = 'add', args = '{}') => ({
  id,
  type: 'function',
  function: { name, arguments: args },
});
const calling = (...tool_calls: readonly object[]) => ({ role: 'assistant', content: '', tool_calls });
const answer = (tool_call_id: string) => ({ role: 'tool', tool_call_id, content: 'x' });
const chat = (...messages: readonly object[]) => ({ model: 'm', messages: [ask, ...messages] });
const chatTool = (parameters: object) => ({
  ...chat(),
  tools: [{ type: 'function', function: { name: 'add', description: 'a', strict: true, parameters } }],
});

const use = (id: string, name = 'add', input: unknown = {}) => ({ type: 'tool_use', id, name, input });
const result = (tool_use_id: string) => ({ type: 'tool_result', tool_use_id, content: 'x' });
const says = (role: string, ...content: readonly object[]) => ({ role, content });
const words = (text: string) => ({ type: 'text', text });
const anthropic = (...messages: readonly object[]) => ({
  model: 'm',
  max_tokens: 9,
  messages: [says('user', words('Hi')), ...messages],
});

const calledPart = (name = 'add', more: object = { thoughtSignature: 's' }) => ({
  functionCall: { name, args: {} },
  ...more,
});
const response = (name = 'add') => ({ functionResponse: { name, response: { output: 'x' } } });
const turn = (role: string, ...parts: readonly object[]) => ({ role, parts });
const gemini = (...contents: readonly object[]) => ({
  contents: [turn('user', { text: 'Hi' }), ...contents],
});
const geminiTool = (parameters: object) => ({
  ...gemini(),
  tools: [{ functionDeclarations: [{ name: 'add', description: 'a', parameters }] }],
});

const ollamaCall = (name = 'add', args: unknown = {}) => ({
  role: 'assistant',
  content: '',
  tool_calls: [{ function: { name, arguments: args } }],
});

const SOUND: readonly (readonly [StrictApi, Json])[] = [
  ['responses', responses(thought, call('c1'), call('c2'), output('c1'), output('c2'))],
  ['chat', chat(calling(chatCall('c1'), chatCall('c2')), answer('c1'), answer('c2'), ask)],
  ['chat', chatTool(schema)],
  ['mistral', chat(calling(chatCall('abcdefgh1')), answer('abcdefgh1'))],
  [
    'anthropic',
    anthropic(says('assistant', words('So'), use('c1')), says('user', result('c1'), words('And?'))),
  ],
  ['gemini', gemini(turn('model', calledPart()), turn('user', response()))],
  ['gemini', geminiTool({ type: 'object', properties: { a: { type: 'string' } } })],
  ['ollama', chat(ollamaCall(), { role: 'tool', tool_name: 'add', content: 'x' })],
];

const REFUSED: readonly (readonly [StrictApi, string, Json, RegExp])[] = [
  ['responses', 'a name with a dot', responses(call('c1', 'a.b'), output('c1')), /does not match pattern/],
  ['responses', 'a long name', responses(call('c1', 'a'.repeat(65)), output('c1')), /string too long/],
  ['responses', 'a long id', responses(call('c'.repeat(65)), output('c'.repeat(65))), /string too long/],
  ['responses', 'an id twice', responses(call('c1'), output('c1'), call('c1'), output('c1')), /Duplicate/],
  ['responses', 'a call without an output', responses(call('c1')), /No tool output found/],
  ['responses', 'an output without a call', responses(output('c1')), /No tool call found/],
  [
    'responses',
    'outputs in another order',
    responses(call('c1'), call('c2'), output('c2'), output('c1')),
    /next call is c1/,
  ],
  ['responses', 'a thought without its item', responses(thought, ask), /required following item/],
  [
    'responses',
    'a thought that is not there',
    responses({ ...thought, encrypted_content: null }, call('c1'), output('c1')),
    /not found/,
  ],
  ['responses', 'an item of no kind', responses({ type: 'odd' }), /Invalid value/],
  ['responses', 'NUL', responses({ role: 'user', content: 'a\0' }), /NUL/],
  ['responses', 'an unknown parameter', { ...responses(), seed: 1 }, /Unknown parameter: 'seed'/],
  [
    'responses',
    'a temperature of a model that thinks',
    { ...responses(), model: 'gpt-5', temperature: 1 },
    /not supported/,
  ],
  [
    'responses',
    'a thought of a model that does not',
    { ...responses(), model: 'gpt-4.1', reasoning: {} },
    /not supported/,
  ],
  ['chat', 'a long id', chat(calling(chatCall('c'.repeat(41))), answer('c'.repeat(41))), /string too long/],
  ['chat', 'an empty list of calls', chat({ role: 'assistant', content: '', tool_calls: [] }), /too short/],
  [
    'chat',
    'arguments that are none',
    chat(calling(chatCall('c1', 'add', '{"a":')), answer('c1')),
    /not valid JSON/,
  ],
  ['chat', 'a message before an output', chat(calling(chatCall('c1')), ask, answer('c1')), /comes before it/],
  ['chat', 'too long a cache key', { ...chat(), prompt_cache_key: 'k'.repeat(65) }, /string too long/],
  [
    'chat',
    'a strict schema that is open',
    chatTool({ ...schema, additionalProperties: true }),
    /additionalProperties/,
  ],
  ['chat', 'a strict schema with a choice', chatTool({ ...schema, required: [] }), /required/],
  [
    'chat',
    'a strict schema with lengths',
    chatTool({ ...schema, properties: { a: { type: 'string', maxLength: 2 } } }),
    /maxLength/,
  ],
  [
    'mistral',
    'an id of another provider',
    chat(calling(chatCall('call_1')), answer('call_1')),
    /length of 9/,
  ],
  [
    'mistral',
    'the user after a tool',
    chat(calling(chatCall('abcdefgh1')), answer('abcdefgh1'), ask),
    /Unexpected role 'user' after role 'tool'/,
  ],
  [
    'anthropic',
    'an id with a dot',
    anthropic(says('assistant', use('c.1')), says('user', result('c.1'))),
    /does not match pattern/,
  ],
  [
    'anthropic',
    'arguments that are no object',
    anthropic(says('assistant', use('c1', 'add', '{}')), says('user', result('c1'))),
    /expected an object/,
  ],
  ['anthropic', 'blank text', anthropic(says('assistant', words(' '))), /non-whitespace/],
  ['anthropic', 'white space at the end', anthropic(says('assistant', words('So '))), /trailing whitespace/],
  [
    'anthropic',
    'results behind words',
    anthropic(says('assistant', use('c1')), says('user', words('And?'), result('c1'))),
    /must come before/,
  ],
  ['anthropic', 'roles in a row', anthropic(says('user', words('Hi'))), /must alternate/],
  [
    'anthropic',
    'a thought without a signature',
    anthropic(says('assistant', { type: 'thinking', thinking: 'a', signature: '' })),
    /signature/,
  ],
  [
    'anthropic',
    'no thought before a call',
    {
      ...anthropic(says('assistant', use('c1')), says('user', result('c1'))),
      max_tokens: 9_000,
      thinking: { type: 'enabled', budget_tokens: 2_000 },
    },
    /Expected `thinking`/,
  ],
  [
    'anthropic',
    'five marks',
    anthropic(
      ...Array.from({ length: 5 }, (_, at) =>
        says(at % 2 ? 'user' : 'assistant', { ...words('a'), cache_control: {} }),
      ),
    ),
    /maximum of 4/,
  ],
  [
    'gemini',
    'a name that begins with a figure',
    gemini(turn('model', calledPart('9a')), turn('user', response('9a'))),
    /does not match pattern/,
  ],
  [
    'gemini',
    'a response under another name',
    gemini(turn('model', calledPart()), turn('user', response('sub'))),
    /next call is add/,
  ],
  [
    'gemini',
    'a call without a signature',
    gemini(turn('model', calledPart('add', {})), turn('user', response())),
    /thought_signature/,
  ],
  ['gemini', 'no parts', gemini(turn('model')), /must not be empty/],
  [
    'gemini',
    'an open object',
    geminiTool({ type: 'object', properties: { a: { type: 'object' } } }),
    /non-empty for OBJECT/,
  ],
  ['gemini', 'a keyword that is not its', geminiTool({ ...schema }), /Cannot find field/],
  [
    'ollama',
    'arguments as text',
    chat(ollamaCall('add', '{}'), { role: 'tool', tool_name: 'add', content: 'x' }),
    /expected an object/,
  ],
];

describe('The strict provider', () => {
  test.each(SOUND)('takes what is sound, as %s', (api, body) => {
    expect(refusalOf(api, { body })).toBeNull();
  });

  test.each(REFUSED)('refuses as %s: %s', (api, _what, body, message) => {
    expect(refusalOf(api, { body })?.message).toMatch(message);
  });
});
