import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { v4 as uuid } from 'uuid';
import type { Viewer } from '../../src/domain/conversation/session.ts';
import { StaleArtifactsError } from '../../src/base/errors.ts';
import { updateArtifacts } from '../../src/services/builder/builder-edits.ts';
import { linkBuilderSession } from '../../src/services/builder/builder-link.ts';
import { insertRevision } from '../../src/stores/pg/builder-artifacts.ts';
import {
  findBuilderSessions,
  findBuilderSessionsOfJobs,
  insertBuilderSession,
  reopenSession,
} from '../../src/stores/pg/builder-sessions.ts';
import { lockSession } from '../../src/stores/pg/sessions.ts';
import { insertTurn } from '../../src/stores/pg/turn-start.ts';
import { startChat, viewer, type Chat } from '../support/chat.ts';
import { createTestDatabase, type TestDatabase } from '../support/databases.ts';
import { until } from '@qpilot/test-support';

describe('linking a builder session to a job', () => {
  let database: TestDatabase;
  let chat: Chat;
  beforeAll(async () => {
    database = await createTestDatabase();
    chat = await startChat(database.url);
  });
  afterAll(async () => {
    await chat.stop();
    await database.drop();
  });

  const begin = () =>
    chat.db.transaction().execute(async (tx) => {
      const session = await insertBuilderSession(tx, viewer, {
        title: 'Drift',
        expertId: 'researcher',
        clientRequestId: null,
      });
      await insertRevision(tx, {
        sessionId: session.id,
        revision: 1,
        author: 'USER',
        turnId: null,
        callId: null,
        artifacts: {
          instructions: '# Drift',
          config: { llm: { temperature: 0.2 } },
          description: 'Drift of T1',
        },
      });
      return session;
    });
  const link = (sessionId: string, jobId: string, who: Viewer = viewer) =>
    chat.db.transaction().execute((tx) => linkBuilderSession(tx, who, { sessionId, jobId }));

  test('gives the job its artifacts, and each finds the other', async () => {
    const { id } = await begin();
    const jobId = uuid();
    expect(await link(id, jobId)).toEqual({
      revision: 1,
      artifacts: {
        instructions: '# Drift',
        config: { llm: { temperature: 0.2 } },
        description: 'Drift of T1',
      },
    });
    expect(await findBuilderSessions(chat.db, viewer, [id])).toMatchObject([{ jobId, status: 'LINKED' }]);
    expect(await findBuilderSessionsOfJobs(chat.db, viewer, [jobId, uuid()])).toMatchObject([{ id }, null]);
  });

  test('is refused for a linked session until it is reopened; the older job keeps its session', async () => {
    const { id } = await begin();
    const [first, second] = [uuid(), uuid()];
    await link(id, first);
    await expect(link(id, second)).rejects.toMatchObject({ code: 'SESSION_LINKED', sessionId: id });
    await chat.db.transaction().execute((tx) => reopenSession(tx, id));
    await link(id, second);
    expect(await findBuilderSessions(chat.db, viewer, [id])).toMatchObject([
      { jobId: second, status: 'LINKED' },
    ]);
    expect(await findBuilderSessionsOfJobs(chat.db, viewer, [first])).toMatchObject([{ id }]);
  });

  test('is refused for what the viewer does not have, in the same words whatever the cause', async () => {
    const { id } = await begin();
    const stranger = { ...viewer, id: 'grace' };
    const elsewhere = { ...viewer, projectId: 'other' };
    const { session: conversation } = await chat.copilot.sendMessage(viewer, {
      content: 'Hi',
      clientMessageId: uuid(),
    });
    const attempts = [
      () => link(id, uuid(), stranger),
      () => link(id, uuid(), elsewhere),
      () => link(conversation.id, uuid()),
    ];
    for (const attempt of attempts) {
      await expect(attempt()).rejects.toThrow(/^you have no builder session [0-9a-f-]{36}; start one/);
    }
  });

  test('is refused while a turn writes', async () => {
    const session = await begin();
    const { turn } = await chat.db.transaction().execute((tx) =>
      insertTurn(tx, viewer, session, {
        question: { type: 'new', text: 'Shorter, please' },
        clientMessageId: uuid(),
        model: null,
        replaces: null,
        effort: null,
        answerSchema: null,
        disputedId: null,
        place: { type: 'run', lease: { owner: uuid(), leaseMs: 60_000, asOf: new Date() } },
        traceparent: null,
      }),
    );
    await expect(link(session.id, uuid())).rejects.toMatchObject({
      code: 'TURN_IN_PROGRESS',
      turnId: turn.id,
    });
  });

  test('of two edits of one revision that arrive together one is stored, and the other is reported as stale', async () => {
    const { id } = await begin();
    const edit = (instructions: string) =>
      updateArtifacts(chat.db, viewer, { sessionId: id, artifacts: { instructions }, baseRevision: 1 });
    // Both have read the session before either may write.
    const waiting = `select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and pid <> pg_backend_pid()`;
    const edits = await chat.db.transaction().execute(async (tx) => {
      await lockSession(tx, id);
      const both = ['# One', '# Two'].map((text) => edit(text).catch((error: unknown) => error));
      await until(async () => ((await chat.pool.query(waiting)).rowCount ?? 0) >= 2, {
        what: 'both to wait',
      });
      return { both };
    });
    const outcomes = await Promise.all(edits.both);
    expect(outcomes.filter((each) => each instanceof StaleArtifactsError)).toHaveLength(1);
    expect(outcomes).toContainEqual(expect.objectContaining({ id, revision: 2 }));
  });
});
