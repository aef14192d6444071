/** Writes one person's data into a folder. */
import { createWriteStream } from 'node:fs';
import { copyFile, cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import type { Client } from 'pg';
import { InvalidInputError } from '../../base/errors.ts';
import { fileName, findFiles, uploadFile, workspace, type Somebody } from './person.ts';
import { PLACES, type Place } from './places.ts';

const decompress = promisify<Buffer, Buffer>(zstdDecompress);

/**
 * Writes everything of somebody into a folder that does not exist yet, readable for this user only: a file of JSON lines for
 * each table, pictures, uploads and workspaces. `client` reads one snapshot.
 * @throws InvalidInputError for a folder with something in it
 */
export async function exportPerson(
  client: Client,
  person: Somebody,
  { dataDir, folder }: { readonly dataDir: string; readonly folder: string },
): Promise<void> {
  const entries = await readdir(folder).catch(() => []);
  if (entries.length > 0) throw InvalidInputError.at(['--out'], `${folder} is not empty; name a new folder`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const place of PLACES) await exportTable(client, person.id, place, folder);
  const { uploads, jobs } = await findFiles(client, person.id, dataDir);
  if (uploads.length > 0) await mkdir(join(folder, 'uploads'), { mode: 0o700 });
  for (const id of uploads) await copyFile(uploadFile(dataDir, id), uploadFile(folder, id));
  for (const id of jobs) await cp(workspace(dataDir, id), workspace(folder, id), { recursive: true });
}

const ROWS_AT_ONCE = 50;

type Row = Record<string, unknown>;

async function exportTable(
  client: Client,
  id: string,
  { table, where, hidden }: Place,
  folder: string,
): Promise<void> {
  let file: ReturnType<typeof createWriteStream> | null = null;
  await client.query(
    `declare rows no scroll cursor for select to_json(t) as row from ${table} as t where ${where}`,
    [id],
  );
  for (;;) {
    const { rows } = await client.query<{ row: Row }>(`fetch ${ROWS_AT_ONCE} from rows`);
    if (rows.length === 0) break;
    file ??= createWriteStream(join(folder, `${fileName(table)}.jsonl`), { mode: 0o600, flags: 'wx' });
    for (const { row } of rows) {
      if (!file.write(`${JSON.stringify(await readable(row, folder, hidden))}\n`)) await once(file, 'drain');
    }
  }
  await client.query('close rows');
  if (file !== null) await new Promise((resolve, reject) => file.on('error', reject).end(resolve));
}

/** The row with what is compressed as text, and pictures as files beside it. */
async function readable(row: Row, folder: string, hidden: readonly string[]): Promise<Row> {
  const shown = Object.fromEntries(Object.entries(row).filter(([name]) => !hidden.includes(name)));
  const compressed = { ...COMPRESSED, ...('turn_ids' in row && { body: 'body' }) }; // pages of events always are
  for (const [zstd, text] of Object.entries(compressed)) {
    if (typeof row[zstd] === 'string') shown[text] = (await decompress(bytesOf(row[zstd]))).toString();
    if (zstd !== text) delete shown[zstd];
  }
  if (typeof row['media_type'] === 'string' && typeof row['body'] === 'string') {
    const name = `${String(row['id'])}.${row['media_type'].replace('image/', '')}`;
    await mkdir(join(folder, PICTURES), { recursive: true, mode: 0o700 });
    await writeFile(join(folder, PICTURES, name), bytesOf(row['body']), { mode: 0o600, flag: 'wx' });
    shown['body'] = join(PICTURES, name);
  }
  return shown;
}

/** Columns with compressed text, and those that have it where it is short. */
const COMPRESSED = { result_zstd: 'result_json', body_zstd: 'body' } as const;
const PICTURES = 'pictures';

/** `bytea` as JSON has it. */
const bytesOf = (hex: string): Buffer => Buffer.from(hex.slice('\\x'.length), 'hex');
