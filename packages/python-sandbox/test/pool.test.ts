import { describe, expect, test } from '@jest/globals';
import type { WarmProcess } from '../src/engine.ts';
import { DEFAULT_LIMITS } from '../src/limits.ts';
import type { SandboxLimits } from '../src/limits.ts';
import { messages } from '../src/messages.ts';
import { createPool } from '../src/pool.ts';
import type { Pool } from '../src/pool.ts';
import { until } from '@qpilot/test-support';

type Deferred = PromiseWithResolvers<void>;

/** An engine whose processes do what the test says, when it says so. */
function createScriptedEngine(options: { startsFail?: boolean } = {}) {
  const started: (WarmProcess & {
    finish: (reply: string) => void;
    die: () => void;
    isKilled: () => boolean;
  })[] = [];
  const running: string[] = [];
  let prepared = 0;
  const start = (): WarmProcess => {
    const exited: Deferred = Promise.withResolvers();
    const reply = Promise.withResolvers<string>();
    const process = {
      ready: options.startsFail ? Promise.reject(new Error('it does not start')) : Promise.resolve(),
      exited: exited.promise,
      run: ({ code }: { code: string }) => {
        running.push(code);
        return reply.promise;
      },
      exceeded: () => Promise.resolve(null),
      kill: () => exited.resolve(),
      finish: (text: string) => reply.resolve(text),
      die: () => {
        exited.resolve();
        reply.reject(new Error('it died'));
      },
      isKilled: () => killed,
    };
    let killed = false;
    void exited.promise.then(() => (killed = true));
    started.push(process);
    return process;
  };
  const prepare = async () => {
    prepared++;
    options.startsFail = false;
    await Promise.resolve();
  };
  return { start, prepare, started, running, prepared: () => prepared };
}

function open(engine: ReturnType<typeof createScriptedEngine>, limits: Partial<SandboxLimits> = {}): Pool {
  const pool = createPool({
    limits: { ...DEFAULT_LIMITS, warmProcesses: 2, backoffMs: 20, ...limits },
    onFailedStart: () => {},
  });
  pool.open(engine);
  return pool;
}

const never = new AbortController().signal;
const job = (user: string, code: string) => ({ user, code, dataJson: '{}', onPrinted: () => {} });
const done = '{"output":"done","truncated":false,"error":null}';

/** Answers every job as soon as it runs, one after another. */
async function finishAll(engine: ReturnType<typeof createScriptedEngine>, count: number): Promise<void> {
  for (let finished = 0; finished < count; finished++) {
    await until(() => engine.running.length > finished);
    for (const process of engine.started) process.finish(done);
  }
}

describe('waiting jobs', () => {
  test('of a user who runs nothing go before those of one who does', async () => {
    const engine = createScriptedEngine();
    const pool = open(engine);
    await until(() => engine.started.length === 2);
    const first = pool.run(job('ada', 'a1'), never);
    const second = pool.run(job('bob', 'b1'), never);
    await until(() => engine.running.length === 2);
    const waiting = [pool.run(job('ada', 'a2'), never), pool.run(job('eve', 'e1'), never)];
    engine.started[1]?.finish(done);
    await second;
    await until(() => engine.running.length === 3);
    expect(engine.running).toEqual(['a1', 'b1', 'e1']);
    await finishAll(engine, 4);
    await Promise.all([first, ...waiting]);
    await pool.close();
  });

  test('beyond the limit are refused at once, and those that wait too long a little later', async () => {
    const engine = createScriptedEngine();
    const pool = open(engine, { warmProcesses: 1, queueLength: 1, queueWaitMs: 20 });
    await until(() => engine.started.length === 1);
    const running = pool.run(job('ada', 'a1'), never);
    await until(() => engine.running.length === 1);
    const waiting = pool.run(job('bob', 'b1'), never);
    expect((await pool.run(job('eve', 'e1'), never)).error).toBe(messages.busy);
    expect((await waiting).error).toBe(messages.busy);
    expect(pool.load()).toMatchObject({ waiting: 0, refused: 2 });
    engine.started[0]?.finish(done);
    expect((await running).output).toBe('done');
    expect(engine.running).toEqual(['a1']);
    await pool.close();
  });

  test('leave when they are aborted', async () => {
    const engine = createScriptedEngine();
    const pool = open(engine, { warmProcesses: 1 });
    const running = pool.run(job('ada', 'a1'), never);
    await until(() => engine.running.length === 1);
    const abort = new AbortController();
    const waiting = pool.run(job('bob', 'b1'), abort.signal);
    abort.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    engine.started[0]?.finish(done);
    await running;
    await until(() => engine.started.length === 2);
    expect(engine.running).toEqual(['a1']);
    await pool.close();
  });
});

describe('processes', () => {
  test('are killed after one job and replaced', async () => {
    const engine = createScriptedEngine();
    const pool = open(engine, { warmProcesses: 1 });
    const running = pool.run(job('ada', 'a1'), never);
    await finishAll(engine, 1);
    await running;
    await until(() => engine.started[0]?.isKilled());
    expect(engine.started.length).toBe(2);
    await pool.close();
  });

  test('that die answer that the interpreter crashed', async () => {
    const engine = createScriptedEngine();
    const pool = open(engine, { warmProcesses: 1 });
    const running = pool.run(job('ada', 'a1'), never);
    await until(() => engine.running.length === 1);
    engine.started[0]?.die();
    expect((await running).error).toBe(messages.broken);
    await pool.close();
  });

  test('that do not start are not tried without end, and are had again after a pause', async () => {
    const engine = createScriptedEngine({ startsFail: true });
    const pool = open(engine, { queueWaitMs: 60_000 });
    const early = await pool.run(job('ada', 'a1'), never);
    expect(early.error).toBe(messages.unavailable('it does not start'));
    const attempts = engine.started.length;
    expect(attempts).toBeLessThanOrEqual(4);
    await until(() => engine.prepared() === 1 && engine.started.length > attempts);
    const late = pool.run(job('ada', 'a2'), never);
    await until(() => engine.running.length === 1);
    for (const process of engine.started) process.finish(done);
    expect((await late).output).toBe('done');
    await pool.close();
  });

  test('that are idle for long shrink to one and come back with the next job', async () => {
    const engine = createScriptedEngine();
    const pool = open(engine, { idleShrinkMs: 20 });
    await until(() => engine.started.filter((process) => process.isKilled()).length === 1);
    expect(engine.started.length).toBe(2);
    const running = pool.run(job('ada', 'a1'), never);
    await until(() => engine.started.length === 3);
    await finishAll(engine, 1);
    await running;
    await pool.close();
  });
});
