/**
 * Loaded before the scripts of `package.json` that have no usage text of their own (`node --import ./scripts/help.ts …`):
 * with `--help` it prints the comment at the top of the script, and nothing runs.
 */
import { readFileSync } from 'node:fs';

const [, script = '', ...args] = process.argv;
if (args.includes('--help') || args.includes('-h')) {
  const comment = /^\/\*\*(?<text>[\s\S]*?)\*\//u.exec(readFileSync(script, 'utf8'))?.groups?.['text'];
  if (comment === undefined)
    throw new Error(`${script} does not begin with a comment that says how it is used`);
  process.stdout.write(`${comment.replaceAll(/^ *\* ?/gmu, '').trim()}\n`);
  process.exit(0);
}
