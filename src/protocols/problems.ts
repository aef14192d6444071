/** Errors in the words of a caller; a fault of the server is logged and named by a request id only. */
import { randomUUID } from 'node:crypto';
import { CursorAheadError, OutageError, UserError } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import type { TurnError } from '../domain/conversation/session.ts';
import { SignedOutError } from '../identity/identity.ts';

/** Codes of errors that pass by themselves. */
const PASSING = new Set(['RATE_LIMITED', 'SESSION_BUSY']);

export function problemOf(error: unknown, signal: AbortSignal, log: Logger): TurnError {
  if (error instanceof UserError) {
    return { code: error.code, message: error.message, retryable: PASSING.has(error.code) };
  }
  if (error instanceof SignedOutError || error instanceof CursorAheadError) {
    const code = error instanceof SignedOutError ? error.code : 'CURSOR_AHEAD';
    return { code, message: error.message, retryable: false };
  }
  if (error instanceof OutageError) {
    log.warn({ err: error }, 'a request of MCP was refused: busy, or a store is away');
    return { code: error.code, message: error.message, retryable: error.retryAfterMs !== null };
  }
  if (signal.aborted) return { code: 'CANCELLED', message: 'cancelled', retryable: true };
  const requestId = randomUUID();
  log.error({ err: error, requestId }, 'a request of MCP failed unexpectedly');
  const message = `unexpected error; the log of the server has it under request id ${requestId}`;
  return { code: 'INTERNAL_SERVER_ERROR', message, retryable: false };
}
