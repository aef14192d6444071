import type { SelfTestReport } from './python-sandbox.ts';

/** What a process is given to do. Sizes have been checked. */
export type EngineJob = { readonly code: string; readonly dataJson: string };

/**
 * A process that is or becomes ready for exactly one job. Everything it says is untrusted; whoever started it kills it.
 */
export type WarmProcess = {
  /** Rejects when the process could not start; the message says why. */
  readonly ready: Promise<void>;
  /** Resolves when the process has gone, for whatever reason. */
  readonly exited: Promise<void>;
  /** The reply as JSON text, unchecked but no longer than the limit. Rejects when the process dies or says too much. */
  run(job: EngineJob): Promise<string>;
  /** Resident memory of the process in bytes, 0 where the system does not tell. */
  rssBytes(): Promise<number>;
  /** SIGKILL, at once and more than once if need be. */
  kill(): void;
};

/** A way to run Python apart. The pool knows nothing else of it. */
export type PythonEngine = {
  readonly name: string;
  /** Makes what its processes load. Must have resolved before {@link PythonEngine.start}; may be called again. */
  prepare(): Promise<void>;
  start(): WarmProcess;
  /** Tries the walls from inside a process like those of {@link PythonEngine.start}. */
  selfTest(): Promise<SelfTestReport>;
};
