/** More messages than can be answered at once: they wait in line, and none is lost, doubled or refused. */
import { describe, expect, test } from '@jest/globals';
import type { AnswerTurn } from '../../src/agent/turn-run.ts';
import { completed, text } from '../support/activities.ts';
import { ask, ended, heldTurns, ofType, readToEnd, viewer } from '../support/chat.ts';
import { ownChats } from '../support/own-chats.ts';

const { start } = ownChats();
const userNamed = (id: string) => ({ ...viewer, id });

/** Counts how many turns run at the same time, of all and of one user. */
function counting() {
  const most = { all: 0, ofUser: 0 };
  const running = new Map<string, number>();
  const change = (id: string, by: number) => running.set(id, (running.get(id) ?? 0) + by);
  const answerTurn: AnswerTurn = async ({ viewer: { id }, emit, question }) => {
    change(id, 1);
    most.all = Math.max(
      most.all,
      [...running.values()].reduce((a, b) => a + b),
    );
    most.ofUser = Math.max(most.ofUser, running.get(id)!);
    emit(text(`re: ${question.text}`));
    for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
    change(id, -1);
    return completed;
  };
  return { most, answerTurn };
}

describe('a rush of messages', () => {
  test.each([1, 40])('of 200 from %i users is answered to the last', async (users) => {
    const { most, answerTurn } = counting();
    const limits = { turnsPerUser: 3, turnsAtOnce: 16, waitingPerUser: 1_000 };
    const { copilot, runner } = await start({ answerTurn, limits });
    const sent = await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        const who = userNamed(`user ${index % users} of ${users}`);
        return { who, ...(await copilot.sendMessage(who, ask(`question ${index}`))) };
      }),
    );
    for (const { who, turn, message } of sent) {
      expect(await ended({ copilot }, turn, who)).toMatchObject({
        status: 'COMPLETED',
        questionId: message.id,
      });
    }
    expect(new Set(sent.map(({ turn }) => turn.id)).size).toBe(200);
    expect(most.all).toBeLessThanOrEqual(16 + 4); // those that are being stored while the last place is taken
    expect(most.ofUser).toBeLessThanOrEqual(3);
    expect(runner.running).toBe(0);
  });

  test('learns how many are ahead, and starts without another request once there is room', async () => {
    const turns = heldTurns();
    const { copilot } = await start({ answerTurn: turns.answerTurn, limits: { turnsAtOnce: 1 } });
    const [ann, bob] = [userNamed(crypto.randomUUID()), userNamed(crypto.randomUUID())];
    const running = await copilot.sendMessage(ann, ask('first'));
    const [one, two] = [
      await copilot.sendMessage(bob, ask('one')),
      await copilot.sendMessage(viewer, ask('two')),
    ];
    expect(await copilot.turnsAhead(bob, [one.turn.id])).toEqual([0]);
    expect(await copilot.turnsAhead(viewer, [two.turn.id])).toEqual([1]);
    (await turns.of(running.turn)).finish();
    (await turns.of(one.turn)).finish();
    (await turns.of(two.turn)).finish();
    const events = await readToEnd({ copilot }, two.session.id);
    expect(ofType(events, 'StatusEvent')[0]?.payload).toEqual({
      phase: 'QUEUED',
      text: 'Waiting in line; ahead of it: 1',
    });
    expect(await copilot.turnsAhead(viewer, [two.turn.id])).toEqual([null]);
  });

  test('joins a turn that waits itself behind its question, not before it', async () => {
    const turns = heldTurns();
    const { copilot } = await start({ answerTurn: turns.answerTurn, limits: { turnsAtOnce: 1 } });
    const running = await copilot.sendMessage(viewer, ask('first'));
    const waiting = await copilot.sendMessage(viewer, ask('second'));
    const joining = await copilot.sendMessage(
      viewer,
      ask('and more', { sessionId: waiting.session.id, whenBusy: 'STEER' }),
    );
    (await turns.of(running.turn)).finish();
    (await turns.of(waiting.turn)).finish();
    (await turns.of(joining.turn)).finish();
    expect(await ended({ copilot }, joining.turn)).toMatchObject({
      status: 'COMPLETED',
      parentId: waiting.turn.id,
    });
  });

  test('that waits is cancelled like any other', async () => {
    const turns = heldTurns();
    const { copilot } = await start({ answerTurn: turns.answerTurn, limits: { turnsAtOnce: 1 } });
    const running = await copilot.sendMessage(viewer, ask('first'));
    const waiting = await copilot.sendMessage(viewer, ask('second'));
    await copilot.cancelTurn(viewer, { turnId: waiting.turn.id });
    expect(await ended({ copilot }, waiting.turn)).toMatchObject({ status: 'CANCELLED' });
    (await turns.of(running.turn)).finish();
    await ended({ copilot }, running.turn);
  });

  test('is taken by another process that has room', async () => {
    const full = heldTurns();
    const limits = { turnsAtOnce: 1 };
    const a = await start({ answerTurn: full.answerTurn, limits });
    const running = await a.copilot.sendMessage(viewer, ask('first'));
    const waiting = await a.copilot.sendMessage(viewer, ask('second'));
    expect(waiting.turn.status).toBe('QUEUED');
    const b = await start({ limits: { turnsAtOnce: 100 } });
    expect(await ended(b, waiting.turn)).toMatchObject({ status: 'COMPLETED' });
    (await full.of(running.turn)).finish();
    await ended(a, running.turn);
  });

  test('of 100 from one user shares transactions: each keeps its place, and answers for itself alone', async () => {
    const turns = heldTurns();
    const { copilot, pool } = await start({
      answerTurn: turns.answerTurn,
      limits: { turnsAtOnce: 1, waitingPerUser: 99 },
    });
    const running = await copilot.sendMessage(viewer, ask('takes the only place'));
    const eve = userNamed(crypto.randomUUID());
    const questions = Array.from({ length: 100 }, (_, index) => ask(`question ${index}`));
    const unknown = copilot.sendMessage(eve, ask('to nobody', { sessionId: crypto.randomUUID() }));
    // Refused once its conversation is there, which must not stay.
    const tableless = copilot.sendMessage(eve, ask('with a table', { uploadIds: [crypto.randomUUID()] }));
    const sent = questions.map((question) => copilot.sendMessage(eve, question));
    const repeated = copilot.sendMessage(eve, questions[7]!);
    await expect(unknown).rejects.toThrow('you have no conversation');
    await expect(tableless).rejects.toThrow('you have no upload');
    await expect(sent[99]).rejects.toThrow('wait'); // behind the 99 that may
    expect((await repeated).turn.id).toBe((await sent[7]!).turn.id);
    const acknowledged = await Promise.all(sent.slice(0, 99));
    expect(
      await copilot.turnsAhead(
        eve,
        acknowledged.map(({ turn }) => turn.id),
      ),
    ).toEqual(acknowledged.map((_, index) => index));
    const { rows } = await pool.query<{ count: string }>(
      'select count from viewer_starts where viewer_id = $1',
      [eve.id],
    );
    expect(Number(rows[0]!.count)).toBeLessThanOrEqual(6); // transactions of at most 20
    const kept = await pool.query('select from sessions where viewer_id = $1', [eve.id]);
    expect(kept.rowCount).toBe(99);
    (await turns.of(running.turn)).finish();
  });

  test('of one user through two servers keeps to what that user may send', async () => {
    const limits = { messagesPerMinute: 20, turnsAtOnce: 1 };
    const servers = [await start({ limits }), await start({ limits })];
    const who = userNamed(crypto.randomUUID());
    const sent = await Promise.allSettled(
      Array.from({ length: 60 }, (_, index) => servers[index % 2]!.copilot.sendMessage(who, ask(`${index}`))),
    );
    expect(sent.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
    for (const each of sent) {
      if (each.status === 'fulfilled') await ended(servers[0]!, each.value.turn, who);
      else expect(each.reason).toMatchObject({ code: 'RATE_LIMITED' });
    }
  });
});
