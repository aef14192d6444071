/** Rule 12 of the event log: cancelling. */
import { describe, expect, test } from '@jest/globals';
import { currentBudget, type ReadBudget } from '../../src/base/read-budget.ts';
import { createSessionStore } from '../../src/stores/pg/session-store.ts';
import { toolStart } from '../support/activities.ts';
import { ask, ended, heldTurns, leftBehind, ofType, readToEnd, textOf, viewer } from '../support/chat.ts';
import { ownChats } from '../support/own-chats.ts';
import { promiseHereMs, tookMs } from '../support/took.ts';

const { start } = ownChats();

describe('cancelling a turn', () => {
  test('keeps the partial text, finishes open tool calls, and is the same when asked again', async () => {
    const turns = heldTurns();
    const chat = await start({ answerTurn: turns.answerTurn });
    const { session, turn } = await chat.copilot.sendMessage(viewer, ask('go'));
    const { say, run } = await turns.of(turn);
    run.emit(toolStart('1'));
    say('half an ans');
    const cancelled = await chat.copilot.cancelTurn(viewer, { turnId: turn.id });
    expect(cancelled.status).toBe('CANCELLED');
    expect(await chat.copilot.cancelTurn(viewer, { turnId: turn.id })).toEqual(cancelled);
    const { message, toolCalls } = await leftBehind(chat, cancelled);
    expect(message?.text).toBe('half an ans');
    expect(toolCalls?.[0]?.status).toBe('CANCELLED');
    const events = await readToEnd(chat, session.id);
    expect(ofType(events, 'TurnFinishedEvent')).toHaveLength(1);
  });

  test('ends what the turn reads of a calibration database, also outside of tools', async () => {
    const turns = heldTurns();
    const budget = Promise.withResolvers<ReadBudget | null>();
    const chat = await start({
      answerTurn: (run) => {
        budget.resolve(currentBudget());
        return turns.answerTurn(run);
      },
    });
    const { turn } = await chat.copilot.sendMessage(viewer, ask('go'));
    const reads = await budget.promise;
    expect(reads?.signal.aborted).toBe(false);
    await chat.copilot.cancelTurn(viewer, { turnId: turn.id });
    expect(reads?.signal.aborted).toBe(true);
  });

  test('ends the turn within 150 ms, even if the answer function does not react', async () => {
    const turns = heldTurns({ stubborn: true });
    const chat = await start({ answerTurn: turns.answerTurn });
    const cancelMs: number[] = [];
    const sendMs: number[] = [];
    for (let times = 0; times < 3; times += 1) {
      const message = ask('go');
      sendMs.push(await tookMs(() => chat.copilot.sendMessage(viewer, message)));
      const { turn } = await chat.copilot.sendMessage(viewer, message);
      await turns.of(turn);
      cancelMs.push(await tookMs(() => chat.copilot.cancelTurn(viewer, { turnId: turn.id })));
      expect((await ended(chat, turn)).status).toBe('CANCELLED');
    }
    expect(Math.min(...cancelMs)).toBeLessThan(promiseHereMs(150, sendMs));
  });

  test('needs no help from the answer function, which can add nothing afterwards; the next message works', async () => {
    const turns = heldTurns({ stubborn: true });
    const chat = await start({ answerTurn: turns.answerTurn });
    const { session, turn } = await chat.copilot.sendMessage(viewer, ask('go'));
    const { say, run, finish } = await turns.of(turn);
    say('stubborn');
    const { status } = await chat.copilot.cancelTurn(viewer, { turnId: turn.id });
    expect(status).toBe('CANCELLED');
    expect(run.signal.aborted).toBe(true);
    say(' and still talking');
    finish();
    const next = await chat.copilot.sendMessage(viewer, ask('next', { sessionId: session.id }));
    (await turns.of(next.turn)).finish();
    const events = await readToEnd(chat, session.id, { turnId: next.turn.id });
    expect(textOf(events)).toBe('stubborn');
    const finished = ofType(events, 'TurnFinishedEvent').map((event) => event.turnId);
    expect(finished).toEqual([turn.id, next.turn.id]);
  });

  test('never touches another turn', async () => {
    const turns = heldTurns();
    const chat = await start({ answerTurn: turns.answerTurn });
    const first = await chat.copilot.sendMessage(viewer, ask('one'));
    const second = await chat.copilot.sendMessage(viewer, ask('two'));
    const other = await turns.of(second.turn);
    await turns.of(first.turn);
    await chat.copilot.cancelTurn(viewer, { turnId: first.turn.id });
    expect(other.run.signal.aborted).toBe(false);
    other.finish();
    expect((await ended(chat, second.turn)).status).toBe('COMPLETED');
  });

  test('a turn in line is withdrawn without having run, a finished one stays as it is', async () => {
    const turns = heldTurns();
    const chat = await start({ answerTurn: turns.answerTurn });
    const running = await chat.copilot.sendMessage(viewer, ask('one'));
    const { finish } = await turns.of(running.turn);
    const inSession = { sessionId: running.session.id, whenBusy: 'QUEUE' } as const;
    const queued = await chat.copilot.sendMessage(viewer, ask('two', inSession));
    expect((await chat.copilot.cancelTurn(viewer, { turnId: queued.turn.id })).status).toBe('CANCELLED');
    finish();
    const done = await ended(chat, running.turn);
    expect(done.status).toBe('COMPLETED');
    expect(await chat.copilot.cancelTurn(viewer, { turnId: running.turn.id })).toEqual(done);
    const events = await readToEnd(chat, running.session.id, { turnId: queued.turn.id });
    expect(events.filter(({ turnId }) => turnId === queued.turn.id).map(({ type }) => type)).toEqual([
      'StatusEvent',
      'TurnFinishedEvent',
    ]);
  });

  test('says why in the words of whoever asked, running or in line, without secrets and cut to size', async () => {
    const turns = heldTurns();
    const chat = await start({ answerTurn: turns.answerTurn });
    const running = await chat.copilot.sendMessage(viewer, ask('one'));
    await turns.of(running.turn);
    const queued = await chat.copilot.sendMessage(
      viewer,
      ask('two', { sessionId: running.session.id, whenBusy: 'QUEUE' }),
    );
    const cancel = (turnId: string, reason: string) => chat.copilot.cancelTurn(viewer, { turnId, reason });
    expect((await cancel(queued.turn.id, ' wrong chip ')).error).toEqual({
      code: 'CANCELLED',
      message: 'wrong chip',
      retryable: true,
    });
    const { error } = await cancel(running.turn.id, `key sk-abcdefgh12345678 ${'x'.repeat(300)}`);
    expect(error?.message).toMatch(/^key \[redacted\] x+…$/);
    expect(error?.message).toHaveLength(200);
  });

  test('the history of the next turn has every question once, with its newest answer', async () => {
    const turns = heldTurns();
    const chat = await start({ answerTurn: turns.answerTurn });
    const store = createSessionStore(chat.db);
    const first = await chat.copilot.sendMessage(viewer, ask('one'));
    (await turns.of(first.turn)).say('cut off');
    await chat.copilot.cancelTurn(viewer, { turnId: first.turn.id });
    const retry = await chat.copilot.retryTurn(viewer, {
      turnId: first.turn.id,
      clientMessageId: 'retry-one',
    });
    expect(await store.earlierTurns(retry.turn, 10)).toEqual([]);
    const again = await turns.of(retry.turn);
    again.say('whole');
    again.finish();
    await ended(chat, retry.turn);
    const inSession = { sessionId: first.session.id };
    const second = await chat.copilot.sendMessage(viewer, ask('two', inSession));
    const earlier = await store.earlierTurns(second.turn, 10);
    expect(earlier.map(({ question, answer }) => [question.text, answer?.text])).toEqual([['one', 'whole']]);
    await chat.copilot.cancelTurn(viewer, { turnId: second.turn.id });
  });
});
