/** Takes files of calibration data: `POST /import/{project}`, a form with the files and how to read them. */
import type { IncomingMessage, ServerResponse } from 'node:http';
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
import { IMPORT_PATH, type FileImportReport, type FileImportRequest } from '../domain/imports/file-import.ts';
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

/** Answers `GET`: whether this server imports; `POST`: 200 with a preview, 201 with the report of an import. */
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
    const asked = await readForm(request);
    const report = await carryOut(deps, request, response, viewer, asked);
    answer(response, asked.preview ? 200 : 201, { preview: asked.preview, projectId, ...report });
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
  const run = () => services.imports.run(viewer, asked, left.signal);
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

/** @throws InvalidInputError for what is no such form, or too large */
async function readForm(request: IncomingMessage): Promise<Asked> {
  if (request.method !== 'POST' || !isForm(request))
    throw invalid('send the files as a form: POST with content-type multipart/form-data');
  const refusal = isOfBrowser(request) ? crossSiteRefusalOf(request) : null;
  if (refusal !== null) throw invalid(refusal);
  const body = await readBody(request);
  const headers = { 'content-type': request.headers['content-type'] ?? '' };
  const form = await new Response(body, { headers }).formData().catch((cause: unknown) => {
    throw Object.assign(invalid('the form cannot be read: it is cut off, or no multipart/form-data'), {
      cause,
    });
  });
  const sent = form.getAll('files').flatMap((file) => (typeof file === 'string' ? [] : [file]));
  if (sent.length > MAX_FILES)
    throw invalid(`${sent.length} files are too many: at most ${MAX_FILES} at once`);
  const given = fields.safeParse(Object.fromEntries([...form].filter(([name]) => name !== 'files')));
  if (!given.success) {
    throw new InvalidInputError(
      given.error.issues.map(({ path, message }) => ({ path: path.map(String), message })),
    );
  }
  const files = await Promise.all(
    sent.map(async (file) => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })),
  );
  return { ...given.data, files };
}

async function readBody(request: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  const tooLarge = invalid(
    `the form has more than ${MAX_IMPORT_BYTES / 1024 / 1024} MB: send fewer files at once`,
  );
  if (Number(request.headers['content-length'] ?? 0) > MAX_IMPORT_BYTES) throw tooLarge;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_IMPORT_BYTES) throw tooLarge;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Errors have the shape of those of GraphQL. */
function refuse(log: Logger, response: ServerResponse, error: unknown): void {
  if (response.destroyed) return;
  const known = error instanceof UserError || error instanceof OutageError ? error : null;
  const requestId = newRequestId();
  if (known === null) log.error({ err: error, requestId }, 'an import failed');
  const message =
    known?.message ?? `Unexpected error; the log of the server has it under request id ${requestId}`;
  const code = known?.code ?? 'INTERNAL_SERVER_ERROR';
  if (error instanceof RateLimitedError)
    response.setHeader('retry-after', String(Math.ceil(error.retryAfterMs / 1000)));
  // What was not read of the form goes with the connection.
  response.setHeader('connection', 'close');
  answer(response, statusOf(error), { errors: [{ message, extensions: { code } }] });
}

function statusOf(error: unknown): number {
  if (error instanceof RateLimitedError) return 429;
  if (error instanceof ConflictError) return 409;
  if (error instanceof UserError) return 400;
  return error instanceof OutageError ? 503 : 500;
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(`${JSON.stringify(body)}\n`);
}

const invalid = (message: string): InvalidInputError => InvalidInputError.at([], message);
