/** Downloads of job files: URLs and content types. */
import { extname } from 'node:path';

/** A file of a job's workspace. */
export type JobFile = {
  readonly jobId: string;
  readonly projectId: string;
  /** Within the workspace, parted by `/`. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly modifiedAt: Date;
};

/** Route of the server for them. */
export const JOB_FILES_PATH = '/job-files/';

/** The path of a file's URL. The project is in it, since a link cannot send a header. */
export const jobFileUrl = ({
  projectId,
  jobId,
  path,
}: Pick<JobFile, 'projectId' | 'jobId' | 'path'>): string =>
  `${JOB_FILES_PATH}${[projectId.toWellFormed(), jobId, ...path.split('/')].map(encodeURIComponent).join('/')}`;

/** What a path of {@link jobFileUrl} means, null for any other; the path of the file itself is not checked here. */
export function parseJobFileUrl(
  url: string,
): { readonly projectId: string; readonly jobId: string; readonly path: string } | null {
  const [, project = '', jobId = '', path = ''] =
    /^\/job-files\/([^/]+)\/([0-9a-f-]{36})\/(.+)$/u.exec(url) ?? [];
  if (path === '') return null;
  try {
    return { projectId: decodeURIComponent(project), jobId, path: decodeURIComponent(path) };
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

/** Other files are sent as bytes, so that a browser runs none, such as HTML or SVG. */
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
  '.json': 'application/json',
  '.yaml': 'text/plain; charset=utf-8',
  '.py': 'text/plain; charset=utf-8',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
};

export const contentTypeOf = (path: string): string =>
  CONTENT_TYPES[extname(path).toLowerCase()] ?? 'application/octet-stream';
