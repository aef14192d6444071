import type { IncomingMessage, ServerResponse } from 'node:http';
import { contentTypeOf, parseJobFileUrl } from '../domain/jobs/job-file.ts';
import type { Logger } from '../base/log.ts';
import type { JobFiles } from '../services/jobs/job-files.ts';
import {
  pathOf,
  plainAnswer,
  viewerWithin,
  type PictureAnswer,
  type ViewerDeps,
} from './picture-response.ts';
import { newRequestId } from './request-id.ts';

export type JobFileDeps = ViewerDeps & {
  readonly services: { readonly jobFiles: JobFiles };
  readonly log: Logger;
};

/** The same text in all cases, so that a foreign job looks like an unknown one. */
const NOT_FOUND = plainAnswer(404, 'you have no such file of a job in this project');

type FileAnswer = PictureAnswer & { readonly name?: string };

/** Answers `GET /job-files/{project}/{job}/{path}` for people who may read the job; always as a download, never as a page. */
export async function respondWithJobFile(
  deps: JobFileDeps,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const answer: FileAnswer = await (
    isRead ? find(deps, request) : Promise.resolve(plainAnswer(405, 'files are read by GET'))
  ).catch((error: unknown) => {
    const requestId = newRequestId();
    deps.log.error({ err: error, requestId }, 'a file of a job could not be read');
    return plainAnswer(500, `Unexpected error; the log of the server has it under request id ${requestId}`);
  });
  const { status, contentType, body, name } = answer;
  response.writeHead(status, {
    'content-type': contentType,
    'content-length': Buffer.byteLength(body),
    ...(name !== undefined && {
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
    }),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

async function find(deps: JobFileDeps, request: IncomingMessage): Promise<FileAnswer> {
  const asked = parseJobFileUrl(pathOf(request));
  const viewer = asked && (await viewerWithin(deps, request, asked.projectId));
  const body = asked && viewer && (await deps.services.jobFiles.read(viewer, asked.jobId, asked.path));
  if (!asked || !body) return NOT_FOUND;
  const name = asked.path.slice(asked.path.lastIndexOf('/') + 1);
  return { status: 200, contentType: contentTypeOf(asked.path), body, name };
}
