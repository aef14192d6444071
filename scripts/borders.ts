/**
 * `npm run borders`: holds every import against `borders.json`, the table of what each folder may import, and prints
 * that table into `docs/architecture.md`. With `--check` it writes nothing and fails where the page differs. A file
 * belongs to the longest row that contains it. An import that no row allows is an error, and so is a permission that
 * nothing uses.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { format } from 'prettier';
import { z } from 'zod';

const PAGE = 'docs/architecture.md';
const [START, END] = ['<!-- borders: start -->', '<!-- borders: end -->'];
const row = z.strictObject({
  is: z.string(),
  imports: z.array(z.string()),
  pure: z.boolean().default(false),
});
const rows = z.record(z.string(), row).parse(JSON.parse(readFileSync('borders.json', 'utf8')));
const names = Object.keys(rows).toSorted((a, b) => b.length - a.length);

const rowOf = (file: string): string | undefined =>
  names.find((name) => file === name || file.startsWith(`${name}/`));

/** Modules of Node that do I/O, and database drivers: not for rows that are pure. */
const IMPURE =
  /^(?:node:(?:fs|http|https|net|child_process|worker_threads|dgram|tls)(?:\/|$)|mongodb$|pg$|kysely$)/;
const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*'(?<module>[^']+)'/g;

const problems: string[] = [];
const used = new Set<string>();

function examine(file: string): void {
  const from = rowOf(file);
  if (from === undefined) return void problems.push(`${file}: no row of borders.json contains it`);
  for (const { groups } of readFileSync(file, 'utf8').matchAll(IMPORT)) {
    const module = groups?.['module'] ?? '';
    if (rows[from]?.pure && IMPURE.test(module))
      problems.push(`${file}: ${from} is pure and may not import ${module}`);
    const path = module.startsWith('.')
      ? normalize(join(dirname(file), module))
      : module.replace(/^@qpilot\//, 'packages/');
    const to = rowOf(path);
    if (to === undefined || to === from || to.startsWith(`${from}/`) || path.startsWith('client/gql'))
      continue;
    const permission = rows[from]?.imports.find((name) => path === name || path.startsWith(`${name}/`));
    if (permission === undefined) problems.push(`${file}: ${from} may not import ${path}`);
    used.add(`${from} ${permission}`);
  }
}

const tracked = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx'],
  {
    encoding: 'utf8',
  },
);
const isOurs = (file: string): boolean =>
  /^(?:src|schema|packages|client)\//.test(file) && !/(?:^|\/)test\//.test(file) && existsSync(file);
for (const file of tracked.split('\n').filter(isOurs)) examine(file);
for (const [from, { imports }] of Object.entries(rows)) {
  for (const to of imports)
    if (!used.has(`${from} ${to}`)) problems.push(`borders.json: ${from} no longer imports ${to}`);
}

/** The table as the page shows it, lowest floor first. */
const table = [
  '| folder | what it is | may import |',
  '| --- | --- | --- |',
  ...Object.entries(rows).map(
    ([name, { is, imports, pure }]) =>
      `| \`${name}\` | ${is}${pure ? ' (no I/O)' : ''} | ${imports.map((to) => `\`${to.replace(/^src\//, '')}\``).join(' ') || 'nothing of ours'} |`,
  ),
].join('\n');
const page = readFileSync(PAGE, 'utf8');
const [before, after] = [page.split(START)[0], page.split(END)[1]];
const made = await format(`${before}${START}\n\n${table}\n\n${END}${after}`, {
  parser: 'markdown',
  printWidth: 110,
});
if (made !== page) {
  if (process.argv.includes('--check'))
    problems.push(`${PAGE}: the table differs from borders.json; run npm run borders`);
  else writeFileSync(PAGE, made);
}
for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length > 0) process.exitCode = 1;
