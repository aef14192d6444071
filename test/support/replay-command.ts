import { execFile } from 'node:child_process';
import type { Attempt } from '../../src/operations/replay/attempt.ts';
import type { Comparison } from '../../src/operations/replay/comparison.ts';
import { bareEnvironment } from './bare-environment.ts';
import type { TestApp } from './create-test-app.ts';

/** What `npm run replay -- … --json` prints. */
export type Replayed = {
  readonly recorded: Attempt;
  readonly replayed: Attempt;
  readonly comparison: Comparison;
};

/** Runs the command beside a server, and says how it ended. */
export function replay(
  { environment }: Pick<TestApp, 'environment'>,
  ...args: readonly string[]
): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const env = { ...bareEnvironment, ...environment };
    execFile(process.execPath, ['src/operations/cli/replay.ts', ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
  });
}
