/**
 * Python written by a model, run where it can reach nothing. This file is all that the rest of QPilot knows of it:
 * it must not know which engine runs the code, and the engines must not know of chips, sessions or tools.
 */

import { DEFAULT_LIMITS } from './limits.ts';
import type { SandboxLimits } from './limits.ts';
import { messages } from './messages.ts';
import { STANDARD_MODULES } from './pyodide/modules.ts';
import { createSupervisorClient } from './supervisor-client.ts';
import { availabilitySchema, resultSchema, selfTestSchema } from './supervisor-protocol.ts';

/** Any value that JSON can hold. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A JSON object; keys come from analysis code and may be any text, `__proto__` included. */
export type JsonObject = { readonly [key: string]: JsonValue };

/** A Plotly figure: a list of traces in `data`, usually with a `layout`. */
export type PlotlySpec = JsonObject & { readonly data: readonly JsonValue[] };

/** What one analysis gave. Text and values were made by the analysed code: data to show, never instructions. */
export type PythonResult = {
  /** `result["output"]` as text, else what was printed; `null` when an error left nothing printed. */
  readonly output: string | null;
  /** `result["chart"]`, a figure or a list of figures; those without `data` are left out. */
  readonly charts: readonly PlotlySpec[];
  /** `result["tables"]`, rows by the name they are to be stored under. */
  readonly tables: Readonly<Record<string, readonly JsonObject[]>>;
  /** Why there is no result, written for the author of the code; what was printed before is kept in `output`. */
  readonly error: string | null;
  /** From the hand-over to the answer; 0 when the code was never started. */
  readonly durationMs: number;
};

/** One thing that contained code must not be able to do, tried at start from the inside. */
export type WallCheck = {
  /** For example `read outside files`. */
  readonly name: string;
  /** True when the attempt failed, as it must. */
  readonly ok: boolean;
  /** True when the engine is not offered unless `ok`; a check only namespaces can pass may be waived by a setting. */
  readonly required: boolean;
  /** What happened on the attempt. */
  readonly detail: string;
};

/** Outcome of all {@link WallCheck}s of one engine on this machine. */
export type SelfTestReport = {
  readonly engine: string;
  /** True when every required check holds. */
  readonly ok: boolean;
  /** True when each process has its own user, network and process namespace. */
  readonly namespaces: boolean;
  readonly walls: readonly WallCheck[];
};

/** Whether analyses can be offered on this machine, and if not, why. */
export type SandboxAvailability =
  { readonly available: true } | { readonly available: false; readonly reason: string };

/** Who asks, and how to stop. */
export type RunOptions = {
  /** Aborting kills the process at once and rejects the run. */
  readonly signal: AbortSignal;
  /** Users share the processes fairly: one analysis each while others wait. */
  readonly user: string;
  /** Printed text, in order. The Pyodide engine can see inside a run only at its end and then calls once. */
  readonly onOutput?: (text: string) => void;
};

/** Runs Python apart from everything. Nothing survives from one run to the next. */
export interface PythonSandbox {
  /**
   * Runs `code` with the dict of `dataJson` (JSON text of an object) bound to `data`. Never rejects for what the code
   * does or for want of a process: both are told in `error`. Rejects only with an `AbortError` when `signal` fired.
   */
  run(code: string, dataJson: string, options: RunOptions): Promise<PythonResult>;
  /** Modules that code may import, for the description of the tool. */
  packages(): readonly string[];
  /** Tries every wall from the inside, in a process like those that run analyses. */
  selfTest(): Promise<SelfTestReport>;
  /** Starts the sandbox if need be and says whether it may be offered. */
  availability(): Promise<SandboxAvailability>;
  /** Kills every process and the supervisor; runs under way answer with an error. */
  close(): Promise<void>;
}

/** Where the sandbox says what its operator should know. A pino logger fits. */
export type SandboxLog = Record<'info' | 'warn', (message: string) => void>;

/** What a sandbox is made of. */
export type PythonSandboxOptions = {
  /** Folder for what is made once and kept, about 32 MB; made when it is not there. */
  readonly cacheDir: string;
  /**
   * Offer analyses although contained processes could open connections, on machines without user namespaces. The walls
   * that keep analysed code from trying must hold all the same.
   */
  readonly allowWithoutNamespaces: boolean;
  /** `off` does without namespaces even where they are allowed. */
  readonly namespaces?: 'auto' | 'off';
  readonly limits?: Partial<SandboxLimits>;
  readonly log: SandboxLog;
};

/**
 * A sandbox that starts with its first use, takes some seconds the very first time and half a second later, and keeps no
 * process alive while it is idle. The caller closes it.
 */
export function createPythonSandbox(options: PythonSandboxOptions): PythonSandbox {
  const { cacheDir, allowWithoutNamespaces, namespaces = 'auto', log } = options;
  const limits: SandboxLimits = { ...DEFAULT_LIMITS, ...options.limits };
  const supervisor = createSupervisorClient({ cacheDir, allowWithoutNamespaces, namespaces, limits }, log);
  let isClosed = false;

  async function run(code: string, dataJson: string, { signal, user }: RunOptions): Promise<PythonResult> {
    const excess = isClosed ? messages.closed : excessOf(code, dataJson, limits);
    if (excess) return withoutResult(excess);
    try {
      return resultSchema.parse(await supervisor.call({ type: 'run', user, code, dataJson }, signal));
    } catch (error) {
      if (signal.aborted) throw error;
      log.warn(`a Python analysis had no answer: ${String(error)}`);
      return withoutResult(isClosed ? messages.closed : messages.unavailable('its supervisor failed'));
    }
  }

  return {
    run: async (code, dataJson, runOptions) => {
      const result = await run(code, dataJson, runOptions);
      if (result.output) runOptions.onOutput?.(result.output);
      return result;
    },
    packages: () => STANDARD_MODULES,
    selfTest: async () => selfTestSchema.parse(await supervisor.call({ type: 'selfTest' })),
    availability: async () => availabilitySchema.parse(await supervisor.call({ type: 'availability' })),
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
  return { output: null, charts: [], tables: {}, error, durationMs: 0 };
}
