/** Shared by the write commands: one transaction per command, one savepoint and error per statement. */
import { MongoError } from '../errors.ts';
import { type CommandContext } from './command.ts';

/** A failed statement, as reported in the reply. */
export type WriteError = { readonly index: number; readonly code: number; readonly errmsg: string };

/**
 * Runs the statements in one transaction. A refused one is undone; with `ordered` it ends the command. A bug
 * undoes the whole command.
 */
export function runStatements<T>(
  { store }: CommandContext,
  statements: readonly T[],
  ordered: boolean,
  run: (statement: T, index: number) => void,
): WriteError[] {
  return store.transaction(() => {
    const errors: WriteError[] = [];
    for (const [index, statement] of statements.entries()) {
      try {
        store.savepoint(() => run(statement, index));
      } catch (error) {
        if (!(error instanceof MongoError)) throw error;
        errors.push({ index, code: error.code, errmsg: error.message, ...error.details });
        if (ordered) break;
      }
    }
    return errors;
  });
}

/** The reply field for errors: absent if there are none. */
export function writeErrors(errors: readonly WriteError[]): { readonly writeErrors?: readonly WriteError[] } {
  return errors.length > 0 ? { writeErrors: errors } : {};
}
