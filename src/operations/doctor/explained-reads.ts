import type { Collection, Db, Document, ExplainVerbosityLike } from 'mongodb';

/** How the server would run one query. */
export type Explained = {
  readonly collection: string;
  /** Indexes in the winning plan; empty for a collection scan. */
  readonly indexes: readonly string[];
};

const PLAN_ONLY: ExplainVerbosityLike = 'queryPlanner';

/**
 * A handle that explains reads instead of running them: they return nothing, and `onPlan` receives their plans. Reads
 * of missing collections are skipped. Anything other than `find` and `aggregate` throws, so nothing else reaches the
 * database.
 */
export function explainingDb(
  db: Db,
  collections: ReadonlySet<string>,
  onPlan: (explained: Explained) => void,
): Db {
  const explained = <Cursor extends Explainable>(cursor: Cursor, collection: string): Cursor =>
    Object.assign(cursor, {
      toArray: async (): Promise<Document[]> => {
        if (!collections.has(collection)) return [];
        const plan = await cursor.explain(PLAN_ONLY);
        onPlan({ collection, indexes: [...new Set(indexesIn(plan))] });
        return [];
      },
    });
  const collectionOf = (name: string): Collection => {
    const real = db.collection(name);
    const find = (...args: Parameters<Collection['find']>) => explained(real.find(...args), name);
    const aggregate = (...args: Parameters<Collection['aggregate']>) =>
      explained(real.aggregate(...args), name);
    return onlyWith(real, { find, aggregate, collectionName: name });
  };
  return onlyWith(db, { collection: collectionOf });
}

type Explainable = { explain(verbosity: ExplainVerbosityLike): Promise<Document> };

function onlyWith<Target extends object>(target: Target, members: Readonly<Record<string, unknown>>): Target {
  return new Proxy(target, {
    get(_target, name): unknown {
      if (typeof name === 'string' && Object.hasOwn(members, name)) return members[name];
      throw new Error(`${String(name)} cannot be explained`);
    },
  });
}

/** Index names at any depth below winning plans, which server versions nest differently. */
function indexesIn(plan: unknown, isWinning = false): string[] {
  if (typeof plan !== 'object' || plan === null) return [];
  return Object.entries(plan).flatMap(([key, value]: [string, unknown]) => {
    if (isWinning && key === 'indexName' && typeof value === 'string') return [value];
    return key === 'rejectedPlans' ? [] : indexesIn(value, isWinning || key === 'winningPlan');
  });
}
