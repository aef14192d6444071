/** `npm run person`: writes out or deletes what is stored of one person. */
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { openStores } from '../../app/stores.ts';
import { InvalidInputError, StartupError } from '../../base/errors.ts';
import { createLogger } from '../../base/log.ts';
import type { ResourceStack } from '../../base/resource-stack.ts';
import { readConfig } from '../../config/config.ts';
import { openDatabase, UNLIMITED } from '../../stores/pg/database.ts';
import { isMigrated } from '../../stores/pg/migrate.ts';
import { beginSnapshot, connect } from '../backup/postgres-part.ts';
import { deletePerson } from '../person/delete-person.ts';
import { exportPerson } from '../person/export-person.ts';
import { countFiles, countRows, findFiles, findPerson, type Count } from '../person/person.ts';
import { print, runCommand, UsageError } from './run-command.ts';

const USAGE = `Usage:
  npm run person -- export WHO --out FOLDER [--dry-run]
  npm run person -- delete WHO [--dry-run] [--yes]
  WHO is an id, an address or a name of an account; without sign-in, local. The server may run. With --dry-run only counts are
  shown. What is deleted cannot be brought back but from a backup, which still holds it.`;

async function run(args: readonly string[], signal: AbortSignal, resources: ResourceStack): Promise<void> {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { out: { type: 'string' }, 'dry-run': { type: 'boolean' }, yes: { type: 'boolean' } },
  });
  const [action, who, ...more] = positionals;
  const { out, 'dry-run': isDryRun = false, yes = false } = values;
  if ((action !== 'export' && action !== 'delete') || who === undefined || more.length > 0)
    throw new UsageError('say export or delete, and who');
  if (action === 'export' && out === undefined) throw new UsageError('name a folder by --out');
  const config = readConfig(process.env);
  const { dataDir, databaseUrl, mongodbUri } = config;
  const log = createLogger('warn');
  const stores = await openStores({ dataDir, databaseUrl, mongodbUri, log, signal });
  resources.defer(() => stores.stop());
  const database = openDatabase(stores.postgresUrl, { log, connections: 2, limits: UNLIMITED });
  resources.defer(() => database.close());
  if (!(await isMigrated(database.db)))
    throw new StartupError(
      'the tables in PostgreSQL are those of an older version, so this one cannot find everything; start QPilot of this version once, then run this again',
    );
  const client = await connect(stores.postgresUrl);
  resources.defer(() => client.end());
  await beginSnapshot(client);
  const person = await findPerson(client, who);
  const files = await findFiles(client, person.id, dataDir);
  const counts = [...(await countRows(client, person.id)), ...countFiles(files)];
  print(person.name === null ? person.id : `${person.name}, ${person.email ?? 'no address'} (${person.id})`);
  for (const count of counts) print(lineOf(count, action));
  if (isDryRun) return;
  if (action === 'export') {
    if (out === undefined) return;
    await exportPerson(client, person, { dataDir, folder: out });
    return print(`Written to ${out}, which others must not read.`);
  }
  if (!yes) await requireAgreement(person.name ?? person.id, signal);
  await deletePerson(database.db, person, files, dataDir);
  print('Deleted. Backups and logs of before still hold it.');
}

const lineOf = ({ where, count, stays }: Count, action: 'export' | 'delete'): string =>
  `  ${String(count).padStart(8)}  ${where}${stays !== null && action === 'delete' ? `: stays, ${stays}` : ''}`;

/** @throws InvalidInputError unless somebody at a terminal agrees */
async function requireAgreement(name: string, signal: AbortSignal): Promise<void> {
  const refused = InvalidInputError.at([], 'nothing was deleted; a script agrees by --yes');
  if (!process.stdin.isTTY) throw refused;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const answer = await terminal.question(`Delete all of this of ${name}? [y/N] `, { signal });
    if (!/^y(es)?$/iu.test(answer.trim())) throw refused;
  } finally {
    terminal.close();
  }
}

await runCommand({ usage: USAGE, run });
