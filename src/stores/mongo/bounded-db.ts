/** Gives every read of a database a time limit and the signal of its caller. */
import type { Collection, Db } from 'mongodb';
import { currentBudget } from '../../base/read-budget.ts';

/** For reads outside of any budget: those of pages, which somebody waits for. */
const MOST_MS = 30_000;

type Bounds = { readonly maxTimeMS: number; readonly signal?: AbortSignal };

/**
 * The same database; `find` and `aggregate` end with the budget of their work. The server stops at the limit by itself,
 * and when a read is aborted: the driver then closes its connection.
 */
export function boundedDb(db: Db): Db {
  const collectionOf = (name: string): Collection => {
    const real = db.collection(name);
    const find = (filter: never, options: object) => real.find(filter, { ...options, ...bounds() });
    const aggregate = (stages: never, options: object) => real.aggregate(stages, { ...options, ...bounds() });
    return replacing(real, { find, aggregate });
  };
  return replacing(db, { collection: collectionOf });
}

function bounds(): Bounds {
  const budget = currentBudget();
  if (budget === null) return { maxTimeMS: MOST_MS };
  budget.signal.throwIfAborted();
  const leftMs = Math.ceil(budget.endsAt - performance.now());
  return { maxTimeMS: Math.max(1, Math.min(leftMs, MOST_MS)), signal: budget.signal };
}

function replacing<Target extends object>(
  target: Target,
  members: Readonly<Record<string, unknown>>,
): Target {
  return new Proxy(target, {
    get(_target, name): unknown {
      if (typeof name === 'string' && Object.hasOwn(members, name)) return members[name];
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}
