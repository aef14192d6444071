/** `npm run audit`: who did what, of all projects, from the database itself. */
import { parseArgs } from 'node:util';
import { createLogger } from '../../base/log.ts';
import type { ResourceStack } from '../../base/resource-stack.ts';
import { openStores } from '../../app/stores.ts';
import { readConfig } from '../../config/config.ts';
import { AUDIT_KINDS, type AuditEntry, type AuditKind } from '../../domain/audit/audit.ts';
import { pagesOf } from '../../services/audit/audit.ts';
import { auditHead, auditText } from '../../services/audit/export.ts';
import { openDatabase } from '../../stores/pg/database.ts';
import { print, runCommand, UsageError } from './run-command.ts';

const USAGE = `Usage: npm run audit -- [--last N] [--person ID] [--kind KIND]... [--project ID] [--from TIME] [--to TIME] [--csv | --jsonl]
  Prints who did what, newest first: 50 records, or the last N; with --csv or --jsonl all of them, as a file.
  Kinds: ${AUDIT_KINDS.join(', ')}. Times are ISO 8601.`;

async function run(args: readonly string[], signal: AbortSignal, resources: ResourceStack): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      last: { type: 'string' },
      person: { type: 'string' },
      kind: { type: 'string', multiple: true },
      project: { type: 'string' },
      from: { type: 'string' },
      to: { type: 'string' },
      csv: { type: 'boolean', default: false },
      jsonl: { type: 'boolean', default: false },
    },
  });
  const format = values.csv ? 'csv' : values.jsonl ? 'jsonl' : null;
  const most = values.last === undefined ? (format === null ? 50 : Infinity) : Number(values.last);
  if (!(most > 0)) throw new UsageError(`--last is ${values.last}; give a number above 0`);
  const filter = {
    personId: values.person,
    kinds: values.kind?.map(kindOf),
    from: timeOf('--from', values.from),
    to: timeOf('--to', values.to),
  };
  const { dataDir, databaseUrl, mongodbUri } = readConfig(process.env);
  const log = createLogger('silent');
  const stores = await openStores({ dataDir, databaseUrl, mongodbUri, log, signal });
  resources.defer(() => stores.stop());
  const database = openDatabase(stores.postgresUrl, { log });
  resources.defer(() => database.close());
  const scope = values.project === undefined ? 'everywhere' : { projectId: values.project };
  if (format !== null) process.stdout.write(auditHead(format));
  let left = most;
  for await (const page of pagesOf(database.db, scope, filter)) {
    const entries = page.slice(0, left);
    if (format === null) entries.map(lineOf).forEach(print);
    else process.stdout.write(auditText(format, entries));
    left -= entries.length;
    if (left <= 0 || signal.aborted) return;
  }
}

function kindOf(text: string): AuditKind {
  const kind = AUDIT_KINDS.find((each) => each === text.toUpperCase());
  if (kind === undefined) throw new UsageError(`--kind is ${text}; give one of ${AUDIT_KINDS.join(', ')}`);
  return kind;
}

function timeOf(option: string, text: string | undefined): Date | null {
  if (text === undefined) return null;
  const time = new Date(text);
  if (Number.isNaN(time.getTime()))
    throw new UsageError(`${option} is ${text}; give a time such as 2026-05-01T00:00:00Z`);
  return time;
}

const lineOf = ({ at, kind, action, outcome, ids, ...who }: AuditEntry): string =>
  [
    `${at.toISOString().slice(0, 19)}Z`,
    kind,
    action,
    outcome,
    `${who.personName ?? 'nobody'}${who.personId === null ? '' : ` (${who.personId})`}`,
    ...(who.keyId === null ? [] : [`key ${who.keyId}`]),
    who.address ?? 'no address',
    who.projectId ?? 'no project',
    ...Object.entries(ids).map(([name, id]) => `${name}=${id}`),
  ].join('  ');

await runCommand({ usage: USAGE, run });
