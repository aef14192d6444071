import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseFigureUrl } from '../domain/records/figure.ts';
import type { Logger } from '../base/log.ts';
import type { FiguresService } from '../services/calibration/figures.ts';
import {
  pathOf,
  plainAnswer,
  respondWithPicture,
  viewerWithin,
  type ViewerDeps,
  type PictureAnswer,
} from './picture-response.ts';

export type FigureDeps = ViewerDeps & {
  readonly services: { readonly figures: FiguresService };
  readonly log: Logger;
};

/** The same text in all cases, so that a foreign figure looks like an unknown one. */
const NOT_FOUND = plainAnswer(404, 'there is no such figure in this project');

/** Answers `GET /figures/{project}/{task id}/{index}`. Each request looks up the result within that project. */
export const respondWithFigure = (
  deps: FigureDeps,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => respondWithPicture(deps.log, request, response, () => find(deps, request));

async function find(deps: FigureDeps, request: IncomingMessage): Promise<PictureAnswer> {
  const figure = parseFigureUrl(pathOf(request));
  const viewer = figure && (await viewerWithin(deps, request, figure.projectId));
  if (figure === null || viewer === null) return NOT_FOUND;
  const file = await deps.services.figures.read(viewer, figure);
  switch (file.kind) {
    case 'PICTURE':
      return { status: 200, contentType: file.contentType, body: file.body };
    case 'MISSING':
      return NOT_FOUND;
    case 'OUTSIDE':
      return plainAnswer(403, 'the file of this figure is outside the folder of CALIB_DATA_PATH');
    case 'NO_PICTURE':
      return plainAnswer(415, 'the file of this figure is not a PNG, JPEG, WebP or GIF');
    case 'TOO_LARGE':
      return plainAnswer(413, 'the file of this figure is larger than 20 MB');
    default: {
      const unknown: never = file;
      throw new Error(`no answer for ${JSON.stringify(unknown)}`);
    }
  }
}
