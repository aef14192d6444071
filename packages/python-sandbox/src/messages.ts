import type { SandboxLimits } from './limits.ts';

/** Longest name of a table that an analysis may return, in UTF-16 code units. */
export const MAX_TABLE_NAME = 200;

const KIB = 1024;
const MIB = 1024 * KIB;

/** Errors and notes for the author of the code. */
export const messages = {
  tooLong: ({ timeoutMs }: SandboxLimits) => `Analysis stopped: it ran longer than ${timeoutMs / 1000} s.`,
  tooMuchMemory: 'Analysis stopped: memory limit exceeded.',
  tooManyFiles: ({ files }: SandboxLimits) => `Analysis stopped: it created more than ${files} files.`,
  broken: 'The analysis crashed the Python interpreter (too deep recursion or out of memory).',
  badReply:
    'The result of the analysis could not be read: it holds values other than plain data, or is too large or too deeply nested.',
  tooManyParts: (parts: number, names: number) =>
    `The result of the analysis has too many parts: at most ${parts} lists, dicts and entries of dicts are taken, with at most ${names} different names. Return fewer rows, or columns as lists of numbers.`,
  busy: 'The analysis service is busy; try again shortly.',
  closed: 'Python analysis is not available on this server: it is shutting down',
  unavailable: (reason: string) => `Python analysis is not available on this server: ${reason}`,
  codeTooLong: (bytes: number, limit: number) =>
    `The code is ${Math.ceil(bytes / KIB)} KB long; at most ${Math.floor(limit / KIB)} KB are allowed.`,
  dataTooLong: (bytes: number, limit: number) =>
    `The data are ${(bytes / MIB).toFixed(1)} MB of JSON; at most ${(limit / MIB).toFixed(1)} MB are allowed: select fewer rows.`,
  noFigure: (place: number, kind: string) =>
    `Chart ${place} is left out: it is ${kind}, and a figure is a dict with a list of traces in "data".`,
  tooManyTables: (count: number, limit: number) =>
    `${count} tables are left out: at most ${limit} are taken, each with a name of at most ${MAX_TABLE_NAME} characters.`,
  truncated: (limit: number) => `\n... output truncated at ${limit} characters`,
} as const;
