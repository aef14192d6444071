/** `createIndexes`, `listIndexes`, `dropIndexes`. */
import { Int32 } from 'bson';
import { z } from 'zod';
import { MongoError } from '../errors.ts';
import { createNeeds } from '../query/needs.ts';
import { type Doc, encode, isDoc } from '../query/values.ts';
import { addKeys } from '../store/documents.ts';
import { type IndexSpec, parseIndex } from '../store/index-spec.ts';
import { scanCollection } from '../store/scan.ts';
import { addIndexTable, type Collection, ensureCollection, type Store } from '../store/store.ts';
import * as arg from './arguments.ts';
import { type Command, requireCollection, sessionOf } from './command.ts';

const CREATE = arg.schema({
  createIndexes: z.string(),
  indexes: arg.docs.min(1),
  commitQuorum: arg.anything.optional(),
});

/** `createIndexes`: all or none. An equal index is left alone. */
export const createIndexes: Command = ({ body, database }, { store }) => {
  const { createIndexes: name, indexes } = arg.parse(CREATE, body, 'createIndexes');
  const before = store.collection(database, name);
  const after = store.transaction(() => {
    ensureCollection(store, database, name);
    for (const definition of indexes) createIndex(store, database, name, { v: new Int32(2), ...definition });
    return store.collection(database, name);
  });
  const numIndexesBefore = before?.indexes.length ?? 1;
  const numIndexesAfter = after?.indexes.length ?? 1;
  return {
    numIndexesBefore,
    numIndexesAfter,
    createdCollectionAutomatically: !before,
    ...(numIndexesBefore === numIndexesAfter && { note: 'all indexes already exist' }),
    ok: 1,
  };
};

function createIndex(store: Store, database: string, name: string, definition: Doc): void {
  const spec = parseIndex(definition, createNeeds());
  const collection = ensureCollection(store, database, name);
  if (isThere(collection, spec)) return;
  const id = addIndexTable(store, collection.id, spec.unique, encode(definition));
  store.reload();
  const created = ensureCollection(store, database, name);
  const index = created.indexes.find((candidate) => candidate.id === id);
  if (!index) throw new Error(`index ${spec.name} is missing right after its creation`);
  const counts = { keysExamined: 0, docsExamined: 0 };
  for (const { rowId, raw } of scanCollection(store, created, counts)) {
    addKeys(store, created, index, rowId, created.decodeKeyFields(raw));
  }
}

/** True if the index exists; the same name or keys with other options are a conflict. */
function isThere(collection: Collection, spec: IndexSpec): boolean {
  const signature = signatureOf(spec);
  for (const { spec: other } of collection.indexes) {
    if (other.name === spec.name) {
      if (signatureOf(other) === signature || spec.name === '_id_') return true;
      throw new MongoError(
        'IndexKeySpecsConflict',
        `An existing index has the same name as the requested index: ${spec.name}`,
      );
    }
    if (signatureOf(other) === signature) {
      throw new MongoError(
        'IndexOptionsConflict',
        `Index already exists with a different name: ${other.name}`,
      );
    }
  }
  return false;
}

function signatureOf({ definition }: IndexSpec): string {
  const { key, unique = false, sparse = false, partialFilterExpression = null } = definition;
  return JSON.stringify([key, unique, sparse, partialFilterExpression]);
}

const LIST = arg.schema({ listIndexes: z.string(), cursor: arg.doc.optional() });

/** `listIndexes`. */
export const listIndexes: Command = ({ body, database }, context) => {
  const { listIndexes: name } = arg.parse(LIST, body, 'listIndexes');
  const collection = requireCollection(context, database, name);
  const definitions = collection.indexes.map(({ spec }) => encode(spec.definition));
  return context.cursors.open(definitions, collection.namespace, { session: sessionOf(body) });
};

const DROP = arg.schema({
  dropIndexes: z.string(),
  index: z.union([arg.hint, z.array(z.string())]),
});

/** `dropIndexes`: by name, names, key pattern, or `*` for all but `_id_`. */
export const dropIndexes: Command = ({ body, database }, context) => {
  const { dropIndexes: name, index: wanted } = arg.parse(DROP, body, 'dropIndexes');
  const { store } = context;
  const collection = requireCollection(context, database, name);
  const targets =
    wanted === '*'
      ? collection.indexes.filter(({ spec }) => spec.name !== '_id_')
      : (Array.isArray(wanted) ? wanted : [wanted]).map((one) => requireIndex(collection, one));
  context.cursors.killNamespace(collection.namespace);
  store.transaction(() => {
    for (const { id, table } of targets) {
      store.sqlite.exec(`DROP TABLE ${table}`);
      store.sqlite.run('DELETE FROM indexes WHERE id = ?', id);
    }
    store.reload();
  });
  return { nIndexesWas: collection.indexes.length, ok: 1 };
};

function requireIndex(collection: Collection, wanted: string | Doc): Collection['indexes'][number] {
  const shown = isDoc(wanted) ? JSON.stringify(wanted) : `[${wanted}]`;
  const index = collection.indexes.find(({ spec }) =>
    isDoc(wanted) ? JSON.stringify(spec.definition['key']) === JSON.stringify(wanted) : spec.name === wanted,
  );
  if (!index) throw new MongoError('IndexNotFound', `index not found with name ${shown}`);
  if (index.spec.name === '_id_') throw new MongoError('InvalidOptions', 'cannot drop _id index');
  return index;
}
