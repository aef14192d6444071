import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { ContainedProcess } from './contained-process.ts';
import type { EngineJob, WarmProcess } from './engine.ts';
import { messages } from './messages.ts';
import type { SandboxLimits } from './limits.ts';

/** Line of JSON before the code and the data of a job on standard input. */
export type JobHeader = {
  readonly codeBytes: number;
  readonly dataBytes: number;
  /** Passed on to `runner.py`. */
  readonly options: { readonly seed: string } & Readonly<Record<string, string | number>>;
  /** Limits that the process sets on itself before it runs the code. */
  readonly own: Readonly<Record<string, number>>;
};

/** Engine-specific parts of the protocol. */
export type Dialect = {
  /** Name of the engine, for messages. */
  readonly engine: string;
  readonly limits: SandboxLimits;
  /** Limits that the process sets on itself, determined just before the hand-over. */
  readonly ownLimits?: () => Promise<JobHeader['own']>;
};

const READY_LINE_BYTES = 1_024;
/** More progress lines than this mean a hostile process. */
const MAX_PRINTED_LINES = 1_000;
const PRINTED = '{"printed":';
const printedSchema = z.object({ printed: z.string() });

/**
 * The protocol with a job process: wait for its ready line, hand over the job, read lines of printed output and finally
 * the reply.
 */
export function toWarmProcess(contained: ContainedProcess, dialect: Dialect): WarmProcess {
  const { engine, limits } = dialect;
  const ready = contained.output.line(READY_LINE_BYTES).then(
    () => undefined,
    async (cause: unknown) => {
      contained.kill();
      const { how, stderr } = await contained.exited;
      const reason = stderr.trim().slice(-500);
      throw new Error(`a process of the ${engine} engine did not start (${how})${reason && `: ${reason}`}`, {
        cause,
      });
    },
  );
  return {
    ready,
    exited: contained.exited.then(() => undefined),
    run: async (job, onPrinted) => {
      contained.write(...messageOf(job, limits, (await dialect.ownLimits?.()) ?? {}));
      return await replyOf(contained, limits, onPrinted);
    },
    exceeded: async () => {
      if ((await contained.rssBytes()) > limits.rssBytes) return messages.tooMuchMemory;
      return (await contained.files()) > limits.files ? messages.tooManyFiles(limits) : null;
    },
    kill: () => contained.kill(),
  };
}

function messageOf(
  { code, dataJson }: EngineJob,
  { outputChars, chartBytes, replyBytes }: SandboxLimits,
  own: JobHeader['own'],
): readonly (string | Uint8Array)[] {
  const parts = [Buffer.from(code), Buffer.from(dataJson)] as const;
  const header: JobHeader = {
    codeBytes: parts[0].length,
    dataBytes: parts[1].length,
    options: { seed: randomBytes(16).toString('hex'), outputChars, chartBytes, replyBytes },
    own,
  };
  return [`${JSON.stringify(header)}\n`, ...parts];
}

async function replyOf(
  { output }: ContainedProcess,
  { replyBytes, outputChars }: SandboxLimits,
  onPrinted: (text: string) => void,
): Promise<string> {
  // Bounded, since a hostile process could forge gigabytes of progress lines.
  let room = outputChars;
  for (let lines = 0; lines <= MAX_PRINTED_LINES; lines++) {
    const line = await output.line(replyBytes);
    if (!line.startsWith(PRINTED)) return line;
    const text = printedSchema.parse(JSON.parse(line)).printed.slice(0, room);
    room -= text.length;
    if (text !== '') onPrinted(text.toWellFormed());
  }
  throw new Error(`it sent more than ${MAX_PRINTED_LINES} lines of printed output`);
}
