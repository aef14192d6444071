/**
 * Uploads of users: tables, received as CSV and stored as Parquet files in the data folder, and short texts, stored in
 * Postgres. A foreign upload looks like an unknown one. Servers on one database share the folder.
 */
import { isUtf8 } from 'node:buffer';
import { access, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ARTIFACT_LIMITS } from '../domain/artifacts/artifacts.ts';
import type { Session, Viewer } from '../domain/conversation/session.ts';
import type { DatasetAnswer } from '../domain/datasets/dataset-answer.ts';
import { planQuery, type DatasetQuery } from '../domain/datasets/dataset-query.ts';
import type { SessionDataset, Upload } from '../domain/datasets/dataset.ts';
import { shorten, toStoredText } from '../domain/text/stored-text.ts';
import { InvalidInputError, NotFoundError, RateLimitedError, typedFileError } from '../base/errors.ts';
import { redactSecrets } from '../base/redaction/redact.ts';
import { countUpload, type UploadLimits } from '../stores/pg/daily-uploads.ts';
import type { Db } from '../stores/pg/database.ts';
import { newId } from '../stores/pg/ids.ts';
import {
  findUploads,
  insertUpload,
  listSessionDatasets,
  removeOrphanedUploads,
  removeUnusedUploads,
} from '../stores/pg/uploads.ts';
import type { TableThread } from '../sources/tables/table-thread.ts';

/** A file as a client sends it. */
export type SentFile = {
  readonly name: string;
  readonly size: number;
  arrayBuffer(): Promise<ArrayBuffer>;
};

/** Uploaded tables and texts. */
export type Uploads = ReturnType<typeof createUploads>;

/** The caller owns and closes what it passes. */
export type UploadsDeps = {
  readonly db: Db;
  readonly thread: TableThread;
  /** Created if missing. */
  readonly folder: string;
  readonly maxBytes: number;
  /** Refused files count as well. */
  readonly limits: UploadLimits;
};

/** How long an upload is kept before its first message and after its last session. */
const UNUSED_MS = 24 * 3600 * 1000;
/** Longer than any conversion takes. */
const ABANDONED_MS = 3600 * 1000;
const MAX_NAME_LENGTH = 120;
const UNFINISHED = '.unfinished';

/** Uploads over Postgres and a folder. */
export function createUploads(deps: UploadsDeps) {
  const fileOf = (id: string): string => join(deps.folder, `${id}.parquet`);
  const removeFile = (id: string): Promise<void> => rm(fileOf(id), { force: true });
  return {
    /**
     * Stores a table.
     * @throws InvalidInputError naming the lines of the file to change; RateLimitedError when the viewer's daily
     * quota is used up
     */
    create: (viewer: Viewer, file: SentFile, signal: AbortSignal) =>
      create(deps, fileOf, viewer, file, signal),
    /** Stores a text for the instructions or configuration of a job. Errors as `create`. */
    createText: (viewer: Viewer, file: SentFile) => createText(deps, viewer, file),
    /** In the order of `ids`; null for an unknown one. */
    byIds: (viewer: Viewer, ids: readonly string[]) => findUploads(deps.db, viewer, ids),
    /** The tables of a session that the caller may see, oldest first. */
    ofSession: ({ id }: Pick<Session, 'id'>): Promise<readonly SessionDataset[]> =>
      listSessionDatasets(deps.db, id),
    /** @throws InvalidInputError for columns and values that do not fit; NotFoundError if the file is gone */
    async query(upload: Upload, query: DatasetQuery, signal: AbortSignal): Promise<DatasetAnswer> {
      const plan = planQuery(upload, query);
      const path = fileOf(upload.id);
      if (!(await isThere(path))) {
        throw new NotFoundError(
          `the rows of ${upload.name} are no longer on the server; upload the file again`,
        );
      }
      return deps.thread.query({ path, plan, rowCount: upload.rowCount }, signal);
    },
    /** Removes those of `ids` that no session uses any more. */
    async removeOrphaned(ids: readonly string[]): Promise<void> {
      if (ids.length > 0) await removeOrphanedUploads(deps.db, ids, removeFile);
    },
    /** Removes what no session has used for a day, and the remains of broken uploads. Returns how many. */
    async removeUnused(): Promise<number> {
      const removed = await removeUnusedUploads(deps.db, UNUSED_MS, removeFile);
      return removed + (await removeUnfinished(deps.folder));
    },
  };
}

/**
 * The file gets its final name after its row exists, so each file in the folder either has a row or an unfinished name,
 * and `removeUnused` finds both.
 */
async function create(
  { db, thread, folder, maxBytes, limits }: UploadsDeps,
  fileOf: (id: string) => string,
  viewer: Viewer,
  file: SentFile,
  signal: AbortSignal,
): Promise<Upload> {
  if (file.size > maxBytes) {
    const message = `has ${file.size.toLocaleString('en')} bytes; at most ${maxBytes.toLocaleString('en')} are allowed`;
    throw InvalidInputError.at(['input', 'file'], message);
  }
  await countOrRefuse(db, viewer, file, limits);
  const id = newId();
  const unfinished = `${fileOf(id)}${UNFINISHED}`;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const bytes = new Uint8Array(await file.arrayBuffer());
    const shape = await thread.convert({ bytes, path: unfinished }, signal);
    const upload = await insertUpload(db, viewer, {
      id,
      name: nameOf(file),
      sizeBytes: bytes.byteLength,
      ...shape,
    });
    await rename(unfinished, fileOf(id));
    return upload;
  } catch (error) {
    await rm(unfinished, { force: true });
    throw typedFileError(error);
  }
}

/** Uploaded texts are instructions and settings of jobs. */
const MAX_TEXT_BYTES = ARTIFACT_LIMITS.instructionsBytes;

async function createText({ db, limits }: UploadsDeps, viewer: Viewer, file: SentFile): Promise<Upload> {
  const refuse = (message: string): never => {
    throw InvalidInputError.at(['input', 'file'], message);
  };
  const { size } = file;
  if (size > MAX_TEXT_BYTES) {
    refuse(`has ${size.toLocaleString('en')} bytes; a text may have ${MAX_TEXT_BYTES.toLocaleString('en')}`);
  }
  await countOrRefuse(db, viewer, file, limits);
  const bytes = Buffer.from(await file.arrayBuffer());
  if (!isUtf8(bytes) || bytes.includes(0)) refuse('is not UTF-8 text');
  const text = bytes.toString('utf8');
  if (redactSecrets(text) !== text) refuse('contains what looks like a key or a password; remove it');
  const record = { id: newId(), name: nameOf(file), sizeBytes: bytes.byteLength, rowCount: 0, columns: [] };
  return insertUpload(db, viewer, { ...record, text });
}

async function countOrRefuse(
  db: Db,
  viewer: Viewer,
  { size }: SentFile,
  limits: UploadLimits,
): Promise<void> {
  const today = await countUpload(db, viewer, size, limits);
  if (today === null) return;
  const count = (of: number): string => of.toLocaleString('en');
  throw new RateLimitedError(
    Math.max(1, Math.ceil(today.dayOverInMs)),
    `you have uploaded ${count(today.files)} of the ${count(limits.filesPerDay)} files and ${count(today.bytes)} of the ${count(limits.bytesPerDay)} bytes of a day, and this one has ${count(size)} bytes; the next day begins at 00:00 UTC`,
  );
}

/** Without folders, which some clients send. */
function nameOf({ name }: SentFile): string {
  const last = basename(name.replaceAll('\\', '/'));
  return shorten(toStoredText(last.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()), MAX_NAME_LENGTH) || 'table.csv';
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

async function removeUnfinished(folder: string): Promise<number> {
  if (!(await isThere(folder))) return 0;
  const names = await readdir(folder);
  let removed = 0;
  for (const name of names.filter((each) => each.endsWith(UNFINISHED))) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs < ABANDONED_MS) continue;
    await rm(path, { force: true });
    removed += 1;
  }
  return removed;
}
