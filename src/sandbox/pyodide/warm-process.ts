import { randomBytes } from 'node:crypto';
import type { ContainedProcess } from '../contained-process.ts';
import type { EngineJob, WarmProcess } from '../engine.ts';
import type { SandboxLimits } from '../limits.ts';
import type { JobHeader } from './contained-io.ts';

const READY_LINE_BYTES = 1_024;

/** Speaks with a job process: waits for its ready line, hands over the one job, reads the one line of the reply. */
export function toWarmProcess(contained: ContainedProcess, limits: SandboxLimits): WarmProcess {
  const ready = contained.output.line(READY_LINE_BYTES).then(
    () => undefined,
    async (cause: unknown) => {
      contained.kill();
      const { how, stderr } = await contained.exited;
      const said = stderr.trim().slice(0, 500);
      throw new Error(`a process of the Pyodide engine did not start (${how})${said && `: ${said}`}`, {
        cause,
      });
    },
  );
  return {
    ready,
    exited: contained.exited.then(() => undefined),
    run: ({ code, dataJson }: EngineJob) => {
      const parts = [Buffer.from(code), Buffer.from(dataJson)] as const;
      const { outputChars, chartBytes, replyBytes } = limits;
      const header: JobHeader = {
        codeBytes: parts[0].length,
        dataBytes: parts[1].length,
        options: { seed: randomBytes(16).toString('hex'), outputChars, chartBytes, replyBytes },
      };
      contained.write(`${JSON.stringify(header)}\n`, ...parts);
      return contained.output.line(replyBytes);
    },
    rssBytes: () => contained.rssBytes(),
    kill: () => contained.kill(),
  };
}
