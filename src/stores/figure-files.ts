/**
 * Picture files that task results name. The paths come from a database and are not trusted: only files inside the
 * folder of `CALIB_DATA_PATH`, after resolving symbolic links, are opened, and only content that is a picture by
 * its bytes is returned.
 */
import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';

/** The result of a request for a file. `OUTSIDE` is returned without checking whether the file exists. */
export type FigureFile =
  | { readonly kind: 'PICTURE'; readonly contentType: string; readonly body: Buffer }
  | { readonly kind: 'OUTSIDE' | 'MISSING' | 'NO_PICTURE' | 'TOO_LARGE' };

/** Reads pictures of one folder. */
export type FigureFiles = ReturnType<typeof createFigureFiles>;

/** Where QDash's own container sees the folder. */
const CONTAINER_FOLDER = '/app/calib_data';
/** Far above any plot; files are read into memory. */
const MAX_BYTES = 20 * 1024 * 1024;

/** Pictures below `folder`, which is absolute. */
export function createFigureFiles(folder: string) {
  return {
    async read(storedPath: string): Promise<FigureFile> {
      const wanted = onThisMachine(folder, storedPath);
      if (!isInside(folder, wanted)) return { kind: 'OUTSIDE' };
      try {
        const [root, real] = await Promise.all([realpath(folder), realpath(wanted)]);
        return isInside(root, real) ? await readPicture(real) : { kind: 'OUTSIDE' };
      } catch (error) {
        if (isNoSuchFile(error)) return { kind: 'MISSING' };
        throw error;
      }
    },
  };
}

/**
 * The path itself if it is inside the folder, else the path mapped from the container's; relative paths start at
 * the folder.
 */
function onThisMachine(folder: string, storedPath: string): string {
  const path = resolve(folder, storedPath);
  if (isInside(folder, path) || !isInside(CONTAINER_FOLDER, path)) return path;
  return resolve(folder, relative(CONTAINER_FOLDER, path));
}

function isInside(folder: string, path: string): boolean {
  const steps = relative(folder, path);
  return steps !== '' && steps !== '..' && !steps.startsWith(`..${sep}`) && !isAbsolute(steps);
}

/** `path` is resolved; if its last part has become a link since, opening fails. Opening a pipe does not block. */
async function readPicture(path: string): Promise<FigureFile> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stat = await file.stat();
    if (!stat.isFile()) return { kind: 'NO_PICTURE' };
    if (stat.size > MAX_BYTES) return { kind: 'TOO_LARGE' };
    const body = await file.readFile();
    const contentType = contentTypeOf(body);
    return contentType === null ? { kind: 'NO_PICTURE' } : { kind: 'PICTURE', contentType, body };
  } finally {
    await file.close();
  }
}

/** By the first bytes, as the formats define them. SVG is not among them: it can hold scripts. */
function contentTypeOf(body: Buffer): string | null {
  const has = (bytes: string, at = 0): boolean => body.toString('latin1', at, at + bytes.length) === bytes;
  if (has('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (has('\xff\xd8\xff')) return 'image/jpeg';
  if (has('RIFF') && has('WEBP', 8)) return 'image/webp';
  if (has('GIF87a') || has('GIF89a')) return 'image/gif';
  return null;
}

/** Includes a path through a file, a loop of links, an impossible name, and missing permission. */
function isNoSuchFile(error: unknown): boolean {
  const codes = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'EACCES', 'ERR_INVALID_ARG_VALUE'];
  return typeof error === 'object' && error !== null && 'code' in error && codes.includes(String(error.code));
}
