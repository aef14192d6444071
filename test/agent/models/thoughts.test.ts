/** What models think, over real recordings: told apart from the answer, and sent back as each provider wants it. */
import { describe, expect, test } from '@jest/globals';
import {
  adapterModel,
  collect,
  plainRequest,
  type AdapterKind,
  type Collected,
} from '../../support/adapters.ts';
import { bodyOf, responsesMessage } from '../../support/wire-bodies.ts';
import { describeWithSharedData } from '../../support/shared-data.ts';
import { frames, recordedBody, type Reply } from '../../support/model-server.ts';
import { ownModelServers } from '../../support/own-model-servers.ts';
import type { ModelRequest } from '../../../src/agent/model.ts';

const startServer = ownModelServers();

/** One response, and the request that returns the outputs of its calls. */
async function twoSteps(kind: AdapterKind, first: Reply, second: Reply = { body: OK[kind] }, name?: string) {
  const server = await startServer([first, second]);
  const model = adapterModel(kind, server, { ...(name !== undefined && { name }), maxOutputTokens: 8_192 });
  const step = await collect(model);
  const next: ModelRequest = {
    ...plainRequest,
    input: [...plainRequest.input, ...roundOf(step, model.provider)],
  };
  const answer = await collect(model, next);
  return { step, answer, model, server, sent: server.requests[1] ?? {} };
}

const roundOf = ({ text, calls, finished }: Collected, provider: string): ModelRequest['input'] => [
  { type: 'round', provider, items: finished?.items ?? [], text, calls },
  ...calls.map(({ callId }) => ({ type: 'tool-output' as const, callId, output: 'sunny, 21 °C' })),
];

const OK = {
  responses: bodyOf('responses', [{ text: 'Fine.' }]),
  chat: bodyOf('chat', [{ text: 'Fine.' }]),
  ollama: bodyOf('ollama', [{ text: 'Fine.' }]),
  gemini: bodyOf('gemini', [{ text: 'Fine.' }]),
  anthropic: bodyOf('anthropic', [{ text: 'Fine.' }]),
};

type Detail = Readonly<Record<string, string | undefined>>;

const wordsOf = ({ thinking }: Collected): string => thinking.map(({ text }) => text).join('');
const eventsOf = (body: string): readonly Record<string, unknown>[] =>
  body
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)) as Record<string, unknown>);

describeWithSharedData('Recorded thoughts', () => {
  test.each([undefined, 1, [7, 3, 64]] as const)(
    'OpenAI: summaries are told, and reasoning goes back encrypted, before its call (packets of %j)',
    async (packet) => {
      const body = await recordedBody('responses-gpt5-summaries.step1.sse');
      const { step, sent } = await twoSteps('responses', { body, ...(packet && { packet }) });
      const done = eventsOf(body).filter(({ type }) => type === 'response.output_item.done');
      const recorded = done.map(({ item }) => item as Record<string, unknown>);
      const reasoning = recorded.find(({ type }) => type === 'reasoning')!;
      const summary = (reasoning['summary'] as { text: string }[]).map(({ text }) => text).join('');
      expect(wordsOf(step)).toBe(summary);
      expect(summary.length).toBeGreaterThan(20);
      expect(step.text).toBe('');
      const input = sent['input'] as Record<string, unknown>[];
      expect(input[1]).toEqual(reasoning);
      expect(reasoning['encrypted_content']).toEqual(expect.stringMatching(/^gAAAA/));
      expect(input[2]).toMatchObject({ type: 'function_call', call_id: step.calls[0]!.callId });
      expect(input[3]).toMatchObject({ type: 'function_call_output', call_id: step.calls[0]!.callId });
      expect(sent).toMatchObject({ store: false, include: ['reasoning.encrypted_content'] });
    },
  );

  test.each([undefined, 1, [7, 3, 64]] as const)(
    'Anthropic: a thought goes back with its signature before its call (packets of %j)',
    async (packet) => {
      const body = await recordedBody('anthropic-thinking-tool.step1.sse');
      const second = await recordedBody('anthropic-thinking-tool.step2.sse');
      const { step, answer, sent } = await twoSteps(
        'anthropic',
        { body, ...(packet && { packet }) },
        { body: second },
      );
      const deltas = eventsOf(body).flatMap(({ delta }) =>
        delta === undefined ? [] : [delta as Record<string, string>],
      );
      const thinking = deltas.map((delta) => delta['thinking'] ?? '').join('');
      const signature = deltas.find((delta) => delta['type'] === 'signature_delta')!['signature'];
      expect(wordsOf(step)).toBe(thinking);
      expect(step.text).not.toContain(thinking.slice(0, 20));
      const [, assistant, user] = sent['messages'] as { role: string; content: Record<string, unknown>[] }[];
      expect(assistant!.content[0]).toEqual({ type: 'thinking', thinking, signature });
      expect(assistant!.content.at(-1)).toMatchObject({ type: 'tool_use', id: step.calls[0]!.callId });
      expect(user!.content[0]).toMatchObject({ type: 'tool_result', tool_use_id: step.calls[0]!.callId });
      expect(answer.text).not.toBe('');
    },
  );

  test('Anthropic: redacted thoughts go back as they came', async () => {
    const body = await recordedBody('anthropic-redacted-thinking.sse');
    const { step, sent } = await twoSteps('anthropic', { body });
    const blocks = eventsOf(body).flatMap(({ content_block }) =>
      content_block === undefined ? [] : [content_block as Record<string, unknown>],
    );
    const redacted = blocks.filter(({ type }) => type === 'redacted_thinking');
    expect(redacted.length).toBeGreaterThan(0);
    const [, assistant] = sent['messages'] as { content: Record<string, unknown>[] }[];
    expect(assistant!.content.filter(({ type }) => type === 'redacted_thinking')).toEqual(redacted);
    expect(step.text).not.toBe('');
  });

  test.each([
    ['chat-openrouter-claude-thinking.step1.sse', ['reasoning.text'], 'signature'],
    ['chat-openrouter-grok-tool.step1.sse', ['reasoning.summary', 'reasoning.encrypted'], 'data'],
    ['chat-gateway-gemini-thinking.step1.sse', ['reasoning.text', 'reasoning.encrypted'], 'data'],
  ])('%s: reasoning_details go back whole', async (name, types, secret) => {
    const body = await recordedBody(name);
    const { step, sent } = await twoSteps('chat', { body });
    const [, , assistant] = sent['messages'] as Record<string, unknown>[];
    const details = assistant!['reasoning_details'] as Detail[];
    const recorded = eventsOf(body).flatMap(
      ({ choices }) =>
        (choices as { delta?: { reasoning_details?: Detail[] } }[])[0]?.delta?.reasoning_details ?? [],
    );
    expect(details.map(({ type }) => type)).toEqual(types);
    const words = (list: readonly Detail[]) =>
      list.map(({ text, summary }) => text ?? summary ?? '').join('');
    expect(words(details)).toBe(words(recorded));
    expect(wordsOf(step)).toBe(words(recorded));
    const kept = (list: readonly Detail[]) => list.flatMap((detail) => detail[secret] ?? []);
    expect(kept(details)).toEqual(kept(recorded));
    expect(kept(details)).not.toEqual([]);
    // The same words under another name would count twice.
    expect(assistant).not.toHaveProperty('reasoning');
    expect(assistant).toMatchObject({ tool_calls: [{ id: step.calls[0]!.callId }] });
  });

  test.each([undefined, 1, [7, 3, 64]] as const)(
    'OpenAI: two messages in one response stand once each (packets of %j)',
    async (packet) => {
      const body = await recordedBody('responses-two-messages.sse');
      const { step } = await twoSteps('responses', { body, ...(packet && { packet }) });
      const messages = eventsOf(body).flatMap(({ type, text }) =>
        type === 'response.output_text.done' ? [String(text)] : [],
      );
      expect(messages).toHaveLength(2);
      expect(step.text).toBe(messages.join('\n\n'));
      expect(
        step.finished!.items.filter((item) => (item as { type: string }).type === 'message'),
      ).toHaveLength(2);
    },
  );
});

describe('Reasoning that cannot go back', () => {
  const reasoning = {
    type: 'reasoning',
    id: 'rs_1',
    summary: [{ type: 'summary_text', text: 'Look first.' }],
  };
  const call = { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'look', arguments: '{}' };
  const done = (item: object, output_index: number) => ({
    type: 'response.output_item.done',
    output_index,
    item,
  });
  const completed = {
    type: 'response.completed',
    response: { status: 'completed', output: [], usage: null },
  };

  test('stays behind where it is known by an id alone, and its call names it no more', async () => {
    const body = frames(done(reasoning, 0), done(call, 1), completed);
    const { step, sent } = await twoSteps('responses', { body });
    expect(wordsOf(step)).toBe('Look first.');
    const { id: _id, ...rest } = call;
    expect((sent['input'] as unknown[])[1]).toEqual(rest);
    expect(JSON.stringify(sent)).not.toMatch(/rs_1|fc_1/);
  });

  test('goes back whole where a server of an open model holds it in words', async () => {
    const open = { ...reasoning, content: [{ type: 'reasoning_text', text: 'Hm, look.' }] };
    const { sent } = await twoSteps('responses', { body: frames(done(open, 0), done(call, 1), completed) });
    expect((sent['input'] as unknown[])[1]).toEqual(open);
  });

  test('is not sent to another model', async () => {
    const body = frames(
      done({ ...reasoning, encrypted_content: 'gAAAAsecret' }, 0),
      done(call, 1),
      completed,
    );
    const { step, model } = await twoSteps('responses', { body });
    const server = await startServer([{ body: OK.anthropic }]);
    await collect(adapterModel('anthropic', server), {
      ...plainRequest,
      input: [...plainRequest.input, ...roundOf(step, model.provider)],
    });
    expect(JSON.stringify(server.requests[0])).not.toMatch(/gAAAAsecret|Look first/);
  });
});

describe('Final items', () => {
  const spoken = (text: string, output_index: number) => ({
    type: 'response.output_text.delta',
    output_index,
    delta: text,
  });
  const completed = (...output: readonly object[]) => ({
    type: 'response.completed',
    response: { status: 'completed', output, usage: null },
  });

  test.each([
    [
      'under other ids',
      [
        { ...responsesMessage('One.'), id: 'x' },
        { ...responsesMessage('Two.'), id: 'y' },
      ],
    ],
    [
      'without ids',
      [
        { ...responsesMessage('One.'), id: undefined },
        { ...responsesMessage('Two.'), id: undefined },
      ],
    ],
  ])('%s are the ones that the stream brought', async (_how, output) => {
    const item = (text: string, output_index: number) => ({
      type: 'response.output_item.done',
      output_index,
      item: { ...responsesMessage(text), id: `m${output_index}` },
    });
    const body = frames(
      spoken('One.', 0),
      item('One.', 0),
      spoken('Two.', 3),
      item('Two.', 3),
      completed(...output),
    );
    const server = await startServer([{ body }]);
    const { text, finished } = await collect(adapterModel('responses', server));
    expect(text).toBe('One.\n\nTwo.');
    expect(finished!.items).toHaveLength(2);
  });

  test('that the stream announced and never closed are not said again', async () => {
    const added = (output_index: number, item: object) => ({
      type: 'response.output_item.added',
      output_index,
      item,
    });
    const body = frames(
      added(0, { type: 'reasoning', id: 'r', summary: [] }),
      added(2, { type: 'message', id: 'm', role: 'assistant', content: [] }),
      spoken('One.', 2),
      completed({ type: 'reasoning', id: 'r', summary: [] }, responsesMessage('One.')),
    );
    const server = await startServer([{ body }]);
    const { text, finished } = await collect(adapterModel('responses', server));
    expect(text).toBe('One.');
    expect(finished!.items.map((item) => (item as { type: string }).type)).toEqual(['reasoning', 'message']);
  });
});

describe('Thoughts between tags', () => {
  test('are thoughts, wherever the text is cut', async () => {
    const pieces = ['<th', 'ink>Hm. ', 'Look.</thi', 'nk>\n\nFi', 'ne.'].map((content) => ({
      choices: [{ index: 0, delta: { content } }],
    }));
    const body = frames(...pieces, { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
    const server = await startServer([{ body }]);
    const { text, ...rest } = await collect(adapterModel('chat', server));
    expect({ text, thought: wordsOf({ text, ...rest }) }).toEqual({ text: 'Fine.', thought: 'Hm. Look.' });
  });
});
