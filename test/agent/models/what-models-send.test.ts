/**
 * What models send that no provider takes back: it is answered, the turn completes, and so do the turns behind it, with the
 * same model or another one, over a provider that refuses what the real ones refuse.
 */
import { describe, expect, test } from '@jest/globals';
import type { Model, ModelInput, ModelRequest } from '../../../src/agent/model.ts';
import { adapterModel } from '../../support/adapters.ts';
import { ofType, runTurn, testTool } from '../../support/agent-run.ts';
import { ownModelServers } from '../../support/own-model-servers.ts';
import { bodyOf, WIRES, type Said, type WireKind } from '../../support/wire-bodies.ts';

const startServer = ownModelServers();
const look = testTool('look');

/** The APIs, and Mistral's, which is that of Chat with rules of its own. */
const APIS = [...WIRES, 'mistral'] as const;
type Api = (typeof APIS)[number];
const NAMES: Partial<Record<Api, string>> = {
  mistral: 'mistral-large-latest',
  responses: 'gpt-5.5',
  gemini: 'gemini-3-flash',
};
const wireOf = (api: Api): WireKind => (api === 'mistral' ? 'chat' : api);

/** A server that says this and then words, and a model that asks it. */
async function saying(
  api: Api,
  ...said: readonly (readonly Said[])[]
): Promise<Model & { asked: ModelRequest[] }> {
  const kind = wireOf(api);
  const bodies = [...said, [{ text: 'Done.' }]].map((parts) => ({ body: bodyOf(kind, parts) }));
  const server = await startServer(bodies);
  const name = NAMES[api];
  const model = adapterModel(kind, server, { ...(name !== undefined && { name }), efforts: [] });
  const asked: ModelRequest[] = [];
  return {
    ...model,
    asked,
    stream(request, signal) {
      asked.push(request);
      return model.stream(request, signal);
    },
  };
}

/** The question, what followed, and the next question, as they come back from where they are stored. */
const stored = ({ asked }: { readonly asked: readonly ModelRequest[] }): readonly ModelInput[] =>
  JSON.parse(
    JSON.stringify([
      ...asked.at(-1)!.input,
      { type: 'assistant', text: 'Done.' },
      { type: 'user', text: 'And now?' },
    ]),
  ) as readonly ModelInput[];

type Sent = readonly (readonly [id: string | undefined, name: string | undefined, args: string])[];
const named = (name: string | undefined): Sent => [['call_a1b2c3d4', name, '{"id":"a"}']];
const withId = (id: string | undefined): Sent => [[id, 'look', '{"id":"a"}']];
const withArgs = (args: string): Sent => [['call_a1b2c3d4', 'look', args]];

const deep = (levels: number) => `{"id":${'['.repeat(levels)}${']'.repeat(levels)}}`;
const parallel = JSON.stringify({
  tool_uses: [
    { recipient_name: 'functions.look', parameters: { id: 'a' } },
    { recipient_name: 'functions.lok', parameters: { id: 'b' } },
  ],
});

const CASES: Readonly<Record<string, Sent>> = {
  'a name with a namespace': named('functions.look'),
  'a name with colons': named('lab::look'),
  'a name with a slash and spaces': named(' tools / look up '),
  'a name in Japanese': named('チップの概要'),
  'a name of 200 characters': named('x'.repeat(200)),
  'a name of 100,000 characters': named('ab.'.repeat(33_333)),
  'an empty name': named(''),
  'no name': named(undefined),
  'a name that begins with a figure': named('9lives'),
  'a name with NUL': named('look\0'),
  'a name with half of a character': named('look\ud83d'),
  'the name of a prototype': named('__proto__'),
  'several calls in one': [['call_a1b2c3d4', 'multi_tool_use.parallel', parallel]],
  'several calls in one that cannot be read': named('multi_tool_use.parallel'),
  'an empty id': withId(''),
  'no id': withId(undefined),
  'two calls without ids': [...withId(undefined), [undefined, 'look', '{"id":"b"}']],
  'an id of 500 characters': withId('i'.repeat(500)),
  'an id with odd characters': withId('call ü 🙂'),
  'an id that names the tool': withId('functions.look:0'),
  'an id with NUL': withId('a\0b'),
  'an id with half of a character': withId('\ud83d'),
  'an id of one figure': withId('0'),
  'the same id twice': [...withId('call_1'), ['call_1', 'look', '{"id":"b"}']],
  'nine calls, the first one malformed': Array.from({ length: 9 }, (_, at) => [
    `call_a1b2c3d${at}`,
    at === 4 ? 'lok' : 'look',
    at === 0 ? '{"id":' : `{"id":"${at}"}`,
  ]),
  'no arguments': withArgs(''),
  'null for arguments': withArgs('null'),
  'a list for arguments': withArgs('[]'),
  'a text for arguments': withArgs('"a"'),
  'arguments that were cut': withArgs('{"id":"a'),
  'two objects for arguments': withArgs('{"id":"a"}{"id":"b"}'),
  'arguments with NUL': withArgs('{"id":"a\\u0000b"}'),
  'arguments with half of a character': withArgs('{"id":"\\ud83d"}'),
  'arguments nested 150 deep': withArgs(deep(150)),
  'arguments of 200,000 characters': withArgs(JSON.stringify({ id: 'x'.repeat(200_000) })),
};

/** Google's and Ollama's APIs send arguments as objects: those that are none do not come over them. */
const comesOver = (kind: WireKind, sent: Sent): boolean =>
  (kind !== 'gemini' && kind !== 'ollama') ||
  sent.every(([, , args]) => /^\{.*\}$/s.test(args) && !args.includes('}{'));

const saidOf = (sent: Sent): readonly Said[] =>
  sent.map((call) => ({ call: call as readonly [string, string, string] }));

describe.each(APIS)('Over %s', (api) => {
  const cases = Object.entries(CASES).filter(([, sent]) => comesOver(wireOf(api), sent));

  test.each(cases)('%s: this turn and those behind it complete', async (_name, sent) => {
    const first = await saying(api, saidOf(sent), saidOf(sent));
    const turn = await runTurn(first, [look]);
    expect(turn.outcome).toMatchObject({ status: 'COMPLETED', error: null });
    const { input } = first.asked.at(-1)!;
    for (const [at, entry] of input.entries()) {
      if (entry.type !== 'round') continue;
      const outputs = input.slice(at + 1, at + 1 + entry.calls.length);
      expect(outputs.map((output) => output.type === 'tool-output' && output.callId)).toEqual(
        entry.calls.map(({ callId }) => callId),
      );
    }
    // The same ids again in the next turn.
    const again = await saying(api, saidOf(sent));
    expect((await runTurn(again, [look], { input: stored(first) })).outcome.status).toBe('COMPLETED');
    for (const other of APIS) {
      const next = await saying(other);
      const { outcome } = await runTurn(next, [look], { input: stored(again) });
      expect({ other, status: outcome.status, error: outcome.error }).toEqual({
        other,
        status: 'COMPLETED',
        error: null,
      });
    }
  });

  test('a turn that was killed within its calls goes on with them said to be lost', async () => {
    const first = await saying(api, saidOf(withId('call_1')));
    await runTurn(first, [look]);
    const input = stored(first).filter(({ type }) => type !== 'tool-output');
    const next = await saying(api);
    expect((await runTurn(next, [look], { input })).outcome.status).toBe('COMPLETED');
  });
});

describe('Responses', () => {
  test('a thought that led to nothing stays behind', async () => {
    const first = await saying('responses', [...saidOf(withId('call_1')), { thought: 'Hm.' }]);
    expect((await runTurn(first, [look])).outcome.status).toBe('COMPLETED');
  });
});

describe('A call by a name that is not quite a tool’s', () => {
  const tools = ['get_chip_summary', 'get_notes', 'lab__find', 'make_chart', 'look'].map((name) =>
    testTool(name),
  );
  const startedBy = async (name: string, args = '{"id":"a"}') => {
    const model = await saying('chat', [{ call: ['call_a1b2c3d4', name, args] }]);
    const { activities } = await runTurn(model, tools);
    const ended = ofType(activities, 'tool-finished').map(({ call }) => call);
    return { ended, input: model.asked.at(-1)!.input };
  };

  test.each([
    ['functions.get_chip_summary', 'get_chip_summary'],
    ['tools.get_notes', 'get_notes'],
    ['default_api.get_notes', 'get_notes'],
    ['default_api:get_notes', 'get_notes'],
    ['lab::get_notes', 'get_notes'],
    ['mcp__lab__find', 'lab__find'],
    ['mcp__qpilot__get_notes', 'get_notes'],
    ['functions.get_notes:0', 'get_notes'],
    ['get_notes<|channel|>commentary', 'get_notes'],
    ['get_notes()', 'get_notes'],
    [' get_notes\n', 'get_notes'],
    ['getChipSummary', 'get_chip_summary'],
    ['Get-Chip-Summary', 'get_chip_summary'],
  ])('%j runs %s', async (name, meant) => {
    const { ended, input } = await startedBy(name);
    expect(ended).toMatchObject([{ tool: meant, status: 'OK' }]);
    expect(input).toContainEqual(
      expect.objectContaining({ type: 'round', calls: [expect.objectContaining({ name: meant })] }),
    );
  });

  test.each(['x__find', 'notes', 'functions', '', 'delete_chip', 'get', 'find'])(
    '%j runs none',
    async (name) => {
      const { ended } = await startedBy(name);
      expect(ended).toMatchObject([{ status: 'ERROR', error: { code: 'UNKNOWN_TOOL' } }]);
    },
  );

  test('names the nearest tools to the model', async () => {
    const { input } = await startedBy('get_chip_summery');
    const { output } = input.at(-1) as Extract<ModelInput, { type: 'tool-output' }>;
    expect(output).toContain('no tool get_chip_summery; the nearest are get_chip_summary');
  });

  test('several calls in one run each by itself, and are answered in their order', async () => {
    const uses = ['functions.look', 'get_notes', 'lok'].map((recipient_name, at) => ({
      recipient_name,
      parameters: { id: `${at}` },
    }));
    const { ended, input } = await startedBy('multi_tool_use.parallel', JSON.stringify({ tool_uses: uses }));
    expect(ended.map(({ tool, status }) => `${tool} ${status}`).toSorted()).toEqual([
      'get_notes OK',
      'lok ERROR',
      'look OK',
    ]);
    const outputs = input.flatMap((entry) => (entry.type === 'tool-output' ? [entry.output] : []));
    expect(outputs).toEqual([
      expect.stringContaining('ok 0'),
      expect.stringContaining('ok 1'),
      expect.stringContaining('no tool lok'),
    ]);
  });
});

describe('Outputs', () => {
  test.each(APIS)('stand in the order of the calls over %s, whatever became of them', async (api) => {
    const kinds = ['', 'malformed', '', 'unknown', '', '', '', '', ''];
    const malformed = wireOf(api) === 'gemini' || wireOf(api) === 'ollama' ? '{"id":5}' : '{"id":';
    const model = await saying(
      api,
      kinds.map((kind, at) => ({
        call: [
          `call_a1b2c3d${at}`,
          kind === 'unknown' ? 'lok' : 'look',
          kind === 'malformed' ? malformed : `{"id":"n${at}"}`,
        ],
      })),
    );
    await runTurn(model, [look]);
    const outputs = model.asked
      .at(-1)!
      .input.flatMap((entry) => (entry.type === 'tool-output' ? [entry] : []));
    expect(outputs.map(({ output }) => output)).toEqual([
      expect.stringContaining('ok n0'),
      expect.stringMatching(/not valid JSON|expected string/),
      expect.stringContaining('ok n2'),
      expect.stringContaining('no tool lok'),
      ...[4, 5, 6, 7].map((at) => expect.stringContaining(`ok n${at}`)),
      expect.stringContaining('at most 8 calls run in one round'),
    ]);
    expect(outputs.map(({ callId }) => callId)).toEqual(kinds.map((_, at) => `call_a1b2c3d${at}`));
  });
});
