import type { EngineName, SelfTestReport } from './walls.ts';

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
  /**
   * The reply as JSON text, unchecked but no longer than the limit. Rejects when the process dies or says too much.
   * `onPrinted` hears text while it is printed, where the engine can see inside a run.
   */
  run(job: EngineJob, onPrinted: (text: string) => void): Promise<string>;
  /** Resident memory of the process in bytes, 0 where the system does not tell. */
  rssBytes(): Promise<number>;
  /** Beyond this the process is to be killed. */
  readonly rssLimitBytes: number;
  /** SIGKILL, at once and more than once if need be. */
  kill(): void;
};

/** A way to run Python apart. The pool knows nothing else of it. */
export type PythonEngine = {
  readonly name: EngineName;
  /**
   * Makes what its processes load. Must have resolved before anything else; may be called again. Rejects with what this
   * machine lacks, in words for its operator.
   */
  prepare(): Promise<void>;
  /** Modules that analyses may import. */
  modules(): readonly string[];
  /** What is not as its operator wanted it, though it can run. */
  remarks(): readonly string[];
  start(): WarmProcess;
  /** Tries the walls from inside a process like those of {@link PythonEngine.start}. */
  selfTest(): Promise<SelfTestReport>;
};
