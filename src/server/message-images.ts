import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseMessageImageUrl } from '../domain/conversation/message-image.ts';
import type { Logger } from '../base/log.ts';
import type { MessageImages } from '../services/copilot/message-images.ts';
import {
  pathOf,
  plainAnswer,
  respondWithPicture,
  viewerWithin,
  type ViewerDeps,
} from './picture-response.ts';

/** Dependencies of serving the pictures of messages. */
export type MessageImageDeps = ViewerDeps & {
  readonly services: { readonly messageImages: MessageImages };
  readonly log: Logger;
};

/** One text for whatever is not there, so that a foreign picture answers exactly like an unknown one. */
const NOT_FOUND = plainAnswer(404, 'you sent no such picture in this project');

/** Answers `GET /message-images/{project}/{id}` to who sent the picture or may read its message, within that project. */
export const respondWithMessageImage = (
  deps: MessageImageDeps,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> =>
  respondWithPicture(deps.log, request, response, async () => {
    const asked = parseMessageImageUrl(pathOf(request));
    const viewer = asked && (await viewerWithin(deps, request, asked.projectId));
    const image = asked && viewer && (await deps.services.messageImages.read(viewer, asked.id));
    return image ? { status: 200, ...image } : NOT_FOUND;
  });
