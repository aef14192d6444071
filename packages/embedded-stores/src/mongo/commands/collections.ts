/** `create`, `drop`, `dropDatabase`, `listCollections`, `listDatabases`. */
import { z } from 'zod';
import { MongoError } from '../errors.ts';
import { parseFilter } from '../query/filter.ts';
import { matches } from '../query/match.ts';
import { createNeeds } from '../query/needs.ts';
import { decode, type Doc, encode } from '../query/values.ts';
import { type Collection, dropCollection, ensureCollection } from '../store/store.ts';
import * as arg from './arguments.ts';
import { type Command, sessionOf } from './command.ts';

const CREATE = arg.schema({ create: z.string() });

/** `create`; capped, time series, validators, views and collations are refused as unknown arguments. */
export const create: Command = ({ body, database }, { store }) => {
  const { create: name } = arg.parse(CREATE, body, 'create');
  if (store.collection(database, name)) {
    throw new MongoError('NamespaceExists', `Collection ${database}.${name} already exists.`);
  }
  store.transaction(() => ensureCollection(store, database, name));
  return { ok: 1 };
};

const DROP = arg.schema({ drop: z.string() });

/** `drop`; dropping a missing collection is not an error, as since MongoDB 7.0. */
export const drop: Command = ({ body, database }, { store, cursors }) => {
  const { drop: name } = arg.parse(DROP, body, 'drop');
  const collection = store.collection(database, name);
  if (!collection) return { ok: 1 };
  cursors.killNamespace(collection.namespace);
  store.transaction(() => dropCollection(store, collection));
  return { nIndexesWas: collection.indexes.length, ns: collection.namespace, ok: 1 };
};

const DROP_DATABASE = arg.schema({ dropDatabase: arg.anything });

/** `dropDatabase`. */
export const dropDatabase: Command = ({ body, database }, { store, cursors }) => {
  arg.parse(DROP_DATABASE, body, 'dropDatabase');
  store.transaction(() => {
    for (const collection of store.collections()) {
      if (collection.database !== database) continue;
      cursors.killNamespace(collection.namespace);
      dropCollection(store, collection);
    }
  });
  return { dropped: database, ok: 1 };
};

const LIST_COLLECTIONS = arg.schema({
  listCollections: arg.anything,
  filter: arg.doc.optional(),
  nameOnly: arg.boolean.optional(),
  authorizedCollections: arg.boolean.optional(),
  cursor: arg.doc.optional(),
});

/** `listCollections`. */
export const listCollections: Command = ({ body, database }, { store, cursors }) => {
  const { filter = {}, nameOnly = false } = arg.parse(LIST_COLLECTIONS, body, 'listCollections');
  const wanted = parseFilter(filter, createNeeds());
  const entries = store
    .collections()
    .filter((collection) => collection.database === database)
    .map((collection) => describe(collection, nameOnly))
    .filter((entry) => matches(wanted, entry));
  return cursors.open(entries.map(encode), `${database}.$cmd.listCollections`, { session: sessionOf(body) });
};

function describe({ name, indexes }: Collection, nameOnly: boolean): Doc {
  const summary: Doc = { name, type: 'collection' };
  const [idIndex] = indexes;
  if (nameOnly || !idIndex) return summary;
  return { ...summary, options: {}, info: { readOnly: false }, idIndex: idIndex.spec.definition };
}

const LIST_DATABASES = arg.schema({
  listDatabases: arg.anything,
  filter: arg.doc.optional(),
  nameOnly: arg.boolean.optional(),
  authorizedDatabases: arg.boolean.optional(),
});

/** `listDatabases`: names only; all databases share one file, so sizes are not reported. */
export const listDatabases: Command = ({ body }, { store }) => {
  const { filter = {} } = arg.parse(LIST_DATABASES, body, 'listDatabases');
  const wanted = parseFilter(filter, createNeeds());
  const names = [...new Set(store.collections().map(({ database }) => database))].sort();
  const databases = names.filter((name) => matches(wanted, decode(encode({ name }))));
  return { databases: databases.map((name) => ({ name })), ok: 1 };
};
