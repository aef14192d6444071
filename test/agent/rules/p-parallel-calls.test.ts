/** Series P of docs/agent-rules.md: calls of one response run together and are answered together. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { NotFoundError } from '../../../src/base/errors.ts';
import { callTool, createScriptedModel, say } from '../../support/scripted-model.ts';
import { ofType, resultOf, runTurn, testTool } from '../../support/agent-run.ts';
import { answersTo } from '../../support/round-of-calls.ts';

const three = ['a', 'b', 'c'];

test('P1: the calls of a response run at the same time', async () => {
  const together = Promise.withResolvers<void>();
  let running = 0;
  const tool = testTool('look', async ({ id }) => {
    running += 1;
    if (running === three.length) together.resolve();
    await together.promise;
    return resultOf(`seen ${id}`);
  });
  const { outputs } = await answersTo(
    three.map((id) => callTool('look', { id }, id)),
    [tool],
  );
  expect(outputs).toEqual(three.map((id) => expect.stringContaining(`seen ${id}`)));
});

describe('P2: whatever order calls end in', () => {
  test('P2: one request follows with every output in call order, and each call is told once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.nat(7), { minLength: 1, maxLength: 8 }),
        fc.array(fc.constantFrom('ok', 'throw', 'conflict'), { minLength: 8, maxLength: 8 }),
        async (endOrder, kinds) => {
          const gates = endOrder.map(() => Promise.withResolvers<void>());
          const run = async ({ id }: { id: string | null }) => {
            await gates[Number(id)]!.promise;
            if (kinds[Number(id)] === 'throw') throw new Error('broken');
            return resultOf(`seen ${id}`);
          };
          const tools = [
            testTool('ok', run),
            testTool('throw', run),
            testTool('conflict', run, { conflictKey: () => 'same' }),
          ];
          const calls = endOrder.map((_, index) => callTool(kinds[index]!, { id: `${index}` }, `c${index}`));
          const model = createScriptedModel([calls, say('Seen.')]);
          const turn = runTurn(model, tools);
          const ranks = [...endOrder.keys()].toSorted((a, b) => endOrder[a]! - endOrder[b]!);
          for (const index of ranks) {
            gates[index]!.resolve();
            await Promise.resolve();
          }
          const { activities } = await turn;
          expect(model.requests).toHaveLength(2);
          const outputs = model.requests[1]!.input.filter((entry) => entry.type === 'tool-output');
          expect(outputs.map(({ callId }) => callId)).toEqual(calls.map((_, index) => `c${index}`));
          outputs.forEach(({ output }, index) =>
            expect(output).toContain(kinds[index] === 'throw' ? 'failed' : `seen ${index}`),
          );
          const ended = ofType(activities, 'tool-finished').map(({ call }) => call.callId);
          expect(ended.toSorted()).toEqual(calls.map((_, index) => `c${index}`));
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('P3: calls wait for each other only where they must', () => {
  /** When calls of one response began and ended. */
  async function courseOf(conflictKey?: () => string): Promise<readonly string[]> {
    const course: string[] = [];
    const run = async ({ id }: { id: string | null }) => {
      course.push(`start ${id}`);
      await new Promise(setImmediate);
      course.push(`end ${id}`);
      return resultOf('written');
    };
    const calls = three.map((id) => callTool('write', { id }, id));
    await answersTo(calls, [testTool('write', run, conflictKey && { conflictKey })]);
    return course;
  }

  test('P3: those with the same conflict key, in call order', async () => {
    const inTurn = ['start a', 'end a', 'start b', 'end b', 'start c', 'end c'];
    expect(await courseOf(() => 'file')).toEqual(inTurn);
  });

  test('P3: not those without one', async () => {
    expect((await courseOf()).slice(0, 3)).toEqual(['start a', 'start b', 'start c']);
  });
});

test('P4: a failure is the answer to its own call, and the others are as they would have been', async () => {
  const cycle: Record<string, unknown> = {};
  cycle['self'] = cycle;
  const odd = { big: 1n, none: Number.NaN, late: new Date(Number.NaN), not: undefined };
  const results: Readonly<Record<string, () => ReturnType<typeof resultOf>>> = {
    fine: () => resultOf('seen'),
    mendable: () => {
      throw new NotFoundError('no qubit 99; there are 0 to 63');
    },
    bug: () => {
      throw new TypeError('not a function');
    },
    cycle: () => resultOf('seen', { data: cycle }),
    odd: () => resultOf('seen', { data: odd }),
    wordy: () => resultOf('x'.repeat(40_000)),
    large: () => resultOf('seen', { data: { rows: Array.from({ length: 9_000 }, (_, n) => ({ n })) } }),
  };
  const slow = testTool('sleep', () => new Promise(() => undefined));
  const look = testTool('look', async ({ id }) => results[id ?? '']!());
  const thrower = testTool('throw', () => {
    throw new Error('no promise');
  });
  const calls = [
    ...Object.keys(results).map((id) => callTool('look', { id }, id)),
    callTool('sleep', {}, 'slow'),
  ];
  const { outputs, bugs } = await answersTo([...calls, callTool('throw')], [look, slow, thrower], {
    toolTimeoutMs: 20,
    callsPerRound: 20,
  });
  for (const output of outputs) expect(output.length).toBeLessThanOrEqual(30_000);
  expect(outputs.map((output) => JSON.parse(output) as unknown)).toEqual([
    expect.objectContaining({ data: { summary: 'seen' } }),
    { error: 'no qubit 99; there are 0 to 63' },
    { error: 'look failed; its result is not available' },
    { error: 'the result of look cannot be written as JSON text' },
    expect.objectContaining({ data: { big: 1, none: null, late: null }, formattedSummary: 'seen' }),
    { error: 'the result of look cannot be written as JSON text' },
    expect.objectContaining({ _note: expect.stringMatching(/data\.rows: \d+ of 9000 shown/) }),
    { error: 'sleep timed out after 0.02 s; ask for less with id' },
    { error: 'throw failed; its result is not available' },
  ]);
  expect(bugs).toHaveLength(4);
});

describe('P5: calls that come twice', () => {
  test('P5: with the same id: the second is an error of its own, and the id is answered once', async () => {
    const { outputs, endings } = await answersTo(
      [callTool('look', { id: 'a' }, 'same'), callTool('look', { id: 'b' }, 'same')],
      [testTool('look')],
    );
    expect(outputs).toEqual([expect.stringContaining('ok a')]);
    expect(Object.fromEntries(endings.map(({ callId, status }) => [callId, status]))).toEqual({
      same: 'OK',
      'same#2': 'ERROR',
    });
  });

  test('P5: with the same arguments: both ids are answered', async () => {
    const { outputs } = await answersTo(
      [callTool('look', { id: 'a' }, 'one'), callTool('look', { id: 'a' }, 'two')],
      [testTool('look')],
    );
    expect(outputs).toEqual([expect.stringContaining('ok a'), expect.stringContaining('ok a')]);
  });
});
