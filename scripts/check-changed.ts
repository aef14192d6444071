/**
 * `npm run check:changed`: a quick check while working. Typechecks everything, checks that the tests that requirements
 * cite exist, and lints and formats what differs from `main` (on `main`: from the commit before), uncommitted and new
 * files included. `npm run check` remains the full check.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';

const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim();

const base = git('branch', '--show-current') === 'main' ? 'HEAD~' : git('merge-base', 'main', 'HEAD');
const changed = [git('diff', '--name-only', base), git('ls-files', '--others', '--exclude-standard')]
  .flatMap((names) => names.split('\n'))
  .filter((file) => file !== '' && existsSync(file));
const code = changed.filter((file) => /\.(?:tsx?|m?js)$/.test(file));

/** Runs a program with its output shown; resolves to whether it succeeded. */
async function passes(program: string, ...args: string[]): Promise<boolean> {
  const [status] = (await once(spawn(program, args, { stdio: 'inherit' }), 'exit')) as [number | null];
  return status === 0;
}

const checks = [
  passes('npm', 'run', '--silent', 'typecheck'),
  passes('npm', 'run', '--silent', 'conformance', '--', '--check'),
];
if (code.length > 0) {
  checks.push(
    passes('npx', 'oxlint', '--type-aware', '--deny-warnings', '--no-error-on-unmatched-pattern', ...code),
  );
}
if (changed.length > 0) checks.push(passes('npx', 'prettier', '--check', '--ignore-unknown', ...changed));
if (!(await Promise.all(checks)).every(Boolean)) process.exitCode = 1;
