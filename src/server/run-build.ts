import { spawn } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { fileURLToPath } from 'node:url';

const BUILD_COMMAND = fileURLToPath(new URL('../operations/cli/build.ts', import.meta.url));
const REASON_CHARACTERS = 4_000;

/** Root of this checkout. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url)).replace(/\/$/, '');

/**
 * Builds in another process, so that this one never holds a bundler.
 * @throws Error with the last output of a failed build
 */
export async function runBuild(what: 'client' | 'docs', signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const child = spawn(process.execPath, [BUILD_COMMAND, what], {
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
  });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-REASON_CHARACTERS);
  });
  child.once('error', reject);
  child.once('close', (code) => {
    if (code === 0) resolve();
    else
      reject(
        new Error(
          stripVTControlCharacters(output).trim() || `the build exited with code ${code} without output`,
        ),
      );
  });
  return promise;
}
