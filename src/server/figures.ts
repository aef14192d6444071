import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseFigureUrl } from '../domain/figure.ts';
import { NotFoundError } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { ProjectsService } from '../services/chip-services.ts';
import type { FiguresService } from '../services/figures.ts';
import { localViewer } from './operation-context.ts';
import { newRequestId } from './safe-errors.ts';

/** What figures are answered from. */
export type FigureDeps = {
  readonly services: { readonly projects: ProjectsService; readonly figures: FiguresService };
  readonly log: Logger;
};

type Answer = { readonly status: number; readonly contentType: string; readonly body: string | Buffer };

const plain = (status: number, text: string): Answer => ({
  status,
  contentType: 'text/plain; charset=utf-8',
  body: `${text}\n`,
});

/** One text for whatever is not there, so that a foreign figure answers exactly like an unknown one. */
const NOT_FOUND = plain(404, 'there is no such figure in this project');

/** Answers `GET /figures/{project}/{task id}/{index}`. Looks up the result anew for each request, within that project. */
export async function respondWithFigure(
  { services, log }: FigureDeps,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { status, contentType, body } = await answerTo(request, services).catch((error: unknown) => {
    const requestId = newRequestId();
    log.error({ err: error, requestId }, 'a figure could not be read');
    return plain(500, `Unexpected error; the log of the server has it under request id ${requestId}`);
  });
  response.writeHead(status, {
    'content-type': contentType,
    'content-length': Buffer.byteLength(body),
    'cache-control': status === 200 ? 'private, max-age=300' : 'no-store',
    // The bytes were made elsewhere: a browser shows them as the picture they are, or not at all.
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

async function answerTo(request: IncomingMessage, services: FigureDeps['services']): Promise<Answer> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return plain(405, 'figures are read by GET');
  const figure = parseFigureUrl(request.url?.split('?', 1)[0] ?? '');
  if (figure === null) return NOT_FOUND;
  const viewer = await viewerOf(figure.projectId, services.projects);
  if (viewer === null) return NOT_FOUND;
  const file = await services.figures.read(viewer, figure);
  switch (file.kind) {
    case 'PICTURE':
      return { status: 200, contentType: file.contentType, body: file.body };
    case 'MISSING':
      return NOT_FOUND;
    case 'OUTSIDE':
      return plain(403, 'the file of this figure does not lie in the folder of CALIB_DATA_PATH');
    case 'NO_PICTURE':
      return plain(415, 'the file of this figure is no PNG, JPEG, WebP or GIF');
    case 'TOO_LARGE':
      return plain(413, 'the file of this figure is larger than 20 MB');
    default: {
      const unknown: never = file;
      throw new Error(`no answer for ${JSON.stringify(unknown)}`);
    }
  }
}

async function viewerOf(projectId: string, projects: ProjectsService) {
  try {
    return localViewer((await projects.resolve(projectId)).projectId);
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}
