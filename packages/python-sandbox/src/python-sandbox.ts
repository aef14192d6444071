import { DEFAULT_LIMITS } from './limits.ts';
import type { SandboxLimits } from './limits.ts';
import { messages } from './messages.ts';
import type { PythonResult } from './python-result.ts';
import { STANDARD_MODULES } from './python/modules.ts';
import { createSupervisorClient } from './supervisor-client.ts';
import type { SandboxLog } from './supervisor-client.ts';
import { availabilitySchema, loadSchema, resultSchema, selfTestsSchema } from './supervisor-protocol.ts';
import type { SandboxLoad } from './supervisor-protocol.ts';
import type { EngineName, SandboxAvailability, SelfTestReport } from './walls.ts';

/** Per-run options. */
export type RunOptions = {
  /** Aborting kills the process at once and rejects the run. */
  readonly signal: AbortSignal;
  /** Users share the processes fairly: one analysis each while others wait. */
  readonly user: string;
  /**
   * Receives output while the code runs, in order, a few times a second; the last part may come with the result only.
   * Never called by the Pyodide engine, which cannot be observed during a run.
   */
  readonly onPrinted?: (text: string) => void;
};

/** Runs contained Python. Nothing survives from one run to the next. */
export interface PythonSandbox {
  /**
   * Runs `code` with `data` bound to the object of `dataJson`. Failures of the code and a missing process are
   * reported in `error`. Rejects only with an `AbortError`, when `signal` fires.
   */
  run(code: string, dataJson: string, options: RunOptions): Promise<PythonResult>;
  /** Modules that code may import; before the start, the standard modules that every engine has. */
  packages(): readonly string[];
  /** Runs the self-test of every configured engine, each inside an ordinary contained process. */
  selfTests(): Promise<readonly SelfTestReport[]>;
  /** Starts the sandbox if necessary; resolves to the engine in use, or why there is none. */
  availability(): Promise<SandboxAvailability>;
  /** What it has to do now; null while it has not started. */
  load(): Promise<SandboxLoad | null>;
  /** Kills all processes and the supervisor; runs in flight resolve to an error. */
  close(): Promise<void>;
}

/** Options of a sandbox. */
export type PythonSandboxOptions = {
  /** Folder for cached files, about 45 MB a version; created if missing. */
  readonly cacheDir: string;
  /**
   * Accept that Pyodide processes could open connections on machines without user namespaces. All other checks, those
   * that keep analysed code from trying included, stay required.
   */
  readonly allowWithoutNamespaces: boolean;
  /** `off` avoids namespaces even if they are available; applies to Pyodide only. */
  readonly namespaces?: 'auto' | 'off';
  /** `auto` (default): native if it passes its self-test and has numpy, else Pyodide. */
  readonly engine?: 'auto' | EngineName;
  /** Interpreter of the native engine; null or absent to search the usual places. */
  readonly python?: string | null;
  /** Folder with wheels for Pyodide. */
  readonly wheelsDir?: string | null;
  readonly limits?: Partial<SandboxLimits>;
  readonly log: SandboxLog;
};

/**
 * A sandbox that starts on first use: some seconds the first time, half a second later on. While idle it does not keep
 * the Node process alive. The caller closes it.
 */
export function createPythonSandbox(options: PythonSandboxOptions): PythonSandbox {
  const { log, namespaces = 'auto', engine = 'auto', python = null, wheelsDir = null, ...rest } = options;
  const limits: SandboxLimits = { ...DEFAULT_LIMITS, ...options.limits };
  const supervisor = createSupervisorClient({ ...rest, namespaces, engine, python, wheelsDir, limits }, log);
  let isClosed = false;
  let modules = STANDARD_MODULES;

  async function run(code: string, dataJson: string, runOptions: RunOptions): Promise<PythonResult> {
    const excess = isClosed ? messages.closed : excessOf(code, dataJson, limits);
    if (excess) return withoutResult(excess);
    const { user, signal, onPrinted } = runOptions;
    try {
      const request = { type: 'run', user, code, dataJson } as const;
      return resultSchema.parse(await supervisor.call(request, { signal, onPrinted }));
    } catch (error) {
      if (signal.aborted) throw error;
      log.warn(`a Python analysis failed: ${String(error)}`);
      return withoutResult(isClosed ? messages.closed : messages.unavailable('its supervisor failed'));
    }
  }

  return {
    run,
    packages: () => modules,
    selfTests: async () => selfTestsSchema.parse(await supervisor.call({ type: 'selfTests' })),
    availability: async () => {
      const availability = availabilitySchema.parse(await supervisor.call({ type: 'availability' }));
      if (availability.available) modules = availability.modules;
      return availability;
    },
    load: async () =>
      supervisor.isStarted() ? loadSchema.parse(await supervisor.call({ type: 'load' })) : null,
    close: async () => {
      isClosed = true;
      await supervisor.close();
    },
  };
}

/** The size limit that is exceeded, if any. */
function excessOf(code: string, dataJson: string, limits: SandboxLimits): string | undefined {
  const codeBytes = Buffer.byteLength(code);
  if (codeBytes > limits.codeBytes) return messages.codeTooLong(codeBytes, limits.codeBytes);
  const dataBytes = Buffer.byteLength(dataJson);
  return dataBytes > limits.dataBytes ? messages.dataTooLong(dataBytes, limits.dataBytes) : undefined;
}

function withoutResult(error: string): PythonResult {
  return { output: null, charts: [], refused: [], tables: {}, error, durationMs: 0 };
}
