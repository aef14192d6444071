import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { v4 as uuid } from 'uuid';
import type { Session, Turn } from '../../../src/domain/conversation/session.ts';
import {
  type ArtifactWrites,
  insertRevision,
  listRevisions,
  type NewRevision,
  readArtifacts,
  readProposal,
  readRevision,
  replaceProposal,
  revisionsOfTurn,
} from '../../../src/stores/pg/builder-artifacts.ts';
import { insertBuilderSession } from '../../../src/stores/pg/builder-sessions.ts';
import { createBuilderStore } from '../../../src/stores/pg/builder-store.ts';
import { appendBatch } from '../../../src/stores/pg/event-batches.ts';
import { readEvents } from '../../../src/stores/pg/events.ts';
import { finishTurn, NOTHING_KNOWN } from '../../../src/stores/pg/turn-finish.ts';
import { viewer } from '../../support/chat.ts';
import { openPgStore, type PgStore } from './pg-store.ts';

const nothing = { instructions: null, config: null, description: null };
const owner = uuid();

let store: PgStore;
let session: Session;
let turn: Turn;
beforeAll(async () => void (store = await openPgStore()));
afterAll(() => store.close());
beforeEach(async () => {
  const about = { title: 'b', expertId: null, clientRequestId: null };
  session = await store.transact((tx) => insertBuilderSession(tx, viewer, about));
  turn = await store.newTurn(session.id, owner);
});

const artifacts = (n: number) => ({ ...nothing, instructions: `Step ${n}`, config: { n } });
const revision = (n: number, more: Partial<NewRevision> = {}): NewRevision => ({
  sessionId: session.id,
  revision: n,
  author: 'USER',
  turnId: null,
  callId: null,
  artifacts: artifacts(n),
  ...more,
});
const insert = (...rows: readonly NewRevision[]) =>
  store.transact(async (tx) => {
    for (const row of rows) await insertRevision(tx, row);
  });
const append = (writes: ArtifactWrites, number: number, as = owner) =>
  appendBatch(store.pool, {
    sessionId: session.id,
    turnId: turn.id,
    owner: as,
    number,
    events: [{ type: 'StatusEvent', payload: { phase: 'THINKING', text: '' } }],
    toolCalls: [],
    charts: [],
    tables: [],
    artifacts: writes,
  });

test('a session starts empty at revision 0, and returns its newest and each of its revisions', async () => {
  expect(await readArtifacts(store.db, session.id)).toEqual({ revision: 0, artifacts: nothing });
  await insert(revision(1), revision(2));
  expect(await readArtifacts(store.db, session.id)).toMatchObject({ revision: 2, artifacts: artifacts(2) });
  expect(await readRevision(store.db, session.id, 1)).toMatchObject({ revision: 1, artifacts: artifacts(1) });
  expect(await readRevision(store.db, session.id, 0)).toEqual({ revision: 0, artifacts: nothing });
  expect(await readRevision(store.db, session.id, 3)).toBeNull();
});

test('two changes from the same revision cannot both be stored', async () => {
  await insert(revision(1));
  const both = await Promise.allSettled([insert(revision(2)), insert(revision(2))]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(await readArtifacts(store.db, session.id)).toMatchObject({ revision: 2 });
});

test('revisions are listed newest first, page by page', async () => {
  await insert(...[1, 2, 3, 4, 5].map((n) => revision(n)));
  const page = async (before: number | null) =>
    (await listRevisions(store.db, session.id, { limit: 2, before })).map((each) => each.revision);
  expect([await page(null), await page(4), await page(2), await page(1)]).toEqual([[5, 4], [3, 2], [1], []]);
});

test('the revisions of a turn are those that it made, in their order', async () => {
  await insert(revision(1), revision(2));
  expect(await revisionsOfTurn(store.db, session.id, turn.id)).toEqual([]);
  const own = { author: 'AI', turnId: turn.id, callId: 'c' } as const;
  await insert(revision(3, own), revision(4), revision(5, own));
  expect(await revisionsOfTurn(store.db, session.id, turn.id)).toEqual([3, 5]);
});

test('a batch stores its revisions and proposal with its events, or nothing of them', async () => {
  const own = revision(1, { author: 'AI', turnId: turn.id, callId: 'c' });
  const writes = {
    revisions: [own],
    proposal: { sessionId: session.id, turnId: turn.id, artifacts: artifacts(9) },
  };
  expect(await append(writes, 1, uuid())).toEqual({ stored: false });
  expect(await readArtifacts(store.db, session.id)).toMatchObject({ revision: 0 });
  expect(await readProposal(store.db, session.id)).toBeNull();
  expect(await append(writes, 1)).toMatchObject({ stored: true });
  expect(await append(writes, 1)).toMatchObject({ stored: true }); // sent again: not stored twice
  expect(await readArtifacts(store.db, session.id)).toMatchObject({ revision: 1, author: 'AI', callId: 'c' });
  expect(await readProposal(store.db, session.id)).toEqual(writes.proposal);
  expect(await readEvents(store.pool, session.id, 0, 10)).toHaveLength(2);
});

test('a newer proposal replaces the pending one, and null removes it', async () => {
  const proposal = (n: number) => ({ sessionId: session.id, turnId: turn.id, artifacts: artifacts(n) });
  await append({ revisions: [], proposal: proposal(1) }, 1);
  await append({ revisions: [], proposal: proposal(2) }, 2);
  expect(await readProposal(store.db, session.id)).toEqual(proposal(2));
  await store.transact((tx) => replaceProposal(tx, session.id, proposal(3)));
  expect(await createBuilderStore(store.db).draft(session.id)).toMatchObject({ proposed: artifacts(3) });
  await store.transact((tx) => replaceProposal(tx, session.id, null));
  expect(await createBuilderStore(store.db).draft(session.id)).toMatchObject({ proposed: null });
});

test('the artifacts after a turn ignore later changes', async () => {
  await insert(revision(1, { author: 'AI', turnId: turn.id }));
  const end = { ...NOTHING_KNOWN, status: 'COMPLETED', error: null } as const;
  await finishTurn(store.db, turn, { as: 'owner', owner }, end);
  await insert(revision(2));
  await store.pool.query(
    `update builder_artifact_revisions set created_at = created_at + interval '1 second'
     where session_id = $1 and revision = 2`,
    [session.id],
  );
  expect(await createBuilderStore(store.db).artifactsAfter(session.id, turn.id)).toEqual(artifacts(1));
});
