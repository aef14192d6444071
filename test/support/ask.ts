import { spawn } from 'node:child_process';

/** A run of the terminal client as its own process. */
export type AskRun = {
  /** What it printed so far. */
  readonly printed: () => string;
  interrupt(): void;
  readonly ended: Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
};

/** Runs `npm run ask -- ...args`, without npm. */
export function ask(...args: readonly string[]): AskRun {
  const child = spawn(process.execPath, ['client/terminal/ask.ts', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  const ended = new Promise<Awaited<AskRun['ended']>>((resolve) =>
    child.on('close', (code) => resolve({ code, stdout, stderr })),
  );
  return { printed: () => stdout, interrupt: () => void child.kill('SIGINT'), ended };
}
