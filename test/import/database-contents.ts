import { BSON, type Db } from 'mongodb';

/** Every document of every collection, for comparing whole databases. */
export async function contentsOf(db: Db): Promise<Record<string, readonly string[]>> {
  const names = (await db.listCollections().toArray()).map(({ name }) => name).sort();
  const all: Record<string, readonly string[]> = {};
  for (const name of names) {
    const documents = await db.collection(name).find().sort({ _id: 1 }).toArray();
    all[name] = documents.map((document) => BSON.EJSON.stringify(document));
  }
  return all;
}
