/**
 * Open cursors: results that did not fit into one reply. They end when exhausted, killed, idle too long, or
 * without a session.
 */
import { MongoError } from './errors.ts';
import { CursorReply } from './wire.ts';

/** Documents of a result, lazily read. */
type Results = Iterable<Buffer>;

/** Who may own cursors: a client session, if the client uses one. */
type SessionId = string | undefined;

type Cursor = {
  readonly iterator: Iterator<Buffer>;
  readonly namespace: string;
  readonly session: SessionId;
  /** Read but not yet sent. */
  pending: Buffer | undefined;
  usedAtMs: number;
};

/** The cursors of one server. */
export type Cursors = {
  /** The first page; the rest stays open, unless `single`. */
  open(
    results: Results,
    namespace: string,
    page: { batchSize?: number | undefined; single?: boolean; session?: SessionId },
  ): CursorReply;
  /** The next page; throws CursorNotFound. */
  next(id: bigint, namespace: string, batchSize?: number): CursorReply;
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
    cursor?.iterator.return?.();
    return cursors.delete(id);
  };
  const killIdle = (): void => {
    for (const [id, { usedAtMs }] of cursors) if (now() - usedAtMs > IDLE_MS) kill(id);
  };
  return {
    open: (results, namespace, { batchSize = FIRST_BATCH, single = false, session }) => {
      killIdle();
      const cursor: Cursor = {
        iterator: results[Symbol.iterator](),
        namespace,
        session,
        pending: undefined,
        usedAtMs: now(),
      };
      const { documents, more } = readBatch(cursor, batchSize);
      if (single || !more) {
        cursor.iterator.return?.();
        return new CursorReply(0n, namespace, 'firstBatch', documents);
      }
      lastId++;
      cursors.set(lastId, cursor);
      return new CursorReply(lastId, namespace, 'firstBatch', documents);
    },
    next: (id, namespace, batchSize = Infinity) => {
      const cursor = cursors.get(id);
      if (!cursor || cursor.namespace !== namespace) throw cursorNotFound(id);
      cursor.usedAtMs = now();
      try {
        const { documents, more } = readBatch(cursor, batchSize || Infinity);
        if (!more) kill(id);
        return new CursorReply(more ? id : 0n, namespace, 'nextBatch', documents);
      } catch (error) {
        kill(id);
        throw error;
      }
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
function readBatch(cursor: Cursor, size: number): { documents: Buffer[]; more: boolean } {
  const documents: Buffer[] = [];
  let bytes = 0;
  if (size === 0) return { documents, more: true };
  for (;;) {
    const document = cursor.pending ?? nextOf(cursor.iterator);
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

function nextOf(iterator: Iterator<Buffer>): Buffer | undefined {
  const next = iterator.next();
  return next.done ? undefined : next.value;
}

function cursorNotFound(id: bigint): MongoError {
  return new MongoError('CursorNotFound', `cursor id ${id} not found`);
}
