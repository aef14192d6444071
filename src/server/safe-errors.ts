import { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import {
  ClientGoneError,
  CursorAheadError,
  InvalidInputError,
  OutageError,
  RateLimitedError,
  safeMessage,
  UserError,
} from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import { redactJson } from '../base/redaction/redact.ts';
import { SignedOutError } from '../identity/identity.ts';
import type { OperationContext } from './operation-context.ts';

/** Errors created here: they pass unchanged and are not logged again. */
const made = new WeakSet<object>();

/**
 * Makes an error safe to send. Outcomes that a caller can act on and GraphQL's own errors keep their text and get a
 * code. Anything else is a bug, which is logged here, once, and only its request id is sent.
 */
export function toSafeError(error: unknown, requestId: string, log: Logger): GraphQLError {
  if (error instanceof GraphQLError && made.has(error)) return error;
  const located = error instanceof GraphQLError ? error : null;
  const cause = innermost(error);
  if (cause instanceof UserError || cause instanceof CursorAheadError) {
    return safe(located, cause.message, extensionsOf(cause, located?.path === undefined));
  }
  if (cause instanceof SignedOutError) {
    return safe(located, cause.message, { code: cause.code, http: { status: 401 } });
  }
  if (cause instanceof ClientGoneError) return safe(located, cause.message, { code: cause.code });
  if (cause instanceof OutageError) {
    log.warn(
      { err: cause, requestId, path: located?.path },
      'a request was refused: busy, a store is away or too slow, or the disk is full',
    );
    const { code, retryAfterMs } = cause;
    return safe(located, cause.message, { code, ...(retryAfterMs !== null && { retryAfterMs }), requestId });
  }
  if (cause instanceof GraphQLError) {
    return safe(located, cause.message, { code: 'BAD_REQUEST', ...cause.extensions });
  }
  log.error({ err: cause, requestId, path: located?.path }, 'a request failed unexpectedly');
  return safe(located, 'Unexpected error; the log of the server has it under this request id.', {
    code: 'INTERNAL_SERVER_ERROR',
    requestId,
  });
}

/** Replaces the errors of every result and event by safe ones, with the operation's own request id. */
export function useSafeErrors(log: Logger): Plugin<OperationContext> {
  type Result = { readonly errors?: readonly GraphQLError[] };
  const cleaned = <R extends Result>(result: R, { requestId }: OperationContext): R | null =>
    result.errors === undefined
      ? null
      : { ...result, errors: result.errors.map((error) => toSafeError(error, requestId, log)) };
  return {
    onExecute: ({ args }) => ({
      onExecuteDone({ result, setResult }) {
        const safe = Symbol.asyncIterator in result ? null : cleaned(result, args.contextValue);
        if (safe !== null) setResult(safe);
      },
    }),
    onSubscribe: ({ args }) => ({
      onSubscribeResult({ result, setResult }) {
        const safe = Symbol.asyncIterator in result ? null : cleaned(result, args.contextValue);
        if (safe !== null) setResult(safe);
        return {
          onNext(event) {
            const safeEvent = cleaned(event.result, args.contextValue);
            if (safeEvent !== null) event.setResult(safeEvent);
          },
        };
      },
      onSubscribeError({ error, setError }) {
        setError(toSafeError(error, args.contextValue.requestId, log));
      },
    }),
  };
}

function innermost(error: unknown): unknown {
  let inner = error;
  while (inner instanceof GraphQLError && inner.originalError) inner = inner.originalError;
  return inner;
}

function extensionsOf(error: UserError | CursorAheadError, isWhole: boolean): Record<string, unknown> {
  if (error instanceof RateLimitedError) {
    const { code, retryAfterMs } = error;
    const headers = { 'retry-after': String(Math.ceil(retryAfterMs / 1_000)) };
    return { code, retryAfterMs, http: { ...(isWhole && { status: 429 }), headers } };
  }
  if (error instanceof CursorAheadError) return { code: 'CURSOR_AHEAD', lastSeq: error.lastSeq };
  return error instanceof InvalidInputError
    ? { code: error.code, issues: error.issues }
    : { code: error.code };
}

/** A copy with another message at the same location. The compiled executor only provides `locations`. */
function safe(at: GraphQLError | null, message: string, extensions: Record<string, unknown>): GraphQLError {
  const error = new GraphQLError(safeMessage(message), {
    nodes: at?.nodes,
    source: at?.source,
    positions: at?.positions,
    path: at?.path,
    extensions: redactJson(extensions),
  });
  if (at?.locations && !error.locations) Object.defineProperty(error, 'locations', { value: at.locations });
  made.add(error);
  return error;
}
