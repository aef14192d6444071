import { availableParallelism } from 'node:os';

const KIB = 1024;
const MIB = 1024 * KIB;

/** Every bound of an analysis. All of them are injectable, so that tests need not wait for the real ones. */
export type SandboxLimits = {
  /** Wall time of one analysis, and processor time where the system counts it: from the hand-over to a warm process until its answer; queueing is not counted. */
  readonly timeoutMs: number;
  /** What the interpreter may take: its linear memory, or what it takes after it has started. Beyond it: MemoryError. */
  readonly memoryBytes: number;
  /** Resident memory of all processes of one analysis; beyond it they are killed. */
  readonly rssBytes: number;
  readonly rssPollMs: number;
  /** Source text, in UTF-8 bytes. */
  readonly codeBytes: number;
  /** JSON text bound to `data`, in UTF-8 bytes. */
  readonly dataBytes: number;
  /** Characters of `output`; longer output is cut and says so. */
  readonly outputChars: number;
  /** JSON text of all charts together. */
  readonly chartBytes: number;
  /** The whole answer of a process: output, charts and tables as JSON. */
  readonly replyBytes: number;
  /** How many analyses may wait for a process; one more is refused at once. */
  readonly queueLength: number;
  readonly queueWaitMs: number;
  /** Processes kept warm, which is also how many analyses run at once. More than there are cores adds nothing. */
  readonly warmProcesses: number;
  /** A new process that is not ready by then has failed to start. */
  readonly startTimeoutMs: number;
  /** After this long without an analysis one warm process is kept. */
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
  rssPollMs: 25,
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

/** Least memory with pandas and its like, which take more before they do anything. */
const WITH_LIBRARIES = { memoryBytes: 512 * MIB, rssBytes: 800 * MIB };
/** Values of Python that a byte of JSON becomes, measured with small objects. */
const PYTHON_BYTES_PER_JSON_BYTE = 12;

/** The limits of an interpreter with these modules, whose memory holds the data that are allowed. */
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
