/** Turns what somebody pins, an answer, a chart or table of one, or a read of a page, into the queries behind it. */
import { z } from 'zod';
import { InvalidInputError, NotFoundError } from '../../base/errors.ts';
import type { BoardItem, BoardQuery, BoardShow } from '../../domain/boards/board.ts';
import type { StoredVisual, Viewer } from '../../domain/conversation/session.ts';
import type { JsonObject } from '../../domain/visuals.ts';
import type { Db } from '../../stores/pg/database.ts';
import { findMessages } from '../../stores/pg/messages.ts';
import { findSessions } from '../../stores/pg/sessions.ts';
import { findToolCallsOfTurns } from '../../stores/pg/tool-calls.ts';
import { findCharts, findTables } from '../../stores/pg/visuals.ts';
import type { BoardReads, BoardResult } from './board-contents.ts';
import { boardQuery } from './board-input.ts';

/** A stored chart or table by its id, a whole answer, or a read. */
export const pinnedFrom = z.union([
  z.object({ visual: z.object({ type: z.enum(['chart', 'table']), id: z.string() }) }),
  z.object({ answerId: z.string() }),
  z.object({ query: boardQuery }),
]);

export type PinnedFrom = z.infer<typeof pinnedFrom>;

type Place = Pick<BoardItem, 'show' | 'index'>;
type Found = Place & { readonly query: BoardQuery };

/**
 * The queries, one but of an answer, and which of their visuals are meant, after each was read once. @throws NotFoundError, InvalidInputError for what cannot be
 * read again, also where it fails
 */
export async function findPinned(
  deps: { readonly db: Db; readonly reads: BoardReads },
  viewer: Viewer,
  from: PinnedFrom,
  asked: Place,
): Promise<readonly Found[]> {
  const { reads } = deps;
  const signal = AbortSignal.timeout(READ_MS);
  const options = { range: null, signal };
  if ('query' in from) {
    const query = await reads.complete(viewer, from.query, null);
    assertRead(await reads.read(viewer, query, options));
    return [{ query, show: asked.show, index: asked.index }];
  }
  if ('answerId' in from) return readsOfAnswer(deps, viewer, from.answerId, options);
  const { visual, called, chipId } = await findVisual(deps.db, viewer, from.visual);
  const query = await reads.complete(viewer, called, chipId);
  const { visuals } = assertRead(await reads.read(viewer, query, options));
  const ofKind = visuals.filter(({ type }) => type === visual.type);
  const show: BoardShow = visual.type === 'chart' ? 'CHART' : 'TABLE';
  // Titles rarely change between two reads; where one does, the first of the kind is the one that answers lead with.
  const found = {
    query,
    show,
    index: Math.max(
      0,
      ofKind.findIndex(({ title }) => title === visual.title),
    ),
  };
  return [found];
}

/** Each call of an answer that can be read again, once. @throws NotFoundError, InvalidInputError where there is none */
async function readsOfAnswer(
  { db, reads }: { readonly db: Db; readonly reads: BoardReads },
  viewer: Viewer,
  answerId: string,
  options: { readonly range: null; readonly signal: AbortSignal },
): Promise<readonly Found[]> {
  const [answer] = await findMessages(db, viewer, [answerId]);
  if (!answer) throw new NotFoundError(`there is no answer ${answerId} that you may read`);
  const [calls = []] = answer.turnId === null ? [] : await findToolCallsOfTurns(db, viewer, [answer.turnId]);
  const [session] = await findSessions(db, viewer, [answer.sessionId]);
  const found = new Map<string, Found>();
  for (const call of calls) {
    const called = { tool: call.tool, arguments: (call.arguments ?? {}) as JsonObject };
    const query = await reads.complete(viewer, called, session?.chipId ?? null).catch(ifInvalid);
    if (query === null || 'error' in (await reads.read(viewer, query, options))) continue;
    found.set(JSON.stringify(query), { query, show: 'ANSWER', index: 0 });
  }
  if (found.size > 0) return [...found.values()];
  throw InvalidInputError.at(
    ['input', 'messageId'],
    'nothing of this answer can be read again: it used no stored values of the project; pin an answer that did',
  );
}

function ifInvalid(error: unknown): null {
  if (error instanceof InvalidInputError) return null;
  throw error;
}

function assertRead(read: Awaited<ReturnType<BoardReads['read']>>): BoardResult {
  if (!('error' in read)) return read;
  const { message, retryable } = read.error;
  const advice = retryable ? '; pin it again in a moment' : '';
  throw InvalidInputError.at(['input'], `this cannot be read again: ${message}${advice}`);
}

/** Longest read of what is being pinned, in milliseconds. */
const READ_MS = 30_000;

async function findVisual(db: Db, viewer: Viewer, { type, id }: { type: 'chart' | 'table'; id: string }) {
  const [visual]: readonly (StoredVisual | null)[] =
    type === 'chart' ? await findCharts(db, viewer, [id]) : await findTables(db, viewer, [id]);
  if (!visual) throw new NotFoundError(`there is no ${type} ${id} that you may read`);
  const [calls = []] = await findToolCallsOfTurns(db, viewer, [visual.turnId]);
  const call = calls.find(({ callId }) => callId === visual.callId);
  if (call === undefined)
    throw InvalidInputError.at(
      ['input', 'visualId'],
      `${visual.title} was drawn by the model from its own words, so there is nothing to read again; ask for it as a chart of stored values`,
    );
  const [session] = await findSessions(db, viewer, [visual.sessionId]);
  const called = { tool: call.tool, arguments: (call.arguments ?? {}) as JsonObject };
  return { visual, called, chipId: session?.chipId ?? null };
}
