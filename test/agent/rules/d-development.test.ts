/** Series D of docs/agent-rules.md: every way in which a response can end, and every text in the place of arguments. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { prepareCall } from '../../../src/agent/loop/prepare-call.ts';
import { failed, runCall, type CallEnding } from '../../../src/agent/loop/tool-call.ts';
import { createToolRegistry } from '../../../src/agent/tool-registry.ts';
import type { Tool, ToolContext } from '../../../src/agent/tool.ts';
import { adapterModel } from '../../support/adapters.ts';
import { watchedModel } from '../../../src/agent/watch/model-watch.ts';
import { outputLog } from '../../../src/agent/watch/output-shape.ts';
import { readConfig } from '../../../src/config/config.ts';
import { createLogger } from '../../../src/base/log.ts';
import type { JsonObject } from '../../../src/domain/visuals.ts';
import { resultOf, runTurn } from '../../support/agent-run.ts';
import { DEMO_NOW, demoViewer, openDemoDatabase } from '../../support/demo-database.ts';
import type { Reply } from '../../support/model-server.ts';
import { ownModelServers } from '../../support/own-model-servers.ts';
import { everyTool, openToolBench, type ToolBench } from '../../support/tool-bench.ts';
import { bodyOf, WIRES, type WireKind } from '../../support/wire-bodies.ts';
import { argumentTexts, fitting } from './arguments-of.ts';
import { leastArguments } from './least-arguments.ts';

const startServer = ownModelServers();

async function turnWith(kind: WireKind, reply: Reply) {
  const server = await startServer(() => reply);
  return { ...(await runTurn(adapterModel(kind, server), [])), asked: server.requests.length };
}

test('D1: the shape of an output is logged where that is asked for, and nothing of what was said', async () => {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string): void => void lines.push(JSON.parse(line) as Record<string, unknown>);
  const said = [{ thought: 'a thought' }, { text: 'T1 is bad.' }, { unheard: 'zap' }];
  const server = await startServer([{ body: bodyOf('responses', said) }]);
  const watches = [outputLog(createLogger('info', { write }))];
  await runTurn(watchedModel(adapterModel('responses', server), watches), []);
  expect(readConfig({}).logModelOutput).toBe(false);
  expect(lines).toMatchObject([
    {
      model: 'responses-model',
      events: { text: 1, finished: 1 },
      characters: 10,
      items: [
        { type: 'reasoning', encrypted_content: 'text of 9' },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'text of 10' }] },
        { type: 'unheard_of', words: 'text of 3' },
      ],
    },
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/thought|bad|zap/);
});

describe.each(WIRES)('D2: a response over %s', (kind) => {
  test.each([
    ['in full', 'end', 'Half of it.', /^Half of it\.$/],
    ['cut off at its longest', 'length', 'Half', /^Half\n\n\*The answer was cut off/],
    ['filtered', 'filter', 'Half', /^Half\n\n\*.*(content filter|declined)/],
  ] as const)('D2: %s completes, with a remark where it falls short', async (_name, end, said, text) => {
    // Ollama has no filter.
    if (kind === 'ollama' && end === 'filter') return;
    const run = await turnWith(kind, { body: bodyOf(kind, [{ text: said }], end) });
    expect(run.outcome).toMatchObject({ status: 'COMPLETED', error: null });
    expect(run.text).toMatch(text);
  });

  const body = bodyOf(kind, [{ text: 'Half of it.' }]);
  const busy = { status: 429, error: { message: 'slow down' }, headers: { 'retry-after-ms': '1' } };
  const down = { status: 500, error: { message: 'oh' }, headers: { 'retry-after-ms': '1' } };
  test.each<[string, Reply, string, number]>([
    ['429 with a pause', busy, 'MODEL_RATE_LIMITED', 5],
    ['500', down, 'MODEL_UNAVAILABLE', 4],
    [
      'a reset in mid-stream',
      { body, cut: { at: body.length - 120, how: 'break' } },
      'MODEL_BROKEN_STREAM',
      3,
    ],
    ['an end in mid-stream', { body, cut: { at: body.length - 120, how: 'end' } }, 'MODEL_BROKEN_STREAM', 3],
  ])(
    'D2: %s is tried again, then told once, in words that can be acted on',
    async (_name, reply, code, asked) => {
      const run = await turnWith(kind, reply);
      expect(run.outcome).toMatchObject({ status: 'FAILED', error: { code, retryable: true } });
      expect(run.asked).toBe(asked);
    },
  );
});

/** Every tool, with its checks and without its work: what it is given is kept instead. */
const seen: unknown[] = [];
const tools = everyTool.names.map((name): Tool => {
  const run = async (args: unknown) => {
    seen.push(args);
    return resultOf('seen');
  };
  return { ...everyTool.get(name)!, run };
});
const registry = createToolRegistry(tools, () => ['math']);

/** A call with this text, from the model's side. A tool that throws before it runs fails the test. */
async function callWith(tool: Tool, text: string): Promise<CallEnding> {
  const onBug = (error: unknown): void => {
    throw error;
  };
  const prepared = prepareCall({ callId: 'c', name: tool.name, arguments: text }, registry, onBug);
  const limits = { toolTimeoutMs: 60_000, resultCharacters: 30_000, onBug };
  if (!prepared.runnable) return failed('ERROR', prepared.error);
  const context = { now: () => new Date(0) } as Omit<ToolContext, 'signal'>;
  return runCall(prepared, context, limits, new AbortController().signal);
}

const isWellFormed = (value: unknown): boolean => {
  if (typeof value === 'string') return value.isWellFormed();
  return typeof value !== 'object' || value === null || Object.values(value).every(isWellFormed);
};

function expectChecked(tool: Tool): void {
  for (const args of seen.splice(0)) {
    expect(tool.args.strict().safeParse(args)).toMatchObject({ success: true });
    expect(isWellFormed(args)).toBe(true);
  }
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
}

describe('D3: whatever stands in the place of arguments', () => {
  test.each(tools.map((tool) => [tool.name, tool] as const))(
    'D3: %s is run on checked arguments or not at all, and answers in bounds',
    async (name, tool) => {
      const { parameters } = registry.schemas.find((each) => each.name === name)!;
      await fc.assert(
        fc.asyncProperty(argumentTexts(parameters), async (text) => {
          const { output } = await callWith(tool, text);
          expect(JSON.parse(output)).toEqual(expect.any(Object));
          expect(output.length).toBeLessThan(2_200);
          expectChecked(tool);
        }),
        { numRuns: 60 },
      );
    },
  );

  test.each(tools.map((tool) => [tool.name, tool] as const))(
    'D3: %s is not run on JSON that is cut off, wherever that is',
    async (name, tool) => {
      const { parameters } = registry.schemas.find((each) => each.name === name)!;
      const [args] = fc.sample(fitting(parameters), { numRuns: 1, seed: 1 });
      const text = JSON.stringify(args);
      for (let length = 1; length < text.length; length += 1) {
        const { error } = await callWith(tool, text.slice(0, length));
        expect(error).toMatchObject({ code: 'INVALID_ARGUMENTS' });
      }
      expect(seen).toEqual([]);
    },
  );

  test('D3: most of what fits a schema is taken, so that the checks are met from both sides', () => {
    const taken = tools.filter((tool) => {
      const { parameters } = registry.schemas.find(({ name }) => name === tool.name)!;
      return fc.sample(fitting(parameters), 20).some((args) => {
        const call = { callId: 'c', name: tool.name, arguments: JSON.stringify(args) };
        return prepareCall(call, registry, () => {}).runnable;
      });
    });
    expect(taken.length).toBe(tools.length);
  });
});

/** The largest and the smallest number that each argument lets through. */
const EXTREMES = everyTool.schemas.flatMap(({ name, parameters }) =>
  Object.entries(parameters['properties'] as Record<string, JsonObject>).flatMap(([argument, schema]) => {
    const { type = null, minimum = 1e-308, maximum = 1e308 } = schema;
    if (![type].flat().some((each) => each === 'number' || each === 'integer')) return [];
    return [minimum, maximum].map((value) => [name, argument, value] as const);
  }),
);

describe('D3: huge and tiny numbers', () => {
  let bench: ToolBench;
  let close: () => Promise<void>;
  beforeAll(async () => {
    const demo = await openDemoDatabase();
    close = () => demo.close();
    bench = openToolBench({ ...demo, viewer: demoViewer, chipId: 'demo-64', now: DEMO_NOW });
  });
  afterAll(() => close());

  test.each(EXTREMES)(
    'D3: %s with %s = %s ends well, or says what is wrong',
    async (name, argument, value) => {
      const ending = await bench.call(name, { ...leastArguments(name), [argument]: value });
      expect(ending.output.length).toBeLessThan(30_001);
      expect(ending.error?.code).not.toBe('TOOL_FAILED');
    },
  );
});
