/** Takes files of calibration data: `POST /import/{project}`, a form with the files and how to read them. */
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { z } from 'zod';
import {
  ConflictError,
  InvalidInputError,
  OutageError,
  RateLimitedError,
  UserError,
} from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import type { Viewer } from '../domain/conversation/session.ts';
import {
  IMPORT_PATH,
  type FileImportReport,
  type FileImportRequest,
  type ImportProgress,
  type SentDataFile,
} from '../domain/imports/file-import.ts';
import type { Audit } from '../services/audit/audit.ts';
import type { Imports } from '../services/imports/imports.ts';
import type { RateLimits } from '../services/rate-limits.ts';
import { plainAnswer, projectBelow, viewerWithin, type ViewerDeps } from './picture-response.ts';
import { crossSiteRefusalOf, isForm, isOfBrowser } from './request-guard.ts';
import { newRequestId } from './request-id.ts';

export type ImportDeps = ViewerDeps & {
  readonly services: { readonly imports: Imports; readonly audit: Audit };
  readonly rates: RateLimits | null;
  readonly addressOf: (request: IncomingMessage) => string;
  readonly log: Logger;
};

/** Largest form; a snapshot of the largest devices has some 5 MB. */
export const MAX_IMPORT_BYTES = 64 * 1024 * 1024;
const MAX_FILES = 500;
const MAX_FIELD_BYTES = 10_000;
/** What a client accepts that wants to be told how far its import is. */
const PROGRESS_TYPE = 'application/x-ndjson';
/** Between two lines of progress. */
const PROGRESS_MS = 200;
/** An import counts as so many changes. */
const CHANGES = 5;

/** The same text in all cases, so that a foreign project looks like an unknown one. */
const NOT_FOUND = plainAnswer(404, 'you may import into no such project; it needs the role editor');

/** A value of the form: absent and empty are the same. */
const text = z
  .string()
  .trim()
  .max(200)
  .optional()
  .transform((given) => (given === undefined || given === '' ? null : given));
const flag = z
  .enum(['1', 'true', '0', 'false', ''], { error: 'is 1 or 0' })
  .optional()
  .transform((given) => given === '1' || given === 'true');

const fields = z.strictObject({
  chip: text,
  time: text,
  timeZone: text.transform((zone) => zone ?? 'UTC'),
  create: flag,
  size: z.preprocess(
    (given) => (given === '' || given === undefined ? null : Number(given)),
    z.int('is a count of qubits').min(1).max(10_000).nullable(),
  ),
  parameter: text,
  unit: text,
  names: z.preprocess(
    (given) => (given === '' || given === undefined ? null : given),
    z.enum(['grid', 'pairs'], { error: 'is grid (0_6 is a qubit) or pairs (0_6 is a coupling)' }).nullable(),
  ),
  skipBad: flag,
  yes: flag,
  preview: flag,
});

type Asked = Omit<FileImportRequest, 'projectId'>;

/**
 * Answers `GET`: whether this server imports; `POST`: 200 with a preview, 201 with the report of an import. A client that accepts
 * `application/x-ndjson` gets lines instead: `{ progress }` while it waits, then the answer, with its status as a field.
 */
export async function respondWithImport(
  deps: ImportDeps,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const projectId = projectBelow(IMPORT_PATH, request);
    const viewer = projectId === null ? null : await viewerWithin(deps, request, projectId);
    if (viewer === null) {
      response.writeHead(NOT_FOUND.status, { 'content-type': NOT_FOUND.contentType, connection: 'close' });
      return void response.end(NOT_FOUND.body);
    }
    if (request.method === 'GET') {
      const refusal = await deps.services.imports.refusal();
      return answer(response, 200, { isPossible: refusal === null, refusal, maxBytes: MAX_IMPORT_BYTES });
    }
    await deps.rates?.pass('changes', viewer.id, CHANGES);
    const folder = await mkdtemp(join(tmpdir(), 'qpilot-import-'));
    try {
      const asked = await readForm(request, folder);
      const report = await carryOut(deps, request, response, viewer, asked);
      answer(response, asked.preview ? 200 : 201, { preview: asked.preview, projectId, ...report });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  } catch (error) {
    refuse(deps.log, response, error);
  }
}

async function carryOut(
  { services, identify, addressOf }: ImportDeps,
  request: IncomingMessage,
  response: ServerResponse,
  viewer: Viewer,
  asked: Asked,
): Promise<FileImportReport> {
  const left = new AbortController();
  response.once('close', () => left.abort());
  const onProgress = request.headers.accept?.includes(PROGRESS_TYPE) ? progressTo(response) : () => undefined;
  const run = () => services.imports.run(viewer, asked, left.signal, onProgress);
  if (asked.preview) return run();
  const { keyId } = await identify({ req: request });
  const begun = {
    kind: 'CHANGE',
    action: `POST ${IMPORT_PATH}`,
    personId: viewer.id,
    personName: viewer.name,
    keyId,
    address: addressOf(request),
    projectId: viewer.projectId,
    ids: asked.chip === null ? {} : { chipId: asked.chip },
  } as const;
  const performed = await services.audit.perform(begun, async () => {
    const report = await run();
    return {
      report,
      ...Object.fromEntries(report.chipIds.map((id, index) => [index ? `chip${index}` : 'chip', { id }])),
    };
  });
  return performed.report;
}

/** Writes lines of progress, few enough for any page to follow. */
function progressTo(response: ServerResponse): (progress: ImportProgress) => void {
  let last = { step: '', at: 0 };
  return (progress) => {
    const now = performance.now();
    if (progress.step === last.step && now - last.at < PROGRESS_MS) return;
    last = { step: progress.step, at: now };
    if (!response.headersSent) writeHead(response, 200, PROGRESS_TYPE);
    response.write(`${JSON.stringify({ progress })}\n`);
  };
}

/**
 * Reads the form as it arrives, its files into `folder`.
 * @throws InvalidInputError for what is no such form, or too large
 */
async function readForm(request: IncomingMessage, folder: string): Promise<Asked> {
  if (request.method !== 'POST' || !isForm(request))
    throw invalid('send the files as a form: POST with content-type multipart/form-data');
  const refusal = isOfBrowser(request) ? crossSiteRefusalOf(request) : null;
  if (refusal !== null) throw invalid(refusal);
  if (Number(request.headers['content-length'] ?? 0) > MAX_IMPORT_BYTES) throw tooLarge();
  const { files, texts } = await readParts(request, folder);
  const given = fields.safeParse(Object.fromEntries(texts));
  if (!given.success) {
    throw new InvalidInputError(
      given.error.issues.map(({ path, message }) => ({ path: path.map(String), message })),
    );
  }
  return { ...given.data, folder, files };
}

type Parts = { readonly files: readonly SentDataFile[]; readonly texts: ReadonlyMap<string, string> };

async function readParts(request: IncomingMessage, folder: string): Promise<Parts> {
  const files: SentDataFile[] = [];
  const texts = new Map<string, string>();
  const writing: Promise<void>[] = [];
  const form = openForm(request.headers['content-type'] ?? '');
  form.on('field', (name, value) => {
    if (name !== 'files') texts.set(name, value);
  });
  form.on('file', (name, stream, fileName) => {
    if (name !== 'files' || files.length === MAX_FILES) {
      // The check of the fields says that it knows no such field.
      if (name !== 'files') texts.set(name, '');
      else form.destroy(invalid(`these are too many files: at most ${MAX_FILES} at once`));
      return void stream.resume();
    }
    const path = join(folder, String(files.length));
    // Browsers write these characters of a name so.
    const plain = fileName.replaceAll(/%(?:22|0[AD])/giu, decodeURIComponent);
    files.push({ name: plain, path });
    const written = pipeline(stream, createWriteStream(path));
    written.catch((error: Error) => form.destroy(error));
    writing.push(written);
  });
  let size = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      size += chunk.length;
      next(size > MAX_IMPORT_BYTES ? tooLarge() : null, chunk);
    },
  });
  try {
    await pipeline(request, counted, form);
  } catch (cause) {
    await Promise.allSettled(writing);
    if (cause instanceof InvalidInputError || isOfDisk(cause)) throw cause;
    throw cutOff(cause);
  }
  await Promise.all(writing);
  return { files, texts };
}

function openForm(contentType: string): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      preservePath: true,
      limits: { fieldSize: MAX_FIELD_BYTES, fields: MAX_FILES },
    });
  } catch (cause) {
    throw cutOff(cause);
  }
}

const isOfDisk = (cause: unknown): boolean => cause instanceof Error && 'syscall' in cause && 'path' in cause;

const tooLarge = (): InvalidInputError =>
  invalid(`the form has more than ${MAX_IMPORT_BYTES / 1024 / 1024} MB: send fewer files at once`);
const cutOff = (cause: unknown): InvalidInputError =>
  Object.assign(invalid('the form cannot be read: it is cut off, or no multipart/form-data'), { cause });

/** Errors have the shape of those of GraphQL. */
function refuse(log: Logger, response: ServerResponse, error: unknown): void {
  if (response.destroyed) return;
  const known = error instanceof UserError || error instanceof OutageError ? error : null;
  const requestId = newRequestId();
  if (known === null) log.error({ err: error, requestId }, 'an import failed');
  else if (known instanceof OutageError)
    log.warn({ err: error }, 'an import was refused: a store is away or too slow, or the disk is full');
  const message =
    known?.message ?? `Unexpected error; the log of the server has it under request id ${requestId}`;
  const code = known?.code ?? 'INTERNAL_SERVER_ERROR';
  const isWaiting = error instanceof RateLimitedError || error instanceof OutageError;
  if (!response.headersSent && isWaiting && error.retryAfterMs !== null)
    response.setHeader('retry-after', String(Math.ceil(error.retryAfterMs / 1000)));
  // What was not read of the form goes with the connection.
  if (!response.headersSent) response.setHeader('connection', 'close');
  answer(response, statusOf(error), { errors: [{ message, extensions: { code } }] });
}

function statusOf(error: unknown): number {
  if (error instanceof RateLimitedError) return 429;
  if (error instanceof ConflictError) return 409;
  if (error instanceof UserError) return 400;
  return error instanceof OutageError ? 503 : 500;
}

/** After lines of progress, the last line. */
function answer(response: ServerResponse, status: number, body: object): void {
  const hasBegun = response.headersSent;
  if (!hasBegun) writeHead(response, status, 'application/json; charset=utf-8');
  response.end(`${JSON.stringify(hasBegun ? { status, ...body } : body)}\n`);
}

function writeHead(response: ServerResponse, status: number, type: string): void {
  response.writeHead(status, {
    'content-type': type,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
}

const invalid = (message: string): InvalidInputError => InvalidInputError.at([], message);
