/**
 * Python written by a model, run where it can reach nothing. This file is all that the rest of QPilot knows of it:
 * it must not know which engine runs the code, and the engines must not know of chips, sessions or tools.
 */

import { DEFAULT_LIMITS } from './limits.ts';
import type { SandboxLimits } from './limits.ts';
import { messages } from './messages.ts';
import type { PythonResult } from './python-result.ts';
import { STANDARD_MODULES } from './python/modules.ts';
import { createSupervisorClient } from './supervisor-client.ts';
import type { SandboxLog } from './supervisor-client.ts';
import { availabilitySchema, resultSchema, selfTestsSchema } from './supervisor-protocol.ts';
import type { EngineName, SandboxAvailability, SelfTestReport } from './walls.ts';

/** Who asks, and how to stop. */
export type RunOptions = {
  /** Aborting kills the process at once and rejects the run. */
  readonly signal: AbortSignal;
  /** Users share the processes fairly: one analysis each while others wait. */
  readonly user: string;
  /**
   * Hears what the code prints while it runs, in order and a few times a second; the last of it may come in the result
   * alone. The Pyodide engine can see inside a run only at its end, so that it tells nothing.
   */
  readonly onPrinted?: (text: string) => void;
};

/** Runs Python apart from everything. Nothing survives from one run to the next. */
export interface PythonSandbox {
  /**
   * Runs `code` with the dict of `dataJson` (JSON text of an object) bound to `data`. Never rejects for what the code
   * does or for want of a process: both are told in `error`. Rejects only with an `AbortError` when `signal` fired.
   */
  run(code: string, dataJson: string, options: RunOptions): Promise<PythonResult>;
  /** Modules that code may import, for the description of the tool; until the sandbox has started, the least it has. */
  packages(): readonly string[];
  /** Tries every wall of every engine that the settings allow, from the inside of a process that is like any other. */
  selfTests(): Promise<readonly SelfTestReport[]>;
  /** Starts the sandbox if need be and says whether it may be offered. */
  availability(): Promise<SandboxAvailability>;
  /** Kills every process and the supervisor; runs under way answer with an error. */
  close(): Promise<void>;
}

/** What a sandbox is made of. */
export type PythonSandboxOptions = {
  /** Folder for what is made once and kept, about 32 MB; made when it is not there. */
  readonly cacheDir: string;
  /**
   * Offer analyses although contained processes could open connections, on machines without user namespaces. The walls
   * that keep analysed code from trying must hold all the same.
   */
  readonly allowWithoutNamespaces: boolean;
  /** `off` does without namespaces even where they are allowed; the native engine has no such mode. */
  readonly namespaces?: 'auto' | 'off';
  /** `auto`, the default: native where it is offered and has numpy, else Pyodide. */
  readonly engine?: 'auto' | EngineName;
  /** Path of the native engine's interpreter; null or absent to look in the usual places. */
  readonly python?: string | null;
  /** Folder with wheels for Pyodide. */
  readonly wheelsDir?: string | null;
  readonly limits?: Partial<SandboxLimits>;
  readonly log: SandboxLog;
};

/**
 * A sandbox that starts with its first use, takes some seconds the very first time and half a second later, and keeps no
 * process alive while it is idle. The caller closes it.
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
      log.warn(`a Python analysis had no answer: ${String(error)}`);
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
    close: async () => {
      isClosed = true;
      await supervisor.close();
    },
  };
}

/** What is too long, if anything; told before it is sent anywhere. */
function excessOf(code: string, dataJson: string, limits: SandboxLimits): string | undefined {
  const codeBytes = Buffer.byteLength(code);
  if (codeBytes > limits.codeBytes) return messages.codeTooLong(codeBytes, limits.codeBytes);
  const dataBytes = Buffer.byteLength(dataJson);
  return dataBytes > limits.dataBytes ? messages.dataTooLong(dataBytes, limits.dataBytes) : undefined;
}

function withoutResult(error: string): PythonResult {
  return { output: null, charts: [], refusedCharts: [], tables: {}, error, durationMs: 0 };
}
