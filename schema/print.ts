/** Writes `schema.graphql`, sorted; with `--check` it only compares and shows what differs. */
import { readFileSync, writeFileSync } from 'node:fs';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { undescribed } from './descriptions.ts';
import { schema } from './index.ts';

const file = new URL('./schema.graphql', import.meta.url);
const printed = `${printSchema(lexicographicSortSchema(schema))}\n`;

const missing = undescribed(schema);
if (missing.length > 0) fail(`these have no description:\n${missing.map((name) => `  ${name}`).join('\n')}`);

if (process.argv.includes('--check')) {
  const committed = readFileSync(file, 'utf8');
  if (committed !== printed) {
    fail(
      `schema/schema.graphql differs from the code; run npm run schema:print. First difference:\n${firstDifference(committed, printed)}`,
    );
  }
} else {
  writeFileSync(file, printed);
}

function firstDifference(before: string, after: string): string {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const line = now.findIndex((text, index) => text !== old[index]);
  const at = line === -1 ? now.length : line;
  return `line ${at + 1}\n- ${old[at] ?? '(end)'}\n+ ${now[at] ?? '(end)'}`;
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
