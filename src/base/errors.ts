/**
 * Outcomes a caller can act on. Everything else that is thrown is a bug: it is logged once at the border and masked
 * with a request id. Messages name the thing, where it was looked for, and what would be right.
 */
import { redactJson, redactSecrets } from './redaction/redact.ts';

/** Closed set of codes; the GraphQL enum `UserErrorCode` is made from it. */
export const USER_ERROR_CODES = [
  'INVALID_INPUT',
  'NOT_FOUND',
  'SESSION_BUSY',
  'RATE_LIMITED',
  'BUDGET_EXCEEDED',
  'CONFLICT',
  'STALE_ARTIFACTS',
  'SESSION_LINKED',
  'TURN_IN_PROGRESS',
  'FORBIDDEN',
] as const;

/** One of {@link USER_ERROR_CODES}. */
export type UserErrorCode = (typeof USER_ERROR_CODES)[number];

/** Base of all errors that are told to the user as they are. What they quote of the input loses its secrets. */
export abstract class UserError extends Error {
  abstract readonly code: UserErrorCode;
  constructor(message: string, options?: ErrorOptions) {
    super(redactSecrets(message), options);
  }
}

/** One thing wrong with an input; `path` leads to the argument, for example `['input', 'content']`. */
export type InputIssue = { readonly path: readonly string[]; readonly message: string };

/** The input cannot be used as it is; every issue says what would be right. */
export class InvalidInputError extends UserError {
  readonly code = 'INVALID_INPUT';
  readonly issues: readonly InputIssue[];
  constructor(issues: readonly InputIssue[]) {
    super(
      issues
        .map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message))
        .join('; '),
    );
    this.issues = redactJson(issues);
  }
  /** The error for a single issue. */
  static at(path: readonly string[], message: string): InvalidInputError {
    return new InvalidInputError([{ path, message }]);
  }
}

/** No such thing in the viewer's project. A foreign thing answers exactly like an unknown one. */
export class NotFoundError extends UserError {
  readonly code = 'NOT_FOUND';
}

/** The session already runs a turn and the caller asked to be refused then. */
export class SessionBusyError extends UserError {
  readonly code = 'SESSION_BUSY';
  readonly turnId: string;
  constructor(turnId: string, message: string) {
    super(message);
    this.turnId = turnId;
  }
}

/** Too many requests; the same call may succeed after `retryAfterMs`. */
export class RateLimitedError extends UserError {
  readonly code = 'RATE_LIMITED';
  readonly retryAfterMs: number;
  constructor(retryAfterMs: number, message: string) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

/** The token budget of the session or of the user's day is used up. */
export class BudgetExceededError extends UserError {
  readonly code = 'BUDGET_EXCEEDED';
}

/** The same key was used before for something else. */
export class ConflictError extends UserError {
  readonly code = 'CONFLICT';
}

/** The artifacts changed since the revision that the caller knows. */
export class StaleArtifactsError extends UserError {
  readonly code = 'STALE_ARTIFACTS';
  readonly sessionId: string;
  constructor(sessionId: string, message: string) {
    super(message);
    this.sessionId = sessionId;
  }
}

/** A job was made with the builder session, which is closed until it is reopened. */
export class SessionLinkedError extends UserError {
  readonly code = 'SESSION_LINKED';
  readonly sessionId: string;
  constructor(sessionId: string, message: string) {
    super(message);
    this.sessionId = sessionId;
  }
}

/** A turn is writing the artifacts. */
export class TurnInProgressError extends UserError {
  readonly code = 'TURN_IN_PROGRESS';
  readonly turnId: string;
  constructor(turnId: string, message: string) {
    super(message);
    this.turnId = turnId;
  }
}

/** A subscription's cursor lies beyond the end of the log: the client mixed up sessions or servers. */
export class CursorAheadError extends Error {
  readonly afterSeq: number;
  readonly lastSeq: number;
  constructor(afterSeq: number, lastSeq: number) {
    super(`afterSeq ${afterSeq} is beyond the end of this session's log; its last event is ${lastSeq}`);
    this.afterSeq = afterSeq;
    this.lastSeq = lastSeq;
  }
}

/** The disk has no room for a file; nothing of it was kept. Whoever has room made tries again. */
export class DiskFullError extends Error {
  constructor(options?: ErrorOptions) {
    super('the disk of the server is full; make room on it and try again', options);
  }
}

/** The calibration database cannot be reached now; the same read may succeed in a moment. */
export class CalibrationAwayError extends Error {
  /** In events and in GraphQL. */
  readonly code = 'CALIBRATION_AWAY';
  constructor(options?: ErrorOptions) {
    super('the calibration database does not answer now; try again in a moment', options);
  }
}

/** A setting, a port, a data folder or a store keeps the process from starting; the message says what to change. */
export class StartupError extends Error {}
