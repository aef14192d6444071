import { availableParallelism } from 'node:os';

const KIB = 1024;
const MIB = 1024 * KIB;

/** Bounds of an analysis; tests inject shorter ones. */
export type SandboxLimits = {
  /**
   * Wall time, and processor time if the system counts it, from the hand-over to a warm process to its reply; without
   * queueing.
   */
  readonly timeoutMs: number;
  /** Linear memory (Pyodide), or memory allocated after the start (native). Above it, Python raises MemoryError. */
  readonly memoryBytes: number;
  /** Resident memory of all processes of one analysis; above it they are killed. */
  readonly rssBytes: number;
  /** Files and folders in its only writable folder: each takes about a kilobyte of the kernel's memory. */
  readonly files: number;
  /** Pause between two looks at memory and files. */
  readonly pollMs: number;
  /** Source text, in UTF-8 bytes. */
  readonly codeBytes: number;
  /** JSON text bound to `data`, in UTF-8 bytes. */
  readonly dataBytes: number;
  /** Characters of `output`; longer output is truncated with a note. */
  readonly outputChars: number;
  /** JSON text of all charts together. */
  readonly chartBytes: number;
  /** The whole answer of a process: output, charts and tables as JSON. */
  readonly replyBytes: number;
  /** Analyses that may wait for a process; further ones are refused at once. */
  readonly queueLength: number;
  readonly queueWaitMs: number;
  /** Processes kept warm, and so analyses that run at once. More than the number of cores adds nothing. */
  readonly warmProcesses: number;
  /** A process that is not ready by then has failed to start. */
  readonly startTimeoutMs: number;
  /** Idle time after which only one warm process is kept. */
  readonly idleShrinkMs: number;
  /** First pause after three failed starts in a row; it doubles up to {@link SandboxLimits.backoffMaxMs}. */
  readonly backoffMs: number;
  readonly backoffMaxMs: number;
};

/** The limits in production. */
export const DEFAULT_LIMITS: SandboxLimits = {
  timeoutMs: 5_000,
  memoryBytes: 256 * MIB,
  rssBytes: 600 * MIB,
  files: 10_000,
  pollMs: 25,
  codeBytes: 256 * KIB,
  dataBytes: 8 * MIB,
  outputChars: 100 * KIB,
  chartBytes: 2 * MIB,
  replyBytes: 4 * MIB,
  queueLength: 16,
  queueWaitMs: 10_000,
  warmProcesses: Math.min(availableParallelism(), 2),
  startTimeoutMs: 30_000,
  idleShrinkMs: 10 * 60_000,
  backoffMs: 1_000,
  backoffMaxMs: 60_000,
};

/** Minimum with pandas and the like, which allocate that much on import. */
const WITH_LIBRARIES = { memoryBytes: 512 * MIB, rssBytes: 800 * MIB };
/** Memory of parsed Python objects per byte of JSON, measured with small objects. */
const PYTHON_BYTES_PER_JSON_BYTE = 12;

/** The limits for an interpreter with these modules, with memory enough for the largest data allowed. */
export function limitsWith(modules: readonly string[], limits: SandboxLimits): SandboxLimits {
  const hasLibraries = modules.includes('numpy');
  const extra = Math.max(0, limits.dataBytes - DEFAULT_LIMITS.dataBytes) * PYTHON_BYTES_PER_JSON_BYTE;
  const least = (bytes: number, withLibraries: number) =>
    (hasLibraries ? Math.max(bytes, withLibraries) : bytes) + extra;
  return {
    ...limits,
    memoryBytes: least(limits.memoryBytes, WITH_LIBRARIES.memoryBytes),
    rssBytes: least(limits.rssBytes, WITH_LIBRARIES.rssBytes),
  };
}
