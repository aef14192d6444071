import type { IncomingMessage, ServerResponse } from 'node:http';
import { picturedChart } from '../../schema/calibration/pictured-chart.ts';
import type { GraphQLServices } from '../../schema/context.ts';
import { keyOf } from '../../schema/node-ids.ts';
import { InvalidInputError, OutageError } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import type { Viewer } from '../domain/conversation/session.ts';
import { parsePictureUrl, type PictureAddress } from '../domain/pictures/picture-url.ts';
import type { Pictures } from '../pictures/pictures.ts';
import { createConversationLoaders } from '../services/loaders/conversation-loaders.ts';
import { createLoaders } from '../services/loaders/loaders.ts';
import {
  pathOf,
  plainAnswer,
  respondWithPicture,
  viewerWithin,
  type PictureAnswer,
  type ViewerDeps,
} from './picture-response.ts';

export type ChartPictureDeps = ViewerDeps & {
  readonly services: GraphQLServices;
  readonly pictures: Pictures;
  readonly log: Logger;
};

/** The same text in all cases, so that a foreign chart looks like an unknown one. */
const NOT_FOUND = plainAnswer(404, 'there is no such chart in this project');
const CONTENT_TYPES = { png: 'image/png', svg: 'image/svg+xml' } as const;

/** Answers `GET /charts/{project}/{id of a chart}.png` (or `.svg`) to whom the API gives the chart itself. */
export const respondWithChart = (
  deps: ChartPictureDeps,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const left = new AbortController();
  response.once('close', () => left.abort());
  return respondWithPicture(deps.log, request, response, () => find(deps, request, left.signal));
};

async function find(
  deps: ChartPictureDeps,
  request: IncomingMessage,
  signal: AbortSignal,
): Promise<PictureAnswer> {
  const address = parsePictureUrl(pathOf(request));
  const key = address && keyIn(address);
  const viewer = address && (await viewerWithin(deps, request, address.projectId));
  if (address === null || key === null || viewer === null) return NOT_FOUND;
  try {
    const found = await picturedChart(key, contextOf(deps, viewer, signal));
    if (found === null) return NOT_FOUND;
    const drawn = await deps.pictures.draw(viewer.id, { ...found, format: address.format });
    if ('refused' in drawn) return plainAnswer(422, `this chart is not drawn, because ${drawn.refused}`);
    return { status: 200, contentType: CONTENT_TYPES[address.format], body: drawn.body };
  } catch (error) {
    if (error instanceof OutageError) return plainAnswer(503, error.message);
    throw error;
  }
}

function keyIn({ chartId }: PictureAddress): string | null {
  try {
    return keyOf('Chart', chartId);
  } catch (error) {
    if (error instanceof InvalidInputError) return null;
    throw error;
  }
}

const contextOf = ({ services }: ChartPictureDeps, viewer: Viewer, signal: AbortSignal) => ({
  services,
  viewer,
  signal,
  loaders: { ...createLoaders(services, viewer), ...createConversationLoaders(services, viewer) },
});
