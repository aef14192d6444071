/**
 * `npm run test:browser [-- paths]`: the tests in a real Chromium.
 *
 * A file in which something failed runs once more from its beginning, with a server and a browser of its own: its tests
 * follow one another on the same page, so that one of them cannot be repeated alone. The closing lines name what passed
 * only then, and why it failed before.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closingLines, type FileOutcome, type TestOutcome } from '../test/support/closing-lines.ts';

/** A file in what `jest --json` writes. */
type WrittenFile = {
  readonly name: string;
  readonly status: string;
  readonly message: string;
  readonly assertionResults: readonly TestOutcome[];
};

const folder = await mkdtemp(join(tmpdir(), 'qpilot-browser-tests-'));

/** Runs Jest, whose exit code becomes ours; null if it ended before it had results. */
async function run(name: string, args: readonly string[]): Promise<readonly FileOutcome[] | null> {
  const file = join(folder, name);
  const jest = ['jest', '--config', 'jest.browser.config.js', '--json', '--outputFile', file, ...args];
  const [code] = (await once(spawn('npx', jest, { stdio: 'inherit' }), 'exit')) as [number | null];
  process.exitCode = code ?? 1;
  if (!existsSync(file)) return null;
  const { testResults } = JSON.parse(await readFile(file, 'utf8')) as {
    readonly testResults: readonly WrittenFile[];
  };
  return testResults.map(({ name: path, status, message, assertionResults: tests }) => ({
    path,
    tests,
    brokenBy: status === 'failed' ? message : null,
  }));
}

try {
  const first = (await run('first', process.argv.slice(2))) ?? [];
  const failed = first.filter(hasFailed);
  if (failed.length > 0) {
    process.stdout.write(`\nRunning ${failed.length} of ${first.length} files again\n\n`);
    const second = await run('second', ['--runTestsByPath', ...failed.map(({ path }) => path)]);
    const lines = second && closingLines([...first.filter((file) => !hasFailed(file)), ...second], failed);
    if (lines) process.stdout.write(`${lines.join('\n')}\n`);
  }
} finally {
  await rm(folder, { recursive: true });
}

function hasFailed({ tests, brokenBy }: FileOutcome): boolean {
  return brokenBy !== null || tests.some(({ status }) => status === 'failed');
}
