import { InvalidInputError } from './errors.ts';

/** The error for a file, named by the caller, that cannot be read. */
export function unreadable(path: string, cause: unknown): InvalidInputError {
  const message = `${path} cannot be read: ${reasonOf(cause)}`;
  return Object.assign(new InvalidInputError([{ path: [], message }]), { cause });
}

function reasonOf(cause: unknown): string {
  switch (typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : null) {
    case 'ENOENT':
      return 'no such file';
    case 'EISDIR':
      return 'it is a folder';
    case 'EACCES':
      return 'permission denied';
    default:
      return cause instanceof Error ? cause.message : String(cause);
  }
}
