/** `npm run permissions`: writes `docs/permissions.md` from the rules in the code; with `--check` it fails where they differ. */
import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { permissions, permissionsPage } from '../src/operations/permissions/permissions.ts';

const file = new URL('../docs/permissions.md', import.meta.url).pathname;
const page = await format(permissionsPage(), { ...(await resolveConfig(file)), parser: 'markdown' });
const open = permissions().filter(({ rule }) => rule === null);
if (open.length > 0) fail(`without a rule: ${open.map(({ name }) => name).join(', ')}`);
if (!process.argv.includes('--check')) writeFileSync(file, page);
else if (readFileSync(file, 'utf8') !== page)
  fail('docs/permissions.md differs from the code; run npm run permissions');

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
