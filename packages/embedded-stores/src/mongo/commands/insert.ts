/** `insert`. */
import { z } from 'zod';
import { MongoError } from '../errors.ts';
import { insertDocument } from '../store/documents.ts';
import { ensureCollection } from '../store/store.ts';
import { argumentsOf, booleanArgument, type Command, parseArguments } from './command.ts';
import { runStatements, writeErrors } from './write.ts';

const INSERT = argumentsOf({
  insert: z.string(),
  ordered: booleanArgument.optional(),
  bypassDocumentValidation: booleanArgument.optional(),
});

/** The most documents in one command, as `hello` announces it. */
export const MAX_WRITE_BATCH = 100_000;

/** `insert`; creates the collection if need be. */
export const insert: Command = ({ body, database, documents }, context) => {
  const { insert: name, ordered = true } = parseArguments(INSERT, body, 'insert');
  if (documents.length === 0 || documents.length > MAX_WRITE_BATCH) {
    throw new MongoError(
      'InvalidOptions',
      `insert takes 1 to ${MAX_WRITE_BATCH} documents, got ${documents.length}`,
    );
  }
  const { store } = context;
  let n = 0;
  const errors = runStatements(context, documents, ordered, (raw) => {
    insertDocument(store, ensureCollection(store, database, name), raw);
    n++;
  });
  return { n, ...writeErrors(errors), ok: 1 };
};
