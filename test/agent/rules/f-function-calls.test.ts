/** Series F of docs/agent-rules.md: from the model's calls to the outputs it gets back. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ModelRequest } from '../../../src/agent/model.ts';
import { callTool, createScriptedModel, say } from '../../support/scripted-model.ts';
import { adapterModel, add, collect, multiply, plainRequest } from '../../support/adapters.ts';
import { ofType, resultOf, runTurn, testTool } from '../../support/agent-run.ts';
import type { ModelServer } from '../../support/model-server.ts';
import { ownModelServers } from '../../support/own-model-servers.ts';
import { answersTo } from '../../support/round-of-calls.ts';
import { bodyOf, WIRES, type Said } from '../../support/wire-bodies.ts';

const startServer = ownModelServers();

async function serverSaying(...bodies: readonly string[]): Promise<ModelServer> {
  const server = await startServer(bodies.map((body) => ({ body })));
  return server;
}

test.each(WIRES)('F1: every call of a response is made, over %s', async (kind) => {
  const calls: Said[] = [
    { call: ['c1', 'add', '{"a":2,"b":3}'] },
    { call: ['c2', 'multiply', '{"a":2,"b":3}'] },
    { call: ['c3', 'add', '{"a":4,"b":5}'] },
  ];
  const server = await serverSaying(bodyOf(kind, calls), bodyOf(kind, [{ text: 'Done.' }]));
  const { activities } = await runTurn(adapterModel(kind, server), [add, multiply]);
  const ended = ofType(activities, 'tool-finished').map(({ call }) => [call.callId, call.preview]);
  expect(Object.fromEntries(ended)).toEqual({ c1: '5', c2: '6', c3: '9' });
});

describe('F2: arguments that are none are answered in words, and the turn goes on', () => {
  test.each([
    ['malformed JSON', '{"id": ', /not valid JSON .* expected arguments like \{"id"/],
    ['a list', '[1]', /not a JSON object/],
    ['a wrong type', '{"id": 7}', /id: .*expected string.*; expected arguments like/],
    ['an unknown key', '{"id": null, "chp": "x"}', /Unrecognized key: "chp"/],
    ['a prototype key', '{"id": null, "__proto__": {"id": "x"}}', /Unrecognized key/],
    ['deep nesting', `{"id": ${'['.repeat(5000)}`, /nested more than/],
    ['endless text', `{"id": "${'x'.repeat(200_000)}"}`, /longer than/],
  ])(
    'F2: %s: says what is wrong and what is expected, and does not run the tool',
    async (_name, args, says) => {
      let ran = false;
      const tool = testTool('look', async () => {
        ran = true;
        return resultOf('seen');
      });
      const { errors } = await answersTo([callTool('look', args)], [tool]);
      expect(errors[0]).toMatch(says);
      expect(ran).toBe(false);
    },
  );

  test('F2: an unknown tool: names those there are', async () => {
    const { errors, endings } = await answersTo([callTool('lok')], [testTool('look'), testTool('list')]);
    expect(errors).toEqual(['there is no tool lok; there are look, list']);
    expect(endings[0]).toMatchObject({ status: 'ERROR', error: { code: 'UNKNOWN_TOOL' }, resultJson: null });
  });
});

describe('F3: an output refers to the call it answers', () => {
  test.each(WIRES)('F3: by the id that the model gave it, whatever that is, over %s', async (kind) => {
    // Anthropic takes no other characters, so that it never gives any.
    const ids = kind === 'anthropic' ? ['toolu_01-A', '0', 'c_c'] : ['call_ü 🙂', '0', 'a/b:c#2'];
    const calls = ids.map((id, index): Said => ({ call: [id, 'add', `{"a":${index},"b":40}`] }));
    const server = await serverSaying(bodyOf(kind, calls), bodyOf(kind, [{ text: 'Done.' }]));
    await runTurn(adapterModel(kind, server), [add]);
    expect(outputIdsOf(server.requests[1]!)).toEqual(ids);
  });

  test('F3: every call of a turn is answered exactly once, whatever became of it', async () => {
    const kinds = ['ok', 'same', 'unknown', 'malformed', 'throws', 'slow', 'twin'] as const;
    const round = fc.array(fc.constantFrom(...kinds), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 5 }), async (rounds) => {
        const asked = rounds.map((given, at) => given.map((kind, index) => callOf(kind, `r${at}c${index}`)));
        const model = createScriptedModel([...asked, ...Array.from({ length: 6 }, () => say('Enough.'))]);
        const { activities } = await runTurn(model, TOOLS, {
          limits: { toolTimeoutMs: 5, callsPerRound: 6, rounds: 3 },
        });
        expect(model.requests.length).toBeGreaterThan(1);
        for (const request of model.requests) expectAnswered(request);
        const started = ofType(activities, 'tool-started').map(({ call }) => call.callId);
        const ended = ofType(activities, 'tool-finished').map(({ call }) => call.callId);
        expect(new Set(started).size).toBe(started.length);
        expect(ended.toSorted()).toEqual(started.toSorted());
      }),
      { numRuns: 60 },
    );
  });
});

const TOOLS = [
  testTool('look'),
  testTool('throw', () => Promise.reject(new Error('broken'))),
  testTool('sleep', () => new Promise(() => undefined)),
];

function callOf(kind: 'ok' | 'same' | 'unknown' | 'malformed' | 'throws' | 'slow' | 'twin', id: string) {
  switch (kind) {
    case 'ok':
      return callTool('look', { id }, id);
    case 'same':
      return callTool('look', { id: 'same' }, id);
    case 'unknown':
      return callTool('lok', {}, id);
    case 'malformed':
      return callTool('look', '{"id":', id);
    case 'throws':
      return callTool('throw', { id }, id);
    case 'slow':
      return callTool('sleep', { id }, id);
    case 'twin':
      return callTool('look', { id }, 'twin');
    default:
      return kind satisfies never;
  }
}

/** Behind each round stand the outputs of its calls, one for each id, in their order, and no other. */
function expectAnswered({ input }: ModelRequest): void {
  const expected = input.flatMap((entry) =>
    entry.type === 'round' ? entry.calls.map(({ callId }) => callId) : [],
  );
  const outputs = input.flatMap((entry) => (entry.type === 'tool-output' ? [entry.callId] : []));
  expect(outputs).toEqual(expected);
  for (const [at, entry] of input.entries()) {
    if (entry.type !== 'round') continue;
    const ids = entry.calls.map(({ callId }) => callId);
    expect(new Set(ids).size).toBe(ids.length);
    const behind = input.slice(at + 1, at + 1 + ids.length);
    expect(behind.map((each) => (each.type === 'tool-output' ? each.callId : each.type))).toEqual(ids);
  }
}

/** Ids of the outputs in a request of any API. */
function outputIdsOf(request: Record<string, unknown>): readonly unknown[] {
  const entries = (request['input'] ?? request['messages'] ?? request['contents']) as readonly Record<
    string,
    unknown
  >[];
  return entries
    .flatMap((entry) => {
      const inner = entry['content'] ?? entry['parts'];
      return Array.isArray(inner) ? (inner as Record<string, unknown>[]) : [entry];
    })
    .map((entry) => (entry['functionResponse'] ?? entry) as Record<string, unknown>)
    .filter(
      (entry) =>
        entry['type'] === 'function_call_output' ||
        entry['role'] === 'tool' ||
        entry['type'] === 'tool_result' ||
        'response' in entry,
    )
    .map((entry) => entry['call_id'] ?? entry['tool_call_id'] ?? entry['tool_use_id'] ?? entry['id']);
}

describe('F4: which tools may be called', () => {
  const tools = [
    {
      name: 'add',
      description: 'add',
      parameters: { type: 'object', properties: {}, required: [], additionalProperties: false },
    },
  ];
  const SHAPES = {
    responses: { auto: 'auto', none: 'none', forced: { type: 'function', name: 'add' } },
    chat: { auto: 'auto', none: 'none', forced: { type: 'function', function: { name: 'add' } } },
    anthropic: { auto: { type: 'auto' }, none: { type: 'none' }, forced: { type: 'tool', name: 'add' } },
    gemini: {
      auto: { functionCallingConfig: { mode: 'AUTO' } },
      none: { functionCallingConfig: { mode: 'NONE' } },
      forced: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['add'] } },
    },
  } as const;

  test.each(['responses', 'chat', 'anthropic', 'gemini'] as const)(
    'F4: any, none or one, in the words of %s',
    async (kind) => {
      const body = bodyOf(kind, [{ text: 'Fine.' }]);
      const server = await serverSaying(body, body, body);
      for (const toolChoice of ['auto', 'none', { tool: 'add' }] as const) {
        await collect(adapterModel(kind, server), { ...plainRequest, tools, toolChoice });
      }
      const { auto, none, forced } = SHAPES[kind];
      const asked = server.requests.map((request) => request['tool_choice'] ?? request['toolConfig']);
      expect(asked).toEqual([auto, none, forced]);
      for (const request of server.requests) expect(request['tools']).toHaveLength(1);
    },
  );

  test('F4: Ollama has no words for it, so it is shown only what may be called', async () => {
    const body = bodyOf('ollama', [{ text: 'Fine.' }]);
    const server = await serverSaying(body, body, body);
    const two = [
      ...tools,
      {
        name: 'look',
        description: 'look',
        parameters: { type: 'object', properties: {}, required: [], additionalProperties: false },
      },
    ];
    for (const toolChoice of ['auto', 'none', { tool: 'add' }] as const) {
      await collect(adapterModel('ollama', server), { ...plainRequest, tools: two, toolChoice });
    }
    const shown = server.requests.map(({ tools: sent }) =>
      ((sent ?? []) as { function: { name: string } }[]).map((tool) => tool.function.name),
    );
    expect(shown).toEqual([['add', 'look'], [], ['add']]);
  });

  test('F4: one is forced in the first round only', async () => {
    const model = createScriptedModel([[callTool('look')], say('Seen.')]);
    await runTurn(model, [testTool('look')], { forcedTool: 'look' });
    expect(model.requests.map(({ toolChoice }) => toolChoice)).toEqual([{ tool: 'look' }, 'auto']);
  });

  test('F4: one that does not exist is refused without asking, naming those that do', async () => {
    const model = createScriptedModel([]);
    await expect(runTurn(model, [testTool('look')], { forcedTool: 'loook' })).rejects.toThrow(
      'there is no tool loook; there are look',
    );
    expect(model.requests).toHaveLength(0);
  });
});
