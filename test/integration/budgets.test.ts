/**
 * Budgets of tokens in Postgres: counted per session, user and project, set aside for running turns, and never spent
 * twice.
 */
import { describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { runLoop } from '../../src/agent/loop/loop.ts';
import { callTool, createScriptedModel, say } from '../support/scripted-model.ts';
import type { ScriptedPart } from '../support/scripted-model.ts';
import type { RunnerTimes } from '../../src/agent/runner/runner.ts';
import type { AnswerTurn } from '../../src/agent/turn-run.ts';
import type { Viewer } from '../../src/domain/conversation/session.ts';
import { BudgetExceededError } from '../../src/base/errors.ts';
import type { SendMessageInput } from '../../src/services/copilot/send-message.ts';
import { completed } from '../support/activities.ts';
import { loopOptions, testTool } from '../support/agent-run.ts';
import { ask, ended, heldTurns, viewer } from '../support/chat.ts';
import type { Chat } from '../support/chat.ts';
import { endLeases } from '../support/leases.ts';
import { ownChats } from '../support/own-chats.ts';
import { until } from '@qpilot/test-support';

const { start } = ownChats();

/** A viewer and a project that no other test has counted anything for. */
const freshViewer = (): Viewer => ({ ...viewer, id: crypto.randomUUID(), projectId: crypto.randomUUID() });

const usageOf = (totalTokens: number, costUsd: number | null = null) => ({
  inputTokens: totalTokens - 40,
  outputTokens: 40,
  cachedTokens: 10,
  totalTokens,
  model: 'm',
  costUsd,
});

/** Turns of 100 tokens. */
const spend: AnswerTurn = async () => ({ ...completed, usage: usageOf(100) });

async function send(chat: Chat, who: Viewer, more: Partial<SendMessageInput> = {}) {
  const sent = await chat.copilot.sendMessage(who, ask('hi', more));
  const turn = await ended(chat, sent.turn, who);
  return { sessionId: sent.session.id, turn };
}

describe('a used-up budget refuses a message and says how much was used and when there is more', () => {
  test('of a session', async () => {
    const chat = await start({ answerTurn: spend, limits: { sessionTokens: 150 } });
    const who = freshViewer();
    const { sessionId } = await send(chat, who);
    await send(chat, who, { sessionId });
    const over = chat.copilot.sendMessage(who, ask('hi', { sessionId }));
    await expect(over).rejects.toThrow(BudgetExceededError);
    const again = chat.copilot.sendMessage(who, ask('hi', { sessionId }));
    await expect(again).rejects.toThrow('this conversation has used 200 of its 150 tokens; start a new one');
    await send(chat, who);
  });

  test('of a user’s day, in all projects together, deleted sessions included', async () => {
    const chat = await start({ answerTurn: spend, limits: { userTokensPerDay: 150 } });
    const who = freshViewer();
    const { sessionId } = await send(chat, who);
    await chat.copilot.deleteSession(who, sessionId);
    const elsewhere = { ...who, projectId: crypto.randomUUID() };
    await send(chat, elsewhere);
    await expect(chat.copilot.sendMessage(who, ask('hi'))).rejects.toThrow(
      'you have used 200 of the 150 tokens of a day; the next day begins at 00:00 UTC',
    );
  });

  test('of a project’s day, of all users together', async () => {
    const chat = await start({ answerTurn: spend, limits: { projectTokensPerDay: 150 } });
    const who = freshViewer();
    await send(chat, who);
    await send(chat, { ...who, id: crypto.randomUUID() });
    await expect(chat.copilot.sendMessage(who, ask('hi'))).rejects.toThrow(
      'this project has used 200 of the 150 tokens of a day; the next day begins at 00:00 UTC',
    );
    await send(chat, { ...who, projectId: crypto.randomUUID() });
  });

  test('which is free again the next day', async () => {
    const chat = await start({ answerTurn: spend, limits: { userTokensPerDay: 100 } });
    const who = freshViewer();
    await send(chat, who);
    await expect(chat.copilot.sendMessage(who, ask('hi'))).rejects.toThrow(BudgetExceededError);
    await sql`update daily_usage set day = day - 1 where id = ${who.id}`.execute(chat.db);
    await send(chat, who);
  });
});

describe('tokens that are set aside', () => {
  const limits = { userTokensPerDay: 100 };

  test('are not given to another turn at the same moment, and those that were not used are, afterwards', async () => {
    const turns = heldTurns();
    const who = freshViewer();
    const [a, b] = [
      await start({ answerTurn: turns.answerTurn, limits }),
      await start({ answerTurn: turns.answerTurn, limits }),
    ];
    const first = await a.copilot.sendMessage(who, ask('one'));
    const second = await b.copilot.sendMessage(who, ask('two'));
    const [one, two] = [await turns.of(first.turn), await turns.of(second.turn)];
    expect(await one.run.budget.hold(80)).toMatchObject({ tokens: 100 });
    expect(await two.run.budget.hold(50)).toEqual({
      tokens: 20,
      bound:
        'you have used 0 of the 100 tokens of a day, and 80 are reserved for other answers; the next day begins at 00:00 UTC',
    });
    one.finish({ ...completed, usage: usageOf(60) });
    await ended(a, first.turn, who);
    expect(await two.run.budget.hold(50)).toMatchObject({ tokens: 40 });
    two.finish();
    await ended(b, second.turn, who);
    const left = await a.db.selectFrom('token_holds').selectAll().where('viewer_id', '=', who.id).execute();
    expect(left).toEqual([]);
  });

  test('are never more than there are, however many ask at once', async () => {
    const turns = heldTurns();
    const who = freshViewer();
    const [a, b] = [
      await start({ answerTurn: turns.answerTurn, limits }),
      await start({ answerTurn: turns.answerTurn, limits }),
    ];
    const sent = await Promise.all(
      Array.from({ length: 10 }, (_, index) => (index % 2 ? a : b).copilot.sendMessage(who, ask('go'))),
    );
    const held = await Promise.all(sent.map(({ turn }) => turns.of(turn)));
    const grants = await Promise.all(held.map(({ run }) => run.budget.hold(30)));
    const given = grants.map(({ tokens }) => Math.min(30, tokens));
    expect(given.toSorted((x, y) => y - x)).toEqual([30, 30, 30, 10, 0, 0, 0, 0, 0, 0]);
  });

  test('are free again when the lease of a process that is gone runs out', async () => {
    const turns = heldTurns();
    const who = freshViewer();
    const paused: Partial<RunnerTimes> = { leaseMs: 600_000, renewMs: 600_000, sweepMs: 600_000, drainMs: 0 };
    const [gone, here] = [
      await start({ answerTurn: turns.answerTurn, limits, times: paused }),
      await start({ answerTurn: turns.answerTurn, limits }),
    ];
    const { session, turn } = await gone.copilot.sendMessage(who, ask('one'));
    const lost = await turns.of(turn);
    const next = await turns.of((await here.copilot.sendMessage(who, ask('two'))).turn);
    await lost.run.budget.hold(100);
    expect(await next.run.budget.hold(50)).toMatchObject({ tokens: 0 });
    await endLeases(gone, [session.id]);
    await until(async () => (await next.run.budget.hold(50)).tokens === 100, {
      what: 'the tokens to be free',
    });
  });

  test('are none for a turn that has ended', async () => {
    const turns = heldTurns({ stubborn: true });
    const who = freshViewer();
    const chat = await start({ answerTurn: turns.answerTurn, limits });
    const { turn } = await chat.copilot.sendMessage(who, ask('one'));
    const { run } = await turns.of(turn);
    await chat.copilot.cancelTurn(who, { turnId: turn.id });
    await run.budget.hold(100);
    const holds = await chat.db.selectFrom('token_holds').selectAll().execute();
    expect(holds.filter(({ turn_id }) => turn_id === turn.id)).toEqual([]);
  });
});

describe('a budget that ends in the middle of a turn', () => {
  const finished = (inputTokens: number, reason: 'stop' | 'calls'): ScriptedPart => ({
    type: 'finished',
    reason,
    usage: { inputTokens, outputTokens: 50, cachedTokens: 0 },
    items: [],
  });
  const callFor = (tokens: number) => [...say('Looking. '), callTool('look'), finished(tokens, 'calls')];

  /** A turn of the real loop, of which the first model call takes `tokens`. */
  async function answered(sessionTokens: number, tokens: number) {
    const model = createScriptedModel([
      callFor(tokens),
      [...say('In short: fine.'), finished(tokens, 'stop')],
    ]);
    const chat = await start({
      limits: { sessionTokens },
      answerTurn: ({ emit, signal, budget }) =>
        runLoop({ ...loopOptions(model, [testTool('look')]), emit, signal, budget }),
    });
    const who = freshViewer();
    const { turn } = await send(chat, who);
    const [message] = await chat.copilot.byId.messages(who, [turn.answerId ?? '']);
    const [calls] = await chat.copilot.toolCallsOfTurns(who, [turn.id]);
    return { model, turn, message, calls };
  }

  test('asks for the best answer of what was found, without tools', async () => {
    const { model, turn, message, calls } = await answered(3_000, 1_000);
    expect(turn).toMatchObject({ status: 'COMPLETED', usage: { totalTokens: 2_100 } });
    expect(message?.text).toContain('In short: fine.');
    expect(calls).toMatchObject([{ tool: 'look', status: 'OK' }]);
    const last = model.requests[1]!;
    expect([last.toolChoice, JSON.stringify(last.input.at(-1))]).toEqual([
      'none',
      expect.stringContaining('the token budget is nearly used up'),
    ]);
  });

  test('keeps text and results if even that is too much, and names the budget', async () => {
    const { model, turn, message, calls } = await answered(3_000, 2_800);
    expect(model.requests).toHaveLength(1);
    expect(turn).toMatchObject({ status: 'FAILED', error: { code: 'BUDGET_EXCEEDED', retryable: false } });
    expect(turn.error?.message).toMatch(/this conversation has used 0 of its 3,000 tokens; start a new one/);
    expect(message?.text).toBe('Looking. ');
    expect(calls).toMatchObject([{ tool: 'look', status: 'OK' }]);
    expect(turn.usage).toMatchObject({ totalTokens: 2_850 });
  });
});
