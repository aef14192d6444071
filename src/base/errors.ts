/**
 * Errors that a caller can act on. Anything else thrown is a bug, logged once at the server's edge and masked with a
 * request id. Messages name the subject, where it was looked for, and what is expected.
 */
import { redactSecrets } from './redaction/redact.ts';

/** Closed set of codes; also the GraphQL enum `UserErrorCode`. */
export const USER_ERROR_CODES = [
  'INVALID_INPUT',
  'NOT_FOUND',
  'SESSION_BUSY',
  'RATE_LIMITED',
  'BUDGET_EXCEEDED',
  'CONFLICT',
  'STALE_ARTIFACTS',
  'UNDO_OVERLAP',
  'SESSION_LINKED',
  'TURN_IN_PROGRESS',
  'FORBIDDEN',
] as const;

export type UserErrorCode = (typeof USER_ERROR_CODES)[number];

/** Characters of a message, and of what it quotes without a space: an input may have megabytes. */
const MOST_CHARACTERS = 8_000;
const MOST_IN_A_ROW = 300;
/** Issues of one input that are listed. */
const MOST_ISSUES = 50;

/** A message as callers get it: without secrets, and with no more of an input than tells it from others. */
export function safeMessage(message: string): string {
  const text = redactSecrets(message);
  if (text.length <= MOST_IN_A_ROW) return text;
  const words = text.split(/(\s+)/u).map((word) => cutTo(MOST_IN_A_ROW, word));
  return cutTo(MOST_CHARACTERS, words.join(''));
}

function cutTo(most: number, text: string): string {
  if (text.length <= most) return text;
  const [head, tail] = [text.slice(0, most * 0.7), text.slice(-most * 0.1)].map((part) =>
    part.toWellFormed(),
  );
  return `${head}… (${text.length} characters) …${tail}`;
}

/** Base of all errors shown to the user verbatim, but for secrets and the length of quoted input. */
export abstract class UserError extends Error {
  abstract readonly code: UserErrorCode;
  constructor(message: string, options?: ErrorOptions) {
    super(safeMessage(message), options);
  }
}

/** A problem with an input; `path` is that of the argument, for example `['input', 'content']`. */
export type InputIssue = { readonly path: readonly string[]; readonly message: string };

/** The input is invalid; every issue states what is expected. */
export class InvalidInputError extends UserError {
  readonly code = 'INVALID_INPUT';
  readonly issues: readonly InputIssue[];
  constructor(all: readonly InputIssue[]) {
    const issues = all.slice(0, MOST_ISSUES).map(({ path, message }) => ({
      path: path.slice(0, MOST_ISSUES).map(safeMessage),
      message: safeMessage(message),
    }));
    const rest = all.length - issues.length;
    super(
      [
        ...issues.map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message)),
        ...(rest > 0 ? [`and ${rest} more`] : []),
      ].join('; '),
    );
    this.issues = issues;
  }
  /** The error for a single issue. */
  static at(path: readonly string[], message: string): InvalidInputError {
    return new InvalidInputError([{ path, message }]);
  }
}

/** Not found in the viewer's project. Objects of other projects are reported exactly like unknown ones. */
export class NotFoundError extends UserError {
  readonly code = 'NOT_FOUND';
}

/** The viewer's role does not allow it, whatever it is about: the message never depends on what exists. */
export class ForbiddenError extends UserError {
  readonly code = 'FORBIDDEN';
}

/** An error about one turn. */
abstract class TurnError extends UserError {
  readonly turnId: string;
  constructor(turnId: string, message: string) {
    super(message);
    this.turnId = turnId;
  }
}

/** An error about one session. */
abstract class SessionError extends UserError {
  readonly sessionId: string;
  constructor(sessionId: string, message: string) {
    super(message);
    this.sessionId = sessionId;
  }
}

/** The session is running a turn and the caller asked for a refusal in that case. */
export class SessionBusyError extends TurnError {
  readonly code = 'SESSION_BUSY';
}

/** Too many requests; retry after `retryAfterMs`. */
export class RateLimitedError extends UserError {
  readonly code = 'RATE_LIMITED';
  readonly retryAfterMs: number;
  constructor(retryAfterMs: number, message: string) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

/** The token budget of the session or of the user's day is spent. */
export class BudgetExceededError extends UserError {
  readonly code = 'BUDGET_EXCEEDED';
}

/** The key was already used for something else. */
export class ConflictError extends UserError {
  readonly code = 'CONFLICT';
}

/** The artifacts changed after the revision that the caller knows. */
export class StaleArtifactsError extends SessionError {
  readonly code = 'STALE_ARTIFACTS';
}

/** The builder session was used to create a job and is closed until it is reopened. */
export class SessionLinkedError extends SessionError {
  readonly code = 'SESSION_LINKED';
}

/** A turn is writing the artifacts. */
export class TurnInProgressError extends TurnError {
  readonly code = 'TURN_IN_PROGRESS';
}

/** A subscription's cursor is past the end of the log: the client mixed up sessions or servers. */
export class CursorAheadError extends Error {
  readonly afterSeq: number;
  readonly lastSeq: number;
  constructor(afterSeq: number, lastSeq: number) {
    super(`afterSeq ${afterSeq} is past the end of this session's log; its last event is ${lastSeq}`);
    this.afterSeq = afterSeq;
    this.lastSeq = lastSeq;
  }
}

/** Something that we need is missing, or too slow. */
export abstract class OutageError extends Error {
  /** Used in events and in GraphQL. */
  abstract readonly code: string;
  /** After this the same request may succeed; null: it would fail again. */
  abstract readonly retryAfterMs: number | null;
}

/** What Node.js says of a disk, or a quota, that is full. */
const DISK_FULL_CODES: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT']);

/** The error of a file that was to be written: a {@link DiskFullError} where there was no room, else unchanged. */
export const typedFileError = (error: unknown): unknown =>
  error instanceof Error && 'code' in error && DISK_FULL_CODES.has(error.code)
    ? new DiskFullError({ cause: error })
    : error;

/** The disk is full; nothing of the change was kept. Retry after freeing space. */
export class DiskFullError extends OutageError {
  readonly code = 'DISK_FULL';
  readonly retryAfterMs = 30_000;
  constructor(options?: ErrorOptions) {
    super('the disk of the server is full; make room on it and try again', options);
  }
}

/** An import of files that did not come to its end; the message says what became of it. */
export class ImportEndedError extends OutageError {
  readonly code = 'IMPORT_ENDED';
  readonly retryAfterMs = 5_000;
}

/** The calibration database is unreachable; the same may succeed in a moment. */
export class CalibrationAwayError extends OutageError {
  readonly code = 'CALIBRATION_AWAY';
  readonly retryAfterMs = 2_000;
  constructor(options?: ErrorOptions) {
    super('the calibration database does not answer now; try again in a moment', options);
  }
}

/** A read took longer than it may; the same read would again. */
export class CalibrationSlowError extends OutageError {
  readonly code = 'CALIBRATION_SLOW';
  readonly retryAfterMs = null;
  constructor(options?: ErrorOptions) {
    super(
      'the calibration database did not find this in time, and would not the next time; ask for less: one task or parameter, fewer qubits, or a shorter period',
      options,
    );
  }
}

/** Whoever asked has closed the request, so that nobody gets this error. Nothing is wrong. */
export class ClientGoneError extends Error {
  readonly code = 'CLIENT_GONE';
  constructor() {
    super('the client has closed its request');
  }
}

/** Too much is asked at once; nothing was done. The same request may succeed after `retryAfterMs`. */
export class ServiceBusyError extends OutageError {
  readonly code = 'SERVICE_BUSY';
  readonly retryAfterMs: number;
  constructor(retryAfterMs: number, options?: ErrorOptions) {
    super(
      `the server has more requests than it can serve now; try again in ${Math.ceil(retryAfterMs / 1_000)} s`,
      options,
    );
    this.retryAfterMs = retryAfterMs;
  }
}

/** The database of conversations is unreachable. It is unknown whether a change took effect: ask before repeating it. */
export class StoreAwayError extends OutageError {
  readonly code = 'STORE_AWAY';
  readonly retryAfterMs = 2_000;
  constructor(options?: ErrorOptions) {
    super('the database of conversations does not answer now; try again in a moment', options);
  }
}

/** Codes of {@link LabServerError}, as events have them. */
export const LAB_SERVER_CODES = [
  'MCP_SERVER_AWAY',
  'MCP_SERVER_REFUSED',
  'MCP_TIMEOUT',
  'MCP_TOO_LARGE',
  'MCP_NOT_MCP',
  'MCP_TOOL_ERROR',
  'MCP_TOOL_CHANGED',
] as const;
export type LabServerCode = (typeof LAB_SERVER_CODES)[number];

/** A call of a tool of one of the lab's own servers that brought no result; the turn goes on without it. */
export class LabServerError extends Error {
  readonly code: LabServerCode;
  /** Whether the same call may succeed in a moment. */
  readonly retryable: boolean;
  constructor(code: LabServerCode, message: string, options: ErrorOptions & { retryable?: boolean } = {}) {
    super(message, options);
    this.code = code;
    this.retryable = options.retryable ?? false;
  }
}

/** A setting, port, data folder or store prevents the start; the message names what to change. */
export class StartupError extends Error {}
