/**
 * Handshake, liveness, cursors and sessions: `hello`, `ping`, `buildInfo`, `getMore`, `killCursors`,
 * `endSessions`, …
 */
import { Int32, Long, Timestamp } from 'bson';
import { z } from 'zod';
import {
  ACCUMULATORS,
  COMMANDS,
  EXPRESSIONS,
  FIELD_OPERATORS,
  FILTER_OPERATORS,
  STAGES,
  UPDATE_OPERATORS,
} from '../allow-list.ts';
import { MongoError } from '../errors.ts';
import { MAX_DOCUMENT_BYTES } from '../store/documents.ts';
import { MAX_MESSAGE_BYTES } from '../wire.ts';
import type { Doc } from '../query/values.ts';
import type { Store } from '../store/store.ts';
import * as arg from './arguments.ts';
import { type Command, sessionOf } from './command.ts';
import { MAX_WRITE_BATCH } from './insert.ts';

/** The MongoDB version that this server emulates, as documented. */
const VERSION = '7.0.0';
/** Wire version of MongoDB 7.0. */
const MAX_WIRE_VERSION = 21;
/** MongoDB's default. */
const SESSION_TIMEOUT_MINUTES = 30;

/** `hello` and its old names; the client's description of itself is ignored. */
export const hello: Command = ({ body }, { store }) => ({
  ...(body['hello'] === undefined ? { ismaster: true } : { isWritablePrimary: true }),
  helloOk: true,
  maxBsonObjectSize: MAX_DOCUMENT_BYTES,
  maxMessageSizeBytes: MAX_MESSAGE_BYTES,
  maxWriteBatchSize: MAX_WRITE_BATCH,
  localTime: new Date(),
  logicalSessionTimeoutMinutes: SESSION_TIMEOUT_MINUTES,
  minWireVersion: 0,
  maxWireVersion: MAX_WIRE_VERSION,
  readOnly: false,
  // As a member of a replica set reports it; readers learn from it whether anything was written since.
  lastWrite: { opTime: writeTimeOf(store) },
  ok: 1,
});

/** Changes with every row written; `t` differs after each start, since the count begins anew. */
function writeTimeOf({ sqlite, openedAtMs }: Store): Doc {
  const { changes } = sqlite.get('SELECT total_changes() AS changes') ?? {};
  return { ts: new Timestamp(BigInt(Number(changes))), t: Long.fromNumber(openedAtMs) };
}

/** `ping`. */
export const ping: Command = () => ({ ok: 1 });

/** `buildInfo`: the version followed, and the published allow-list. */
export const buildInfo: Command = () => ({
  version: VERSION,
  versionArray: [7, 0, 0, 0],
  modules: ['qpilot-embedded'],
  allowList: {
    commands: COMMANDS,
    filters: [...FILTER_OPERATORS, ...FIELD_OPERATORS],
    updates: UPDATE_OPERATORS,
    stages: STAGES,
    accumulators: ACCUMULATORS,
    expressions: EXPRESSIONS,
  },
  maxBsonObjectSize: MAX_DOCUMENT_BYTES,
  ok: 1,
});

/** `serverStatus`: what a health check reads. */
export const serverStatus: Command = (_request, { cursors }) => ({
  version: VERSION,
  uptime: process.uptime(),
  metrics: { cursor: { open: { total: cursors.count() } } },
  ok: 1,
});

/** `getParameter`: drivers read nothing but the compatibility version. */
export const getParameter: Command = ({ body }) => {
  if (body['featureCompatibilityVersion'] === undefined) {
    throw new MongoError(
      'InvalidOptions',
      'no option found to get; only featureCompatibilityVersion is supported',
    );
  }
  return { featureCompatibilityVersion: { version: '7.0' }, ok: 1 };
};

const cursorId = z
  .custom<Long | Int32>((value) => value instanceof Long || value instanceof Int32, 'a long')
  .transform((value) => (value instanceof Long ? value.toBigInt() : BigInt(value.value)));

const GET_MORE = arg.schema({
  getMore: cursorId,
  collection: z.string(),
  batchSize: arg.count.optional(),
});

/** `getMore`. */
export const getMore: Command = ({ body, database }, { cursors }) => {
  const { getMore: id, collection, batchSize } = arg.parse(GET_MORE, body, 'getMore');
  return cursors.next(id, `${database}.${collection}`, batchSize);
};

const KILL = arg.schema({ killCursors: z.string(), cursors: z.array(cursorId) });

/** `killCursors`. */
export const killCursors: Command = ({ body }, { cursors }) => {
  const { cursors: ids } = arg.parse(KILL, body, 'killCursors');
  const cursorsKilled = ids.filter((id) => cursors.kill(id));
  const cursorsNotFound = ids.filter((id) => !cursorsKilled.includes(id));
  return { cursorsKilled, cursorsNotFound, cursorsAlive: [], cursorsUnknown: [], ok: 1 };
};

const END_SESSIONS = arg.schema({ endSessions: z.union([arg.docs, arg.anything]) });

/** `endSessions`: ends the cursors of the sessions. */
export const endSessions: Command = ({ body }, { cursors }) => {
  const { endSessions: sessions } = arg.parse(END_SESSIONS, body, 'endSessions');
  for (const lsid of Array.isArray(sessions) ? sessions : []) {
    const session = sessionOf({ lsid });
    if (session !== undefined) cursors.killSession(session);
  }
  return { ok: 1 };
};
