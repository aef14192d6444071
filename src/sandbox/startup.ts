import type { PythonEngine } from './engine.ts';
import type { Pool } from './pool.ts';
import type { SandboxAvailability, SelfTestReport } from './python-sandbox.ts';

/** Brings an engine up, once, and decides by its self-test whether it is offered. */
export type Startup = {
  /** Starts if that has not been done, or was tried in vain a while ago. */
  availability(): Promise<SandboxAvailability>;
  /** A self-test made now. */
  selfTest(): Promise<SelfTestReport>;
};

/** What a start needs. */
export type StartupDeps = {
  readonly engine: PythonEngine;
  readonly pool: Pick<Pool, 'open' | 'fail'>;
  readonly retryAfterMs: number;
  readonly log: (level: 'info' | 'warn', message: string) => void;
};

/** Nothing is started before the first call. */
export function createStartup({ engine, pool, retryAfterMs, log }: StartupDeps): Startup {
  let outcome: Promise<SandboxAvailability> | undefined;
  let retryAt = Infinity;

  async function start(): Promise<SandboxAvailability> {
    const availability = await tryToStart();
    if (availability.available) {
      pool.open();
      log('info', `Python analysis is available (engine ${engine.name})`);
    } else {
      retryAt = performance.now() + retryAfterMs;
      pool.fail(availability.reason);
      log('warn', `Python analysis is not available: ${availability.reason}`);
    }
    return availability;
  }

  async function tryToStart(): Promise<SandboxAvailability> {
    try {
      await engine.prepare();
    } catch (error) {
      return { available: false, reason: error instanceof Error ? error.message : String(error) };
    }
    const report = await engine.selfTest();
    return report.ok ? { available: true } : { available: false, reason: reasonOf(report) };
  }

  return {
    availability: () => {
      if (performance.now() >= retryAt) {
        retryAt = Infinity;
        outcome = undefined;
      }
      return (outcome ??= start());
    },
    selfTest: async () => {
      await engine.prepare();
      return await engine.selfTest();
    },
  };
}

/** Which walls do not hold, and what an operator can do about it. */
function reasonOf(report: SelfTestReport): string {
  const broken = report.walls.filter(({ ok, required }) => required && !ok);
  const list = broken.map(({ name, detail }) => (detail ? `${name} (${detail})` : name)).join('; ');
  const hint =
    !report.namespaces && broken.some(({ name }) => name === 'connect')
      ? '. This machine allows no user namespaces: allow them, or accept open connections with SANDBOX_ALLOW_WITHOUT_NAMESPACES=1'
      : '';
  return `the self-test of the ${report.engine} engine failed: ${list}${hint}`;
}
