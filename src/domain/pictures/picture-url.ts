/** Where pictures of charts are served. */

export const PICTURE_FORMATS = ['png', 'svg'] as const;
export type PictureFormat = (typeof PICTURE_FORMATS)[number];

/** A chart of a project by its id in the API, as a picture. */
export type PictureAddress = {
  readonly projectId: string;
  readonly chartId: string;
  readonly format: PictureFormat;
};

/** Route of the server for them. */
export const CHARTS_PATH = '/charts/';

/** The path of a picture's URL. The project is in it, since an image element cannot send a header. */
export const pictureUrl = ({ projectId, chartId, format }: PictureAddress): string =>
  `${CHARTS_PATH}${encodeURIComponent(projectId.toWellFormed())}/${encodeURIComponent(chartId)}.${format}`;

/** The picture that a path of {@link pictureUrl} means, null for any other path. */
export function parsePictureUrl(path: string): PictureAddress | null {
  const [, project = '', chartId = '', format = ''] =
    /^\/charts\/([^/]+)\/([\w-]+)\.(png|svg)$/u.exec(path) ?? [];
  try {
    const projectId = decodeURIComponent(project);
    return chartId === '' ? null : { projectId, chartId, format: format === 'svg' ? 'svg' : 'png' };
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}
