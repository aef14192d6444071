import type { PythonEngine } from './engine.ts';
import type { Pool } from './pool.ts';
import { wallReport } from './walls.ts';
import type { SandboxAvailability, SelfTestReport } from './walls.ts';

/** Starts an engine once; the self-tests decide which one, if any. */
export type Startup = {
  /** Starts on the first call, and again some time after a failed start. */
  availability(): Promise<SandboxAvailability>;
  /** Runs the self-test of each engine now. */
  selfTests(): Promise<readonly SelfTestReport[]>;
};

/** Dependencies of the startup. */
export type StartupDeps = {
  /** In order of preference; an engine with numpy goes before one without. */
  readonly engines: readonly PythonEngine[];
  readonly pool: Pick<Pool, 'open' | 'fail'>;
  readonly retryAfterMs: number;
  readonly log: (level: 'info' | 'warn', message: string) => void;
};

export function createStartup({ engines, pool, retryAfterMs, log }: StartupDeps): Startup {
  let outcome: Promise<SandboxAvailability> | undefined;
  let retryAt = Infinity;

  async function start(): Promise<SandboxAvailability> {
    const { engine, reasons } = await choose();
    if (engine) {
      pool.open(engine);
      log('info', `Python analysis is available (engine ${engine.name})`);
      for (const reason of reasons) log('info', reason);
      for (const remark of engine.remarks()) log('warn', remark);
      return { available: true, engine: engine.name, modules: engine.modules() };
    }
    const reason = reasons.join('; ');
    retryAt = performance.now() + retryAfterMs;
    pool.fail(reason);
    log('warn', `Python analysis is not available: ${reason}`);
    return { available: false, reason };
  }

  async function choose(): Promise<{ readonly engine?: PythonEngine; readonly reasons: readonly string[] }> {
    const reasons: string[] = [];
    let usable: PythonEngine | undefined;
    for (const engine of engines) {
      const report = await testNow(engine);
      if (!report.ok) reasons.push(reasonOf(report));
      else if (engine.modules().includes('numpy')) return { engine, reasons };
      else usable = engine;
    }
    return { ...(usable && { engine: usable }), reasons };
  }

  return {
    availability: () => {
      if (performance.now() >= retryAt) {
        retryAt = Infinity;
        outcome = undefined;
      }
      return (outcome ??= start());
    },
    selfTests: async () => {
      const reports: SelfTestReport[] = [];
      for (const engine of engines) reports.push(await testNow(engine));
      return reports;
    },
  };
}

async function testNow(engine: PythonEngine): Promise<SelfTestReport> {
  try {
    await engine.prepare();
  } catch (error) {
    return wallReport(engine.name, false, [], error instanceof Error ? error.message : String(error));
  }
  return { ...(await engine.selfTest()), remarks: engine.remarks() };
}

/** What is missing or which checks failed, and what an operator can do about it. */
function reasonOf({ engine, missing, walls, namespaces }: SelfTestReport): string {
  if (missing !== null) return `the ${engine} engine cannot run: ${missing}`;
  const broken = walls.filter(({ ok, required }) => required && !ok);
  const list = broken.map(({ name, detail }) => (detail ? `${name} (${detail})` : name)).join('; ');
  const hint =
    !namespaces && broken.some(({ name }) => name === 'connect')
      ? '. This machine allows no user namespaces: allow them, or accept open connections with SANDBOX_ALLOW_WITHOUT_NAMESPACES=1'
      : '';
  return `the self-test of the ${engine} engine failed: ${list}${hint}`;
}
