import { z } from 'zod';
import { MongoError } from '../errors.ts';
import { insertDocument } from '../store/documents.ts';
import { ensureCollection } from '../store/store.ts';
import * as arg from './arguments.ts';
import { type Command } from './command.ts';
import { runStatements, writeErrors } from './write.ts';

const INSERT = arg.schema({
  insert: z.string(),
  ordered: arg.boolean.optional(),
  bypassDocumentValidation: arg.boolean.optional(),
});

/** The most documents in one command. */
const MAX_DOCUMENTS = 100_000;

/**
 * The batch that `hello` announces, into which drivers divide larger writes. A command is not interrupted: on a busy machine
 * one of 10,000 documents held all other connections up until drivers took the server for dead.
 */
export const MAX_WRITE_BATCH = 1_000;

/** `insert`; creates the collection if it is missing. */
export const insert: Command = ({ body, database, documents }, context) => {
  const { insert: name, ordered = true } = arg.parse(INSERT, body, 'insert');
  if (documents.length === 0 || documents.length > MAX_DOCUMENTS) {
    throw new MongoError(
      'InvalidOptions',
      `insert takes 1 to ${MAX_DOCUMENTS} documents, got ${documents.length}`,
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
