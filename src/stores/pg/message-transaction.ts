import { sql } from 'kysely';
import { UserError } from '../../base/errors.ts';
import type { Viewer } from '../../domain/conversation/session.ts';
import { currentAct, within, type Act } from './audited-act.ts';
import type { Db, Tx } from './database.ts';
import { lockNamedSessions, openMessage, type MessageName, type OpenedMessage } from './open-message.ts';
import { commitCounted, countedTransaction, inGates } from './viewer-transaction.ts';

/** Most messages of one transaction: while it is open, answers in their conversations cannot go on. */
const MOST_MESSAGES = 20;

/** How a message is stored. */
type MessageWork<T> = {
  readonly store: (tx: Tx, opened: OpenedMessage) => Promise<T>;
  /** Whether no message may follow it in its transaction. */
  readonly isLast: (result: T) => boolean;
};

/** A message that waits for a transaction. */
type Waiting = {
  readonly message: MessageName;
  /** Of the request that sent it; another one may store it. */
  readonly act: Act | null;
  store(tx: Tx): Promise<Stored>;
  readonly refuse: (error: unknown) => void;
};

type Stored = {
  /** What was started for the viewer before, as the message found it; null for a refused one. */
  readonly starts: string | null;
  readonly isLast: boolean;
  /** Tells the sender. To be called once all is committed. */
  readonly settle: () => void;
};

/** Of each user, in the order in which they came. */
const lines = new WeakMap<Db, Map<string, Waiting[]>>();

/**
 * As `viewerTransaction`, for a message, with what it finds. Messages of a user that wait share a transaction and keep
 * their order; what is wrong with one of them is refused alone.
 */
export function messageTransaction<T>(
  db: Db,
  viewer: Viewer,
  message: MessageName,
  { store, isLast }: MessageWork<T>,
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const ofAll = lines.get(db) ?? new Map<string, Waiting[]>();
  lines.set(db, ofAll);
  const line = ofAll.get(viewer.id) ?? [];
  ofAll.set(viewer.id, line);
  const act = currentAct();
  const waiting: Waiting = {
    message,
    act,
    store: (tx) =>
      within(act, async () => {
        const opened = await openMessage(tx, viewer, message);
        const result = await store(tx, opened);
        return { starts: opened.starts, isLast: isLast(result), settle: () => resolve(result) };
      }),
    refuse: reject,
  };
  line.push(waiting);
  // Each comes in once, so there are never fewer to come than wait; some find that theirs was taken before.
  inGates(db, viewer, 'request', async () => {
    await storeFirst(db, viewer, line);
    if (line.length === 0) ofAll.delete(viewer.id);
  }).catch((error: unknown) => {
    const place = line.indexOf(waiting);
    if (place >= 0) line.splice(place, 1);
    reject(error);
  });
  return promise;
}

/** Stores the first messages of a line together; where that fails, the first one alone. */
async function storeFirst(db: Db, viewer: Viewer, line: Waiting[]): Promise<void> {
  const batch = line.splice(0, MOST_MESSAGES);
  const [first, ...others] = batch;
  if (first === undefined) return;
  if (others.length > 0) {
    const stored = await db
      .transaction()
      .execute((tx) => storeTogether(tx, viewer, batch))
      .catch(() => null);
    if (stored !== null) {
      line.unshift(...batch.slice(stored.length));
      for (const { settle } of stored) settle();
      return;
    }
    line.unshift(...others);
  }
  await within(first.act, () => countedTransaction(db, (tx) => first.store(tx))).then(
    ({ settle }) => settle(),
    first.refuse,
  );
}

/** Stores messages up to one that is the last of its transaction. @throws what concerns more than one message */
async function storeTogether(tx: Tx, viewer: Viewer, batch: readonly Waiting[]): Promise<readonly Stored[]> {
  const messages = batch.map(({ message }) => message);
  await lockNamedSessions(tx, viewer, messages);
  await sql.raw('savepoint message').execute(tx);
  const done: Stored[] = [];
  const acts: (Act | null)[] = [];
  let before: string | null = null;
  for (const waiting of batch) {
    const one = await waiting.store(tx).catch((error: unknown) => refused(waiting, error));
    done.push(one);
    if (one.starts === null) {
      await sql.raw('rollback to savepoint message').execute(tx);
      continue;
    }
    if (before !== null && one.starts !== before)
      throw new Error('another process stored a message of the user');
    before = one.starts;
    acts.push(waiting.act);
    if (one.isLast) break;
    await sql.raw('release savepoint message; savepoint message').execute(tx);
  }
  if (before !== null) await commitCounted(tx, acts);
  return done;
}

function refused({ refuse }: Waiting, error: unknown): Stored {
  if (!(error instanceof UserError)) throw error;
  return { starts: null, isLast: false, settle: () => refuse(error) };
}
