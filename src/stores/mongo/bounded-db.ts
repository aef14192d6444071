/** Gives every read of a database a time limit and the signal of its caller. */
import type { Collection, Db, Document } from 'mongodb';
import { CalibrationAwayError } from '../../base/errors.ts';
import { currentBudget } from '../../base/read-budget.ts';

/** For every read: the time of a tool may be longer, and pages have none. */
const MOST_MS = 30_000;
/** A server that answers at all reports the end of a read's time within this time. */
const REPORT_MS = 2_000;

type Bounds = { readonly maxTimeMS: number; readonly signal: AbortSignal };

/**
 * The same database; reads end with the budget of their work. The server stops at the limit by itself, and when a read is
 * aborted: the driver then closes its connection. Where a server says nothing at all, the signal ends the read. It does not
 * reach further pages of a cursor, which the limit of the socket ends (mongo-client.ts).
 */
export function boundedDb(db: Db, mostMs = MOST_MS): Db {
  const bounds = (): Bounds => boundsNow(mostMs);
  const collectionOf = (name: string): Collection => {
    const real = db.collection(name);
    const find = (filter: never, options: object) => real.find(filter, { ...options, ...bounds() });
    const aggregate = (stages: never, options: object) => real.aggregate(stages, { ...options, ...bounds() });
    return replacing(real, { find, aggregate });
  };
  const command = (document: Document): Promise<Document> =>
    db.command(document, { signal: bounds().signal });
  const listCollections = (filter: Document, options: object) =>
    db.listCollections(filter, { ...options, ...bounds() });
  return replacing(db, { collection: collectionOf, command, listCollections });
}

function boundsNow(mostMs: number): Bounds {
  const budget = currentBudget();
  budget?.signal.throwIfAborted();
  const leftMs = budget === null ? Infinity : Math.ceil(budget.endsAt - performance.now());
  const maxTimeMS = Math.max(1, Math.min(leftMs, mostMs));
  const silence = silenceAfter(maxTimeMS + REPORT_MS);
  return { maxTimeMS, signal: budget === null ? silence : AbortSignal.any([budget.signal, silence]) };
}

function silenceAfter(ms: number): AbortSignal {
  const silence = new AbortController();
  setTimeout(() => silence.abort(new CalibrationAwayError()), ms).unref();
  return silence.signal;
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
