import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';
import { NotFoundError } from '../../src/errors.ts';
import { callTool, createScriptedModel, say } from '../../src/agent/models/scripted.ts';
import { defineTool, type Tool } from '../../src/agent/tool.ts';
import { ofType, resultOf, runTurn, testTool } from '../support/agent-run.ts';

/** Runs one round with the calls, and gives what the model read for each and how each ended. */
async function answersTo(calls: readonly ReturnType<typeof callTool>[], tools: readonly Tool[], limits = {}) {
  const model = createScriptedModel([calls, say('I see.')]);
  const { activities, outcome, bugs } = await runTurn(model, tools, { limits });
  expect(outcome.status).toBe('COMPLETED');
  const outputs = model.requests[1]!.input.filter((entry) => entry.type === 'tool-output');
  return {
    outputs: outputs.map(({ output }) => output),
    errors: outputs.map(({ output }) => (JSON.parse(output) as { error?: string }).error),
    endings: ofType(activities, 'tool-finished').map(({ call }) => call),
    bugs,
  };
}

describe('Rule 5: a call that goes wrong is answered with an error and the turn goes on', () => {
  test('an unknown tool: names those there are', async () => {
    const { errors, endings } = await answersTo([callTool('lok')], [testTool('look'), testTool('list')]);
    expect(errors).toEqual(['there is no tool lok; there are look, list']);
    expect(endings[0]).toMatchObject({ status: 'ERROR', error: { code: 'UNKNOWN_TOOL' }, resultJson: null });
  });

  test.each([
    ['malformed JSON', '{"id": ', /not valid JSON .* expected arguments like \{"id"/],
    ['a list', '[1]', /not a JSON object/],
    ['a wrong type', '{"id": 7}', /id: .*expected string.*; expected arguments like/],
    ['an unknown key', '{"id": null, "chp": "x"}', /Unrecognized key: "chp"/],
    ['a prototype key', '{"id": null, "__proto__": {"id": "x"}}', /Unrecognized key/],
    ['deep nesting', `{"id": ${'['.repeat(5000)}`, /nested more than/],
    ['endless text', `{"id": "${'x'.repeat(200_000)}"}`, /longer than/],
  ])(
    '%s as arguments: says what is wrong and what is expected, and does not run the tool',
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

  test('arguments that may be null and are left out count as null', async () => {
    const { outputs } = await answersTo([callTool('look', '')], [testTool('look')]);
    expect(outputs[0]).toContain('ok null');
  });

  test('an outcome that the model can act on: its message', async () => {
    const tool = testTool('look', () => Promise.reject(new NotFoundError('no qubit 99; there are 0 to 63')));
    const { errors, bugs } = await answersTo([callTool('look')], [tool]);
    expect(errors).toEqual(['no qubit 99; there are 0 to 63']);
    expect(bugs).toEqual([]);
  });

  test('a bug: a general message without its text, and the bug is told to the process', async () => {
    const bug = new Error('connect mongodb://user:secret@host failed');
    const { errors, endings, bugs } = await answersTo(
      [callTool('look')],
      [testTool('look', () => Promise.reject(bug))],
    );
    expect(errors).toEqual(['look failed; its result is not available']);
    expect(JSON.stringify(endings)).not.toContain('secret');
    expect(bugs).toEqual([bug]);
  });

  test('a bug before it runs, or without a promise, is answered in the same way', async () => {
    const thrower = testTool('look', () => {
      throw new TypeError('no promise');
    });
    const describer: Tool = {
      ...testTool('list'),
      describe: () => {
        throw new TypeError('no words');
      },
    };
    const { errors } = await answersTo([callTool('look'), callTool('list')], [thrower, describer]);
    expect(errors).toEqual(['look failed; its result is not available', 'list failed before it ran']);
  });

  test('a tool that takes too long: timed out, even when it ignores its signal', async () => {
    const tool = testTool('look', () => new Promise(() => undefined));
    const { errors, endings } = await answersTo([callTool('look')], [tool], { toolTimeoutMs: 20 });
    expect(errors).toEqual(['look timed out after 0.02 s']);
    expect(endings[0]).toMatchObject({ status: 'TIMEOUT', error: { code: 'TOOL_TIMEOUT' } });
  });

  test('a result that cannot be JSON: an error, the others intact', async () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    const tool = testTool('look', async ({ id }) => resultOf('seen', { data: id === 'bad' ? cycle : [1n] }));
    const { errors, outputs } = await answersTo(
      [callTool('look', { id: 'bad' }, 'a'), callTool('look', { id: 'good' }, 'b')],
      [tool],
    );
    expect(errors[0]).toBe('the result of look cannot be written as JSON text');
    expect(JSON.parse(outputs[1]!)).toMatchObject({ data: [1], formattedSummary: 'seen' });
  });

  test('a result that is too long: cut between rows, valid JSON, with how many are shown', async () => {
    const rows = Array.from({ length: 2000 }, (_, qid) => ({ qid: String(qid), t1: 50 + qid / 7 }));
    const tool = testTool('look', async () => resultOf('T1 of 2000 qubits', { data: { unit: 'μs', rows } }));
    const { outputs, endings } = await answersTo([callTool('look')], [tool]);
    expect(outputs[0]!.length).toBeLessThanOrEqual(30_000);
    const read = JSON.parse(outputs[0]!) as { data: { rows: unknown[] }; _note: string };
    expect(read.data.rows).toEqual(rows.slice(0, read.data.rows.length));
    expect(read.data.rows.length).toBeGreaterThan(500);
    expect(read._note).toContain(`data.rows: ${read.data.rows.length} of 2000 shown`);
    expect(JSON.parse(endings[0]!.resultJson!)).toMatchObject({ data: { rows } });
  });

  test('P5: a second call with the same id is an error of its own and the id is answered once', async () => {
    const { outputs, endings } = await answersTo(
      [callTool('look', { id: 'a' }, 'same'), callTool('look', { id: 'b' }, 'same')],
      [testTool('look')],
    );
    expect(outputs).toEqual([expect.stringContaining('ok a')]);
    expect(endings.map(({ callId, status }) => [callId, status])).toEqual([
      ['same', 'OK'],
      ['same#2', 'ERROR'],
    ]);
  });

  test('P4: one failure leaves the other calls of its round alone', async () => {
    const tool = testTool('look', async ({ id }) => {
      if (id === 'b') throw new NotFoundError('no b');
      return resultOf(`seen ${id}`);
    });
    const { outputs } = await answersTo(
      ['a', 'b', 'c'].map((id) => callTool('look', { id }, id)),
      [tool],
    );
    expect(outputs).toEqual([
      expect.stringContaining('seen a'),
      '{"error":"no b"}',
      expect.stringContaining('seen c'),
    ]);
  });

  test('D3: whatever text comes as arguments, the turn ends well and no tool runs on unchecked ones', async () => {
    const strictTool = (seen: unknown[]) =>
      defineTool({
        name: 'look',
        label: 'Looking',
        description: 'Looks.',
        args: z.object({ qid: z.string(), last: z.int().min(1).max(200) }),
        describe: ({ qid }) => qid,
        run: async (args) => {
          seen.push(args);
          return resultOf('seen');
        },
      });
    const valid = fc.record({ qid: fc.string({ unit: 'binary' }), last: fc.integer({ min: 1, max: 200 }) });
    const cutJson = fc
      .tuple(valid, fc.nat(60))
      .map(([args, length]) => JSON.stringify(args).slice(0, length));
    const anything = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json(),
      cutJson,
      valid.map((args) => JSON.stringify(args)),
    );
    await fc.assert(
      fc.asyncProperty(anything, async (text) => {
        const seen: unknown[] = [];
        const { outputs } = await answersTo([callTool('look', text)], [strictTool(seen)]);
        expect(outputs).toHaveLength(1);
        expect(outputs[0]!.length).toBeLessThan(3000);
        for (const args of seen) {
          expect(args).toEqual({ qid: expect.any(String), last: expect.any(Number) });
          expect((args as { qid: string }).qid.isWellFormed()).toBe(true);
        }
      }),
      { numRuns: 150 },
    );
  });
});
