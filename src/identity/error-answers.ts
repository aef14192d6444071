/** What `/auth` answers to an error. */
import { z } from 'zod';
import { ConflictError, ForbiddenError, NotFoundError, OutageError, UserError } from '../base/errors.ts';
import { SignedOutError } from './identity.ts';

export function answerTo(error: unknown): {
  readonly status: number;
  readonly code: string;
  readonly message: string;
} {
  if (error instanceof SignedOutError) return { status: 401, code: error.code, message: error.message };
  if (error instanceof z.ZodError) {
    const message = error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
    return { status: 400, code: 'INVALID_INPUT', message };
  }
  if (error instanceof SyntaxError)
    return { status: 400, code: 'INVALID_INPUT', message: 'the body is no JSON' };
  if (error instanceof UserError) {
    const status =
      error instanceof NotFoundError
        ? 404
        : error instanceof ForbiddenError
          ? 403
          : error instanceof ConflictError
            ? 409
            : 400;
    return { status, code: error.code, message: error.message };
  }
  if (error instanceof OutageError) return { status: 503, code: error.code, message: error.message };
  return {
    status: 500,
    code: 'INTERNAL_SERVER_ERROR',
    message: 'Unexpected error; the log of the server has it',
  };
}
