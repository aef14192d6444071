/**
 * Open cursors: results that did not fit into one reply. They end when exhausted, killed, idle too long, or
 * without a session.
 */
import { MongoError } from './errors.ts';
import { type Flow, PAUSE, type Pause, type Steps } from './steps.ts';
import { CursorReply } from './wire.ts';

/** Documents of a result, lazily read. */
type Results = Flow<Buffer>;

/** Who may own cursors: a client session, if the client uses one. */
type SessionId = string | undefined;

type Cursor = {
  readonly iterator: Iterator<Buffer | Pause>;
  readonly namespace: string;
  readonly session: SessionId;
  /** Read but not yet sent. */
  pending: Buffer | undefined;
  usedAtMs: number;
  /** A page is being read: now, or after a pause. */
  isBusy: boolean;
  /** Ended by somebody else while it paused. */
  isKilled: boolean;
};

type Page = { readonly documents: readonly Buffer[]; readonly more: boolean };

/** The cursors of one server. */
export type Cursors = {
  /** The first page; the rest stays open, unless `single`. */
  open(
    results: Results,
    namespace: string,
    page: { batchSize?: number | undefined; single?: boolean; session?: SessionId },
  ): Steps<CursorReply>;
  /** The next page; throws CursorNotFound. */
  next(id: bigint, namespace: string, batchSize?: number): Steps<CursorReply>;
  /** Ends a cursor; false if it does not exist. */
  kill(id: bigint): boolean;
  killSession(session: string): void;
  /** Ends the cursors on a collection that is being dropped. */
  killNamespace(namespace: string): void;
  killAll(): void;
  count(): number;
};

const FIRST_BATCH = 101;
const MAX_BATCH_BYTES = 16 * 1024 * 1024;
/** MongoDB's default `cursorTimeoutMillis`. */
const IDLE_MS = 600_000;

/** `now` is a clock in milliseconds; idle cursors are ended whenever another one is opened. */
export function createCursors(now: () => number = Date.now): Cursors {
  const cursors = new Map<bigint, Cursor>();
  let lastId = 0n;
  const kill = (id: bigint): boolean => {
    const cursor = cursors.get(id);
    if (cursor) cursor.isKilled = true;
    cursor?.iterator.return?.();
    return cursors.delete(id);
  };
  /** Reads a page; the cursor stays open only if there is more, and never if it is for a `single` page. */
  function* page(id: bigint, cursor: Cursor, size: number, single = false): Steps<Page> {
    let staysOpen = false;
    cursor.isBusy = true;
    cursor.usedAtMs = now();
    try {
      const { documents, more } = yield* readBatch(cursor, size);
      staysOpen = more && !single;
      return { documents, more: staysOpen };
    } finally {
      cursor.isBusy = false;
      cursor.usedAtMs = now();
      if (!staysOpen) kill(id);
    }
  }
  const killIdle = (): void => {
    for (const [id, { usedAtMs, isBusy }] of cursors) if (!isBusy && now() - usedAtMs > IDLE_MS) kill(id);
  };
  return {
    *open(results, namespace, { batchSize = FIRST_BATCH, single = false, session }) {
      killIdle();
      const id = ++lastId;
      const cursor: Cursor = {
        iterator: results[Symbol.iterator](),
        namespace,
        session,
        pending: undefined,
        usedAtMs: now(),
        isBusy: false,
        isKilled: false,
      };
      cursors.set(id, cursor);
      const { documents, more } = yield* page(id, cursor, batchSize, single);
      return new CursorReply(more ? id : 0n, namespace, 'firstBatch', documents);
    },
    *next(id, namespace, batchSize = Infinity) {
      const cursor = cursors.get(id);
      if (!cursor || cursor.namespace !== namespace) throw cursorNotFound(id);
      if (cursor.isBusy) throw new MongoError('CursorInUse', `cursor id ${id} is already in use`);
      const { documents, more } = yield* page(id, cursor, batchSize || Infinity);
      return new CursorReply(more ? id : 0n, namespace, 'nextBatch', documents);
    },
    kill,
    killSession: (session) => {
      for (const [id, cursor] of cursors) if (cursor.session === session) kill(id);
    },
    killNamespace: (namespace) => {
      for (const [id, cursor] of cursors) if (cursor.namespace === namespace) kill(id);
    },
    killAll: () => {
      for (const id of cursors.keys()) kill(id);
    },
    count: () => cursors.size,
  };
}

/** Reads until the page is full, and one document further to know whether there is more. */
function* readBatch(cursor: Cursor, size: number): Steps<Page> {
  const documents: Buffer[] = [];
  let bytes = 0;
  if (size === 0) return { documents, more: true };
  for (;;) {
    const document = cursor.pending ?? nextOf(cursor.iterator);
    if (document === PAUSE) {
      yield document;
      if (cursor.isKilled) throw new MongoError('QueryPlanKilled', 'the cursor was killed while it was read');
      continue;
    }
    cursor.pending = undefined;
    if (!document) return { documents, more: false };
    if (documents.length >= size || (documents.length > 0 && bytes + document.length > MAX_BATCH_BYTES)) {
      cursor.pending = document;
      return { documents, more: true };
    }
    documents.push(document);
    bytes += document.length;
  }
}

function nextOf(iterator: Iterator<Buffer | Pause>): Buffer | Pause | undefined {
  const next = iterator.next();
  return next.done ? undefined : next.value;
}

function cursorNotFound(id: bigint): MongoError {
  return new MongoError('CursorNotFound', `cursor id ${id} not found`);
}
