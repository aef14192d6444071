import type { Collection, Db, Document, ExplainVerbosityLike } from 'mongodb';

/** How the server would run one query. */
export type Explained = {
  readonly collection: string;
  /** Indexes of the plan that the server would choose; none when it would read the whole collection. */
  readonly indexes: readonly string[];
};

const PLAN_ONLY: ExplainVerbosityLike = 'queryPlanner';

/**
 * A handle whose reads are explained instead of run: they find nothing, and `told` hears how they would have been run. Only those
 * of collections that exist are explained. Anything else than a read by `find` or `aggregate` is refused, so that nothing can
 * slip through to the database.
 */
export function explainingDb(
  db: Db,
  collections: ReadonlySet<string>,
  told: (explained: Explained) => void,
): Db {
  const explained = <Cursor extends Explainable>(cursor: Cursor, collection: string): Cursor =>
    Object.assign(cursor, {
      toArray: async (): Promise<Document[]> => {
        if (!collections.has(collection)) return [];
        const plan = await cursor.explain(PLAN_ONLY);
        told({ collection, indexes: [...new Set(indexesIn(plan))] });
        return [];
      },
    });
  const collectionOf = (name: string): Collection => {
    const real = db.collection(name);
    const find = (...args: Parameters<Collection['find']>) => explained(real.find(...args), name);
    const aggregate = (...args: Parameters<Collection['aggregate']>) =>
      explained(real.aggregate(...args), name);
    return onlyWith(real, { find, aggregate });
  };
  return onlyWith(db, { collection: collectionOf });
}

type Explainable = { explain(verbosity: ExplainVerbosityLike): Promise<Document> };

function onlyWith<Target extends object>(target: Target, members: Readonly<Record<string, unknown>>): Target {
  return new Proxy(target, {
    get(_target, name): unknown {
      if (typeof name === 'string' && Object.hasOwn(members, name)) return members[name];
      throw new Error(`${String(name)} is no read that can be explained`);
    },
  });
}

/** Names of indexes at any depth below winning plans: servers of different ages and shapes nest them differently. */
function indexesIn(plan: unknown, isWinning = false): string[] {
  if (typeof plan !== 'object' || plan === null) return [];
  return Object.entries(plan).flatMap(([key, value]: [string, unknown]) => {
    if (isWinning && key === 'indexName' && typeof value === 'string') return [value];
    return key === 'rejectedPlans' ? [] : indexesIn(value, isWinning || key === 'winningPlan');
  });
}
