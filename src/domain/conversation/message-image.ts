/** Pictures that users send with messages: their metadata and URLs. */
import type { PictureHeader } from './picture.ts';

/** A picture of a message; it never changes. */
export type MessageImage = PictureHeader & {
  readonly id: string;
  readonly messageId: string;
  readonly projectId: string;
};

/** Route of the server for them. */
export const MESSAGE_IMAGES_PATH = '/message-images/';

/** The path of a picture's URL. The project is in it, since an image element cannot send a header. */
export const messageImageUrl = ({ projectId, id }: Pick<MessageImage, 'projectId' | 'id'>): string =>
  `${MESSAGE_IMAGES_PATH}${encodeURIComponent(projectId.toWellFormed())}/${id}`;

/** The picture that a path of {@link messageImageUrl} means, null for any other path. */
export function parseMessageImageUrl(
  path: string,
): { readonly projectId: string; readonly id: string } | null {
  const [, project = '', id = ''] = /^\/message-images\/([^/]+)\/([0-9a-f-]{36})$/u.exec(path) ?? [];
  try {
    return id === '' ? null : { projectId: decodeURIComponent(project), id };
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}
