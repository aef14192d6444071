import type { Db, Document } from 'mongodb';
import { createMongoCalibrationStore } from '../../stores/mongo/calibration-store.ts';
import { explainingDb, type Explained } from './explained-reads.ts';
import { findingsOf, type Finding } from './finding.ts';
import { CHECKED_QUERIES, type CheckedQuery, type IndexKey, type QuerySample } from './queries.ts';

export type IndexedDatabase = {
  readonly db: Db;
  readonly collections: ReadonlySet<string>;
  /** QPilot created the database and creates its indexes. */
  readonly isOwn: boolean;
};

/** By collection: fields of each index as text, by index name. */
type KnownIndexes = ReadonlyMap<string, ReadonlyMap<string, string>>;

/**
 * Reports which index the server uses for each of our queries, and which are missing. Explains queries without
 * running them.
 */
export async function indexFindings(
  database: IndexedDatabase,
  sample: QuerySample,
): Promise<readonly Finding[]> {
  const known = await readIndexes(database);
  const findings: Finding[] = [];
  for (const query of CHECKED_QUERIES) {
    const plans: Explained[] = [];
    const db = explainingDb(database.db, database.collections, (plan) => plans.push(plan));
    await query.run(createMongoCalibrationStore(db), sample);
    findings.push(...judge(query, plans, known, database.isOwn));
  }
  return findings;
}

async function readIndexes({ db, collections }: IndexedDatabase): Promise<KnownIndexes> {
  const wanted = new Set(CHECKED_QUERIES.flatMap(({ needs }) => Object.keys(needs)));
  const present = [...wanted].filter((name) => collections.has(name));
  const entries = present.map(async (name) => {
    const indexes: readonly Document[] = await db.collection(name).indexes();
    return [name, new Map(indexes.map((index) => [String(index['name']), keyText(index['key'])]))] as const;
  });
  return new Map(await Promise.all(entries));
}

function judge(
  { name, needs }: CheckedQuery,
  plans: readonly Explained[],
  known: KnownIndexes,
  isOwn: boolean,
): readonly Finding[] {
  const report = findingsOf('indexes');
  const needed = plans.flatMap((plan) => {
    const key = needs[plan.collection];
    return key === undefined ? [] : [{ ...plan, key }];
  });
  if (needed.length === 0) return [];
  const lacking = needed.filter(({ collection, indexes, key }) => {
    const present = [...(known.get(collection)?.values() ?? [])];
    return indexes.length === 0 || !present.some((text) => text === keyText(key));
  });
  if (lacking.length === 0) {
    const used = new Set(
      needed.flatMap(({ collection, indexes }) => indexes.map((index) => `${collection}.${index}`)),
    );
    return [report.ok(`${name}: ${[...used].join(', ')}`)];
  }
  const byCollection = new Map(lacking.map((each) => [each.collection, each]));
  return [...byCollection.values()].map(({ collection, indexes, key }) =>
    report.warning(
      `${name}: ${indexes.length === 0 ? `scans all of ${collection}` : `falls back to ${collection}.${indexes.join(', ')}`}`,
      adviceFor(collection, key, isOwn),
    ),
  );
}

function adviceFor(collection: string, key: IndexKey, isOwn: boolean): string {
  const command = `db.${collection}.createIndex(${keyText(key)})`;
  return isOwn
    ? `the next npm run import creates it; by hand: ${command}`
    : `slow with a long history; an administrator of QDash can create the index that QDash itself uses: ${command}`;
}

/** Fields with directions; servers return the numbers as integers or doubles. */
const keyText = (key: unknown): string =>
  JSON.stringify(
    Object.fromEntries(Object.entries(Object(key) as object).map(([field, way]) => [field, Number(way)])),
  );
