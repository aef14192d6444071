/** `npm run restore`: puts a backup in the place of an installation whose servers are stopped. */
import { parseArgs } from 'node:util';
import { readConfig } from '../../config/config.ts';
import { createLogger } from '../../base/log.ts';
import { restore } from '../backup/restore.ts';
import { print, runCommand, UsageError } from './run-command.ts';

const USAGE = `Usage: npm run restore -- FILE [--replace]
  Restores a backup into DATA_DIR, and DATABASE_URL if it is set. Stop all servers and workers first. --replace puts it in
  the place of what is there; nothing of that changes unless the whole backup could be restored.`;

async function run(args: readonly string[]): Promise<void> {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { replace: { type: 'boolean', default: false } },
  });
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new UsageError('name one file');
  const options = { replace: values.replace, log: createLogger('warn') };
  const { head, keptExperts } = await restore(readConfig(process.env), file, options);
  print(`restored what version ${head.program} backed up at ${head.madeAt}; start the server`);
  for (const path of keptExperts)
    print(`config/experts/${path} differs from the backup and was left as it is`);
}

await runCommand({ usage: USAGE, run });
