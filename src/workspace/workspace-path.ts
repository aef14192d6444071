/**
 * Validation of file names in a workspace. Models choose them, so a name must mean the same file on every machine and
 * never one outside the folder. Pure; links on disk are handled by `confined-folder.ts`.
 */
import { InvalidInputError } from '../base/errors.ts';

const MAX_SEGMENTS = 6;
const MAX_SEGMENT_LENGTH = 80;
/** Device names of Windows, with any extension. */
const DEVICE_NAME = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/iu;
const ALLOWED_CHARACTERS = /^[\p{L}\p{M}\p{N} ._+=@(),-]+$/u;
const EXAMPLE = 'give a path within the workspace such as report.md or data/t1-drift.csv';

/**
 * The canonical form of a path: segments joined by `/`, NFC, without a leading `./`.
 * @throws InvalidInputError stating what is wrong and what is expected.
 */
export function workspacePath(given: string): string {
  const refuse = (why: string): InvalidInputError =>
    new InvalidInputError([
      { path: ['path'], message: `${JSON.stringify(given.slice(0, 120))} ${why}; ${EXAMPLE}` },
    ]);
  if (given.includes('\0')) throw refuse('holds a NUL character');
  if (given.includes('\\')) throw refuse('holds a backslash, where folders are parted by /');
  if (/^(?:\/|~|[a-z]:)/iu.test(given)) throw refuse('is an absolute path');
  const segments = given
    .normalize('NFC')
    .replace(/^(?:\.\/)+/u, '')
    .split('/');
  if (segments.length > MAX_SEGMENTS) throw refuse(`lies more than ${MAX_SEGMENTS - 1} folders deep`);
  for (const segment of segments) {
    const problem = problemWith(segment);
    if (problem !== null) throw refuse(problem);
  }
  return segments.join('/');
}

function problemWith(segment: string): string | null {
  if (segment === '') return 'has an empty part';
  if (segment === '..' || segment === '.') return `holds ${segment}, which may lead elsewhere`;
  if (segment.startsWith('.')) return 'has a part that begins with a dot';
  if (/[. ]$/u.test(segment) || segment.startsWith(' ')) {
    return 'has a part that begins with a space or ends with a space or a dot';
  }
  if (segment.length > MAX_SEGMENT_LENGTH) return `has a part of more than ${MAX_SEGMENT_LENGTH} characters`;
  if (DEVICE_NAME.test(segment)) return 'uses a name that belongs to a device on some machines';
  if (!ALLOWED_CHARACTERS.test(segment)) {
    return 'holds a character other than letters, digits, spaces and . _ - + = @ ( ) ,';
  }
  return null;
}

/** Equal for names that case-insensitive file systems (macOS, Windows) treat as one. */
export const caseKey = (name: string): string => name.normalize('NFC').toUpperCase().toLowerCase();

/** Whether the first differing segments of two paths collide on such file systems. */
export function differByCaseOnly(one: string, other: string): boolean {
  const [segments, others] = [one.split('/'), other.split('/')];
  const at = segments.findIndex((segment, index) => segment !== others[index]);
  const [segment, twin] = [segments[at], others[at]];
  return segment !== undefined && twin !== undefined && caseKey(segment) === caseKey(twin);
}
