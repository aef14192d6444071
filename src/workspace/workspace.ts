/**
 * The files of one job: inputs, results and state, all below one folder. A worker that takes over a job finds
 * everything here and in the event log. One process writes at a time, one change at a time.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { InvalidInputError, NotFoundError, typedFileError } from '../base/errors.ts';
import { openConfinedFolder, type ConfinedFolder, type FileEntry } from './confined-folder.ts';
import { emptyPlan, jobPlan, planText, type JobPlan } from './job-plan.ts';
import { openVersions, type Versions } from './versions.ts';
import { caseKey, differByCaseOnly, workspacePath } from './workspace-path.ts';

/** A file of the workspace. */
export type WorkspaceFile = FileEntry;

/** A numbered source of the report. */
export const citation = z.object({
  number: z.int().positive(),
  kind: z.enum(['RECORD', 'WEB']),
  /** Id of the record, or the address. */
  source: z.string(),
  /** What it is, in a line. */
  title: z.string(),
  /** Time of measurement or of reading; null if the record has none. */
  at: z.iso.datetime().nullable(),
});
/** One source. */
export type Citation = Readonly<z.infer<typeof citation>>;

/** A web page that the job found. */
export const webPage = z.object({ url: z.string(), title: z.string(), readAt: z.iso.datetime() });
/** One web page. */
export type WebPage = Readonly<z.infer<typeof webPage>>;

/**
 * The workspace of one job. Every path is validated; errors state what is expected. Changes reject with DiskFullError
 * if the disk is full.
 */
export type Workspace = {
  list(): Promise<readonly WorkspaceFile[]>;
  /** @throws NotFoundError listing the existing files. */
  read(path: string): Promise<Buffer>;
  /** @throws InvalidInputError for a file that is not text. */
  readText(path: string): Promise<string>;
  /**
   * Replaces a file; `what` is its line in the history.
   * @throws InvalidInputError for an invalid name, a file reserved for QPilot, or an exceeded quota.
   */
  write(path: string, body: string | Buffer, what: string): Promise<WorkspaceFile>;
  /** Instructions of the job; written once, before it starts. */
  writeInstructions(text: string): Promise<void>;
  readonly versions: Pick<Versions, 'list' | 'text'>;
  plan(): Promise<JobPlan>;
  /** Saves the plan, and `plan.md` for readers. */
  savePlan(plan: JobPlan): Promise<void>;
  citations(): Promise<readonly Citation[]>;
  /** Adds a source, or returns it with its number if it was cited before. */
  cite(source: Omit<Citation, 'number'>): Promise<Citation>;
  /** Web pages that the job found; only these can be cited. */
  pages(): Promise<readonly WebPage[]>;
  addPages(pages: readonly WebPage[]): Promise<void>;
};

export type WorkspaceLimits = { readonly maxBytes: number };

/** Written by QPilot only. */
export const INSTRUCTIONS_FILE = 'instructions.md';
/** Likewise. */
export const PLAN_FILE = 'plan.md';
const OURS = new Set([INSTRUCTIONS_FILE, PLAN_FILE]);

/** Size limit for reading a file into memory. */
const MAX_READ_BYTES = 32 * 1024 * 1024;
const MAX_FILES = 500;
const MAX_STATE_BYTES = 4 * 1024 * 1024;
const FILES = 'files';
const PLAN_STATE = 'plan.json';
const CITATIONS_STATE = 'citations.json';
const PAGES_STATE = 'web-pages.json';
/** Later pages are dropped: a report cites few. */
const MAX_PAGES = 500;

/** Folder of a job's workspace. The id must come from the database, never from a client. */
export const workspaceFolder = (folder: string, jobId: string): string => join(folder, jobId);

/** Folder of that job's visible files. */
export const filesFolder = (folder: string, jobId: string): string =>
  join(workspaceFolder(folder, jobId), FILES);

/** Opens or creates the workspace in `folder`, for the only process that writes to it. */
export async function openWorkspace(
  folder: string,
  { maxBytes }: WorkspaceLimits,
  now: () => Date = () => new Date(),
): Promise<Workspace> {
  const change = oneAtATime();
  const { all, files, state, versions } = await change(async () => ({
    all: await openConfinedFolder(folder),
    files: await openConfinedFolder(join(folder, FILES)),
    state: await openConfinedFolder(join(folder, 'state')),
    versions: await openVersions(join(folder, 'versions'), now),
  }));
  await all.removeUnfinished();
  const put = (path: string, body: Buffer, what: string) =>
    putFile({ all, files, versions, maxBytes }, path, body, what);
  const citations = async (): Promise<readonly Citation[]> =>
    readState(state, CITATIONS_STATE, z.array(citation), []);
  const pages = async (): Promise<readonly WebPage[]> => readState(state, PAGES_STATE, z.array(webPage), []);
  return {
    list: () => files.list(),
    read: async (path) => readOne(files, path),
    readText: async (path) => asText(path, await readOne(files, path)),
    async write(given, body, what) {
      const path = workspacePath(given);
      if (OURS.has(caseKey(path))) {
        throw invalid(`${path} is written by QPilot alone; write your own file, for example report.md`);
      }
      return change(() => put(path, Buffer.from(body), what));
    },
    async writeInstructions(text) {
      await change(() => put(INSTRUCTIONS_FILE, Buffer.from(text), 'as the job was given them'));
    },
    versions,
    plan: () => readState(state, PLAN_STATE, jobPlan, emptyPlan),
    savePlan: (plan) =>
      change(async () => {
        await writeState(state, PLAN_STATE, plan);
        await put(PLAN_FILE, Buffer.from(planText(plan)), 'the plan went on');
      }),
    citations,
    cite: (source) =>
      change(async () => {
        const known = await citations();
        const before = known.find((each) => each.kind === source.kind && each.source === source.source);
        if (before !== undefined) return before;
        const cited: Citation = { ...source, number: known.length + 1 };
        await writeState(state, CITATIONS_STATE, [...known, cited]);
        return cited;
      }),
    pages,
    addPages: (added) =>
      change(async () => {
        const byUrl = new Map([...(await pages()), ...added].map((page) => [page.url, page]));
        await writeState(state, PAGES_STATE, [...byUrl.values()].slice(0, MAX_PAGES));
      }),
  };
}

/** Disk usage of a whole workspace, as counted by its quota. */
export const usedBytes = async (workspace: ConfinedFolder): Promise<number> =>
  (await workspace.list()).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

type Parts = {
  readonly all: ConfinedFolder;
  readonly files: ConfinedFolder;
  readonly versions: Versions;
  readonly maxBytes: number;
};

async function putFile(
  { all, files, versions, maxBytes }: Parts,
  path: string,
  body: Buffer,
  what: string,
): Promise<WorkspaceFile> {
  const present = await files.list();
  const twin = present.find((file) => differByCaseOnly(file.path, path));
  if (twin !== undefined) {
    throw invalid(`${path} differs from ${twin.path} by case only; take ${twin.path} or another name`);
  }
  const before = present.find((file) => file.path === path);
  if (before === undefined && present.length >= MAX_FILES) {
    throw invalid(`the workspace holds ${MAX_FILES} files, which is as many as it may; join some of them`);
  }
  const needed = (await usedBytes(all)) - (before?.sizeBytes ?? 0) + body.length + versions.cost(body);
  if (needed > maxBytes) {
    throw invalid(
      `writing ${path} would take the workspace to ${megabytes(needed)} MB with its history, and it may have ${megabytes(maxBytes)} MB; write less, for example only the rows that matter`,
    );
  }
  await files.write(path, body);
  await versions.add(path, body, what);
  return (await files.list()).find((file) => file.path === path) ?? gone(path);
}

async function readOne(files: ConfinedFolder, given: string): Promise<Buffer> {
  const path = workspacePath(given);
  const body = await files.read(path, MAX_READ_BYTES);
  if (body !== null) return body;
  const names = (await files.list()).map((file) => file.path);
  throw new NotFoundError(
    names.length === 0
      ? `the workspace has no file ${path}; it is empty`
      : `the workspace has no file ${path}; it has ${names.slice(0, 40).join(', ')}`,
  );
}

function asText(path: string, body: Buffer): string {
  const text = body.toString('utf8');
  if (body.includes(0) || !Buffer.from(text).equals(body)) {
    throw invalid(`${path} is not text in UTF-8; only text can be read`);
  }
  return text;
}

/** Invalid state is a bug or tampering, so it is not ignored. */
async function readState<Shape extends z.ZodType>(
  state: ConfinedFolder,
  name: string,
  shape: Shape,
  otherwise: z.output<Shape>,
): Promise<z.output<Shape>> {
  const body = await state.read(name, MAX_STATE_BYTES);
  return body === null ? otherwise : shape.parse(JSON.parse(body.toString('utf8')));
}

const writeState = (state: ConfinedFolder, name: string, value: object): Promise<void> =>
  state.write(name, Buffer.from(JSON.stringify(value)));

const invalid = (message: string): InvalidInputError => new InvalidInputError([{ path: ['path'], message }]);

function gone(path: string): never {
  throw new Error(`${path} was just written and is gone`);
}

const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(2);

/**
 * Serialises changes: tools of one round run concurrently, and each checks what exists before it writes.
 * A change rejects with DiskFullError if the disk is full.
 */
function oneAtATime() {
  let last: Promise<unknown> = Promise.resolve();
  return <Result>(change: () => Promise<Result>): Promise<Result> => {
    const done = last.then(change).catch((error: unknown) => {
      throw typedFileError(error);
    });
    last = done.catch(() => undefined);
    return done;
  };
}
