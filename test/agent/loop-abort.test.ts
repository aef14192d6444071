import { describe, expect, test } from '@jest/globals';
import { runLoop } from '../../src/agent/loop/loop.ts';
import type { Model } from '../../src/agent/model.ts';
import { callTool, createScriptedModel, say } from '../support/scripted-model.ts';
import { loopOptions, ofType, resultOf, runTurn, testTool } from '../support/agent-run.ts';

/** A turn with text, parallel calls, calls that wait for each other and a second round. */
const script = () => [
  [
    ...say('Let me look.'),
    callTool('deaf', { id: 'a' }, 'a'),
    callTool('quick', { id: 'b' }, 'b'),
    ...say(' And there.'),
    callTool('deaf', { id: 'c' }, 'c'),
  ],
  [callTool('quick', { id: 'd' }, 'd')],
  say('All of it.'),
];

/** Tools that ignore their signal; `deaf` ends only when `release` is called. */
function deafTools() {
  const gate = Promise.withResolvers<void>();
  const deaf = testTool(
    'deaf',
    async ({ id }) => {
      await gate.promise;
      return resultOf(`heard ${id}`);
    },
    { conflictKey: () => 'one at a time' },
  );
  return { tools: [deaf, testTool('quick')], release: gate.resolve };
}

describe('An aborted turn', () => {
  test('finishes every started call at once, whatever point the abort comes at, and rejects with its reason', async () => {
    const whole = await (async () => {
      const { tools, release } = deafTools();
      release();
      return runTurn(createScriptedModel(script()), tools);
    })();
    const firstHeard = whole.activities.findIndex(
      (activity) => activity.type === 'tool-finished' && activity.call.callId === 'a',
    );
    for (let point = 0; point < whole.activities.length; point += 1) {
      const stop = new AbortController();
      const reason = new Error('the user pressed stop');
      const { tools, release } = deafTools();
      const options = loopOptions(createScriptedModel(script()), tools);
      const run = runLoop({
        ...options,
        signal: stop.signal,
        emit: (activity) => {
          options.activities.push(activity);
          if (options.activities.length - 1 !== point) return;
          stop.abort(reason);
        },
      });
      // Later points are only reached when the deaf tools answer; up to then the turn settles while they have not.
      if (point >= firstHeard) release();
      await expect(run).rejects.toBe(reason);
      const started = ofType(options.activities, 'tool-started').map(({ call }) => call.callId);
      const finished = ofType(options.activities, 'tool-finished').map(({ call }) => call.callId);
      expect(finished.toSorted()).toEqual(started.toSorted());
      release();
    }
  });

  test('says nothing more after it has settled, even when tools answer later', async () => {
    const stop = new AbortController();
    const { tools, release } = deafTools();
    const options = loopOptions(createScriptedModel(script()), tools, { signal: stop.signal });
    const run = runLoop(options);
    const settled = expect(run).rejects.toThrow('stop');
    stop.abort(new Error('stop'));
    await settled;
    const before = options.activities.length;
    release();
    await new Promise(setImmediate);
    expect(options.activities).toHaveLength(before);
  });

  test('marks the calls that it stopped as cancelled', async () => {
    const stop = new AbortController();
    const { tools } = deafTools();
    const options = loopOptions(createScriptedModel([[callTool('deaf')], []]), tools);
    const run = runLoop({
      ...options,
      signal: stop.signal,
      emit: (activity) => {
        options.activities.push(activity);
        if (activity.type === 'tool-started') queueMicrotask(() => stop.abort());
      },
    });
    await expect(run).rejects.toMatchObject({ name: 'AbortError' });
    expect(ofType(options.activities, 'tool-finished')[0]!.call).toMatchObject({
      status: 'CANCELLED',
      error: { code: 'CANCELLED' },
    });
  });

  test('asks no model when the signal had fired before', async () => {
    const model = createScriptedModel([say('Hello.')]);
    await expect(runTurn(model, [], { signal: AbortSignal.abort(new Error('too late')) })).rejects.toThrow(
      'too late',
    );
  });
});

test('A model call that is cut short by an abort is counted, unless it is a program of ours', async () => {
  const spentBy = async (more: Partial<Model>) => {
    const stop = new AbortController();
    const options = loopOptions(
      {
        ...createScriptedModel([[...say('The first words'), async () => stop.abort(new Error('stop'))]]),
        ...more,
      },
      [],
    );
    await expect(runLoop({ ...options, signal: stop.signal })).rejects.toThrow('stop');
    return ofType(options.activities, 'usage').map(({ usage }) => usage);
  };
  const [usage] = await spentBy({});
  expect(usage!.inputTokens).toBeGreaterThan(10);
  expect(usage!.outputTokens).toBeGreaterThan(2);
  expect(await spentBy({ isProgram: true })).toEqual([]);
});
