import type { EngineName, SelfTestReport } from './walls.ts';

/** Input of one run; sizes have been checked. */
export type EngineJob = { readonly code: string; readonly dataJson: string };

/** A process for exactly one job. Its output is untrusted; the caller of `start` kills it. */
export type WarmProcess = {
  /** Rejects with the reason when the process fails to start. */
  readonly ready: Promise<void>;
  /** Resolves when the process has exited, for any reason. */
  readonly exited: Promise<void>;
  /**
   * The reply as unchecked JSON text within the size limit. Rejects when the process dies or exceeds that limit.
   * `onPrinted` receives output while the code runs, if the engine supports that.
   */
  run(job: EngineJob, onPrinted: (text: string) => void): Promise<string>;
  /** Why the pool must kill it now: the message of the limit that it exceeds; null within the limits. */
  exceeded(): Promise<string | null>;
  /** SIGKILL; may be called repeatedly. */
  kill(): void;
};

/** A way to run contained Python, as the pool sees it. */
export type PythonEngine = {
  readonly name: EngineName;
  /**
   * Creates the files that its processes load. Must resolve before any other call; may be repeated. Rejects with what
   * this machine lacks, worded for its operator.
   */
  prepare(): Promise<void>;
  /** Modules that analyses may import. */
  modules(): readonly string[];
  /** Configuration that could not be honoured, although the engine runs. */
  remarks(): readonly string[];
  start(): WarmProcess;
  /** Attacks the containment from inside a process like those of {@link PythonEngine.start}. */
  selfTest(): Promise<SelfTestReport>;
};
