/** Series A of docs/agent-rules.md, at the border to the model: over each API, as its server sees it. */
import { describe, expect, test } from '@jest/globals';
import { adapterModel, add, multiply } from '../../support/adapters.ts';
import { ofType, runTurn } from '../../support/agent-run.ts';
import { ownModelServers } from '../../support/own-model-servers.ts';
import { everyTool } from '../../support/tool-bench.ts';
import { bodyOf, WIRES, type Said, type SaidEnd, type WireKind } from '../../support/wire-bodies.ts';
import { GOLDEN_REQUESTS } from './golden-requests.ts';

const startServer = ownModelServers();

/** A model that answers with these responses, and what it was asked. */
async function modelSaying(kind: WireKind, responses: readonly (readonly Said[])[], end?: SaidEnd) {
  const server = await startServer(responses.map((said) => ({ body: bodyOf(kind, said, end) })));
  return { model: adapterModel(kind, server), requests: server.requests };
}

const adding = (id: string, a = 2, b = 3): Said => ({ call: [id, 'add', `{"a":${a},"b":${b}}`] });
const INSTRUCTIONS = 'Answer from the data.';
const HISTORY = [
  { type: 'user', text: 'Hello' },
  { type: 'assistant', text: 'Hi.' },
  { type: 'user', text: 'How is the chip?' },
] as const;

describe('A1: one agent with few, documented tools', () => {
  test.each(everyTool.schemas.map((schema) => [schema.name, schema] as const))(
    'A1: %s says what it does, in words of its own',
    (name, { description }) => {
      expect(description.length).toBeGreaterThan(30);
      expect(description.length).toBeLessThan(900);
      expect(everyTool.schemas.filter((other) => other.description === description)).toHaveLength(1);
      expect(name).toMatch(/^[a-z][a-z_]{2,63}$/);
    },
  );
});

describe.each(WIRES)('over %s', (kind) => {
  test('A2: the prompt comes first and once in every request, after history and any number of rounds', async () => {
    const rounds = [1, 2, 3, 4].map((n) => [adding(`c${n}`, n)]);
    const { model, requests } = await modelSaying(kind, [...rounds, [{ text: 'Done.' }]]);
    await runTurn(model, [add], { input: HISTORY });
    expect(requests).toHaveLength(5);
    for (const request of requests) {
      const first =
        request['instructions'] ??
        request['system'] ??
        request['systemInstruction'] ??
        (request['messages'] as unknown[])[0];
      expect(JSON.stringify(first)).toContain(INSTRUCTIONS);
      expect(JSON.stringify(request).split(INSTRUCTIONS)).toHaveLength(2);
    }
  });

  test('A3: a turn asks with history, prompt and tools, then with all that was said and found', async () => {
    const said = [{ thought: 'Hm.' }, { text: 'Let me add.' }, adding('c1')];
    const { model, requests } = await modelSaying(kind, [said, [{ text: 'It is 5.' }]]);
    await runTurn(model, [add], { input: HISTORY, forcedTool: 'add' });
    expect(requests).toEqual(GOLDEN_REQUESTS[kind]);
  });

  test.each<[string, readonly Said[], string, readonly string[]]>([
    ['words only', [{ text: 'All is well.' }], 'All is well.', []],
    ['a call only', [adding('c1')], 'Done.', ['c1']],
    ['words and a call', [{ text: 'Let me see.' }, adding('c1')], 'Let me see.\n\nDone.', ['c1']],
    ['thoughts and a call', [{ thought: 'Hm.' }, adding('c1')], 'Done.', ['c1']],
    ['thoughts and words', [{ thought: 'Hm.' }, { text: 'Well.' }], 'Well.', []],
    ['what nobody knows yet', [{ unheard: 'zap' }, { text: 'Well.' }], 'Well.', []],
  ])('A4: a response of %s is understood', async (_name, said, text, called) => {
    const { model } = await modelSaying(kind, [said, [{ text: 'Done.' }]]);
    const run = await runTurn(model, [add]);
    expect(run.outcome).toMatchObject({ status: 'COMPLETED', error: null });
    expect(run.text).toBe(text);
    expect(ofType(run.activities, 'tool-finished').map(({ call }) => call.callId)).toEqual(called);
  });

  test('A4: a response of nothing fails in words that say what to do', async () => {
    const { model } = await modelSaying(kind, [[], []]);
    const { outcome, text } = await runTurn(model, []);
    expect(text).toBe('');
    expect(outcome.error).toMatchObject({ code: 'EMPTY_ANSWER', retryable: true });
  });

  test('A5: each request holds all earlier items in their order, thoughts included', async () => {
    const round = (n: number): Said[] => [
      { thought: `Thought ${n}` },
      adding(`call_${n}`, n, 40),
      multiplying(n),
    ];
    const { model, requests } = await modelSaying(kind, [round(1), round(2), [{ text: 'Done.' }]]);
    await runTurn(model, [add, multiply], { input: HISTORY });
    const markers = (n: number) => [
      // Gemini's thoughts stay at Google: what goes back is the signature at the call.
      ...(kind === 'gemini' ? [] : [`Thought ${n}`]),
      `call_${n}`,
      `other_${n}`,
      `call_${n}`,
      `formattedSummary\\":\\"${40 + n}`,
      `other_${n}`,
      `formattedSummary\\":\\"${10 * n}`,
    ];
    const asked = JSON.stringify(
      requests[2]!['input'] ?? requests[2]!['messages'] ?? requests[2]!['contents'],
    );
    let from = 0;
    for (const marker of ['Hello', 'Hi.', 'How is the chip?', ...markers(1), ...markers(2)]) {
      const at = asked.indexOf(marker, from);
      expect({ marker, isThere: at >= from }).toEqual({ marker, isThere: true });
      from = at + marker.length;
    }
  });

  test('A6: without calls the text of all parts is the answer', async () => {
    const { model, requests } = await modelSaying(kind, [[{ text: 'One.' }, { text: ' Two.' }]]);
    const { text, outcome } = await runTurn(model, [add]);
    expect(text.replaceAll(/\s+/g, ' ')).toBe('One. Two.');
    expect(outcome).toMatchObject({ status: 'COMPLETED', rounds: 1 });
    expect(requests).toHaveLength(1);
  });
});

const multiplying = (n: number): Said => ({ call: [`other_${n}`, 'multiply', `{"a":${n},"b":10}`] });

/** The other APIs mark a refusal as no other answer. */
test.each(['responses', 'chat', 'anthropic'] as const)(
  'A6: a refusal is the answer and says that it is one, over %s',
  async (kind) => {
    const { model } = await modelSaying(kind, [[{ refusal: 'I cannot help.' }]]);
    const { text, outcome } = await runTurn(model, [add]);
    expect(text).toBe('I cannot help.\n\n*The model declined to answer this.*');
    expect(outcome.status).toBe('COMPLETED');
  },
);

test.each(['responses', 'anthropic'] as const)(
  'A4: what nobody knows yet goes back as it came, over %s',
  async (kind) => {
    const { model, requests } = await modelSaying(kind, [
      [{ unheard: 'zap' }, adding('c1')],
      [{ text: 'Done.' }],
    ]);
    await runTurn(model, [add]);
    const sent = JSON.stringify(requests[1]!['input'] ?? requests[1]!['messages']);
    expect(sent).toContain('"unheard_of"');
    expect(sent).toContain('"words":"zap"');
  },
);
