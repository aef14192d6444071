/** What can go wrong, each as a class of its own with a code for programs and a message for people. */

/** Every error of this package. */
export class QPilotError extends Error {
  override readonly name: string = 'QPilotError';
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Nothing answers at the address, or a proxy says that nothing answers behind it. */
export class UnreachableError extends QPilotError {
  override readonly name = 'UnreachableError';

  constructor(message: string, options?: ErrorOptions) {
    super('UNREACHABLE', message, options);
  }
}

/** Something answers at the address that is no QPilot. */
export class NotQPilotError extends QPilotError {
  override readonly name = 'NotQPilotError';

  constructor(message: string) {
    super('NOT_QPILOT', message);
  }
}

/** What a server says about a refusal besides code and message. */
type Details = {
  readonly issues?: readonly Issue[] | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly busyTurnId?: string | undefined;
};

/** What is wrong with a part of the input. */
export type Issue = { readonly path: readonly string[]; readonly message: string };

/** The server refused; `code` is its own. */
export class RefusedError extends QPilotError {
  override readonly name: string = 'RefusedError';

  constructor(code: string, message: string, _details: Details = {}) {
    super(code, message);
  }
}

/** Nobody is signed in, the key is unknown, or it has ended. */
export class UnauthenticatedError extends RefusedError {
  override readonly name = 'UnauthenticatedError';
}

/** The role in this project does not allow it. */
export class ForbiddenError extends RefusedError {
  override readonly name = 'ForbiddenError';
}

/** It does not exist, or belongs to somebody else. */
export class NotFoundError extends RefusedError {
  override readonly name = 'NotFoundError';
}

/** The log has fewer events than the cursor says: read the session again, and follow it from its `lastSeq`. */
export class CursorAheadError extends RefusedError {
  override readonly name = 'CursorAheadError';
}

/** Values of the input are wrong; `issues` says which and why. */
export class InvalidInputError extends RefusedError {
  override readonly name = 'InvalidInputError';
  readonly issues: readonly Issue[];

  constructor(code: string, message: string, { issues = [] }: Details) {
    super(code, message);
    this.issues = issues;
  }
}

/** The session is answering another message; see `whenBusy`. */
export class SessionBusyError extends RefusedError {
  override readonly name = 'SessionBusyError';
  readonly busyTurnId: string | null;

  constructor(code: string, message: string, { busyTurnId }: Details) {
    super(code, message);
    this.busyTurnId = busyTurnId ?? null;
  }
}

/** Too much at once, or a store of the server is away: the same request, with the same client id, may succeed later. */
export class TryLaterError extends RefusedError {
  override readonly name = 'TryLaterError';
  readonly retryAfterMs: number;

  constructor(code: string, message: string, { retryAfterMs = 1_000 }: Details) {
    super(code, message);
    this.retryAfterMs = retryAfterMs;
  }
}

type Refusal = new (code: string, message: string, details: Details) => RefusedError;

const BY_CODE: Readonly<Record<string, Refusal>> = {
  UNAUTHENTICATED: UnauthenticatedError,
  FORBIDDEN: ForbiddenError,
  NOT_FOUND: NotFoundError,
  CURSOR_AHEAD: CursorAheadError,
  INVALID_INPUT: InvalidInputError,
  SESSION_BUSY: SessionBusyError,
  RATE_LIMITED: TryLaterError,
  SERVICE_BUSY: TryLaterError,
  STORE_AWAY: TryLaterError,
};

/** The error for a code of the server. */
export const refusal = (code: string, message: string, details: Details = {}): RefusedError =>
  new (BY_CODE[code] ?? RefusedError)(code, message, details);

/** An error of GraphQL as servers send it. */
type GraphqlError = {
  readonly message: string;
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
};

/** Errors of one operation as one error; its code is that of the first. */
export function refusalOf(errors: readonly GraphqlError[]): RefusedError {
  const { code, retryAfterMs, issues } = errors[0]?.extensions ?? {};
  // The header is ours; who calls names the project by an option.
  const message = errors.map((error) => error.message.replace('x-project-id:', 'projectId:')).join('; ');
  return refusal(typeof code === 'string' ? code : 'UNKNOWN', message, {
    retryAfterMs: typeof retryAfterMs === 'number' ? retryAfterMs : undefined,
    issues: issues as readonly Issue[] | undefined,
  });
}
