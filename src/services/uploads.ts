/**
 * What users upload: tables, taken as CSV, kept as Parquet in the data folder and read back from there only; and short
 * texts, kept in their rows. Every call is
 * made for a viewer; a foreign upload answers like an unknown one. Servers on one database share the folder.
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
import { InvalidInputError, NotFoundError, RateLimitedError } from '../base/errors.ts';
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

/** Uploaded tables. */
export type Uploads = {
  /**
   * @throws InvalidInputError saying what about the file would have to be different, and on which line;
   * RateLimitedError when the viewer's day is used up.
   */
  create(viewer: Viewer, file: SentFile, signal: AbortSignal): Promise<Upload>;
  /** Keeps a text as it is, for instructions and configurations of jobs; errors as {@link create}. */
  createText(viewer: Viewer, file: SentFile): Promise<Upload>;
  /** In the order of `ids`, null for what is unknown. */
  byIds(viewer: Viewer, ids: readonly string[]): Promise<readonly (Upload | null)[]>;
  /** The tables of a session that the caller may see, oldest first. */
  ofSession(session: Pick<Session, 'id'>): Promise<readonly SessionDataset[]>;
  /**
   * Asks a table.
   * @throws InvalidInputError for columns and values that do not fit; NotFoundError when its file is gone.
   */
  query(upload: Upload, query: DatasetQuery, signal: AbortSignal): Promise<DatasetAnswer>;
  /** Removes those that no session uses, at once; for a session that was deleted. */
  removeOrphaned(ids: readonly string[]): Promise<void>;
  /** Removes what no session has used for a day, and what broken uploads left behind. Returns how many. */
  removeUnused(): Promise<number>;
};

/** What uploads need. The caller keeps and closes what it passes. */
export type UploadsDeps = {
  readonly db: Db;
  readonly thread: TableThread;
  /** Made if missing. */
  readonly folder: string;
  readonly maxBytes: number;
  /** Refused files count too. */
  readonly limits: UploadLimits;
};

/** How long an upload may wait for its message, and outlive its last session. */
const UNUSED_MS = 24 * 3600 * 1000;
/** Longer than any conversion takes. */
const ABANDONED_MS = 3600 * 1000;
const MAX_NAME_LENGTH = 120;
const UNFINISHED = '.unfinished';

/** Uploads over Postgres and a folder. */
export function createUploads(deps: UploadsDeps): Uploads {
  const fileOf = (id: string): string => join(deps.folder, `${id}.parquet`);
  const removeFile = (id: string): Promise<void> => rm(fileOf(id), { force: true });
  return {
    create: (viewer, file, signal) => create(deps, fileOf, viewer, file, signal),
    createText: (viewer, file) => createText(deps, viewer, file),
    byIds: (viewer, ids) => findUploads(deps.db, viewer, ids),
    ofSession: ({ id }) => listSessionDatasets(deps.db, id),
    async query(upload, query, signal) {
      const plan = planQuery(upload, query);
      const path = fileOf(upload.id);
      if (!(await isThere(path))) {
        throw new NotFoundError(
          `the rows of ${upload.name} are no longer on the server; upload the file again`,
        );
      }
      return deps.thread.query({ path, plan, rowCount: upload.rowCount }, signal);
    },
    async removeOrphaned(ids) {
      if (ids.length > 0) await removeOrphanedUploads(deps.db, ids, removeFile);
    },
    async removeUnused() {
      const removed = await removeUnusedUploads(deps.db, UNUSED_MS, removeFile);
      return removed + (await removeUnfinished(deps.folder));
    },
  };
}

/**
 * The file gets its name after its row: whatever happens in between, each file in the folder has a row or an unfinished
 * name, and both are found again by {@link Uploads.removeUnused}.
 */
async function create(
  { db, thread, folder, maxBytes, limits }: UploadsDeps,
  fileOf: (id: string) => string,
  viewer: Viewer,
  file: SentFile,
  signal: AbortSignal,
): Promise<Upload> {
  if (file.size > maxBytes) {
    const message = `has ${file.size.toLocaleString('en')} bytes; at most ${maxBytes.toLocaleString('en')} are taken`;
    throw new InvalidInputError([{ path: ['input', 'file'], message }]);
  }
  await countOrRefuse(db, viewer, file, limits);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const id = newId();
  const unfinished = `${fileOf(id)}${UNFINISHED}`;
  try {
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
    throw error;
  }
}

/** Texts that are uploaded are instructions and settings of jobs. */
const MAX_TEXT_BYTES = ARTIFACT_LIMITS.instructionsBytes;

async function createText({ db, limits }: UploadsDeps, viewer: Viewer, file: SentFile): Promise<Upload> {
  const refuse = (message: string): never => {
    throw new InvalidInputError([{ path: ['input', 'file'], message }]);
  };
  const { size } = file;
  if (size > MAX_TEXT_BYTES) {
    refuse(`has ${size.toLocaleString('en')} bytes; a text may have ${MAX_TEXT_BYTES.toLocaleString('en')}`);
  }
  await countOrRefuse(db, viewer, file, limits);
  const bytes = Buffer.from(await file.arrayBuffer());
  if (!isUtf8(bytes) || bytes.includes(0)) refuse('is no text in UTF-8');
  const text = bytes.toString('utf8');
  if (redactSecrets(text) !== text) refuse('holds what looks like a key or a password; take it out');
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

/** Without folders, which some programs send along. */
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
