/** Budgets that admins set: tokens, cost and turns a day, of a member and of a project, over two servers on one database. */
import { describe, expect, test } from '@jest/globals';
import type { AnswerTurn } from '../../src/agent/turn-run.ts';
import { BudgetExceededError } from '../../src/base/errors.ts';
import type { Viewer } from '../../src/domain/conversation/session.ts';
import { NO_BUDGETS } from '../../src/domain/members/budget.ts';
import { createBudgetsService } from '../../src/services/members/budgets.ts';
import { completed } from '../support/activities.ts';
import { ask, ended, heldTurns, viewer, type Chat } from '../support/chat.ts';
import { ownChats } from '../support/own-chats.ts';

const { start } = ownChats();

const member = (projectId: string): Viewer => ({ ...viewer, id: crypto.randomUUID(), projectId });

/** Turns of 100 tokens that cost half a dollar. */
const spend: AnswerTurn = async () => ({
  ...completed,
  usage: {
    inputTokens: 60,
    outputTokens: 40,
    cachedTokens: 0,
    totalTokens: 100,
    model: 'm',
    costUsd: 0.5,
  },
});

const send = async (chat: Chat, who: Viewer): Promise<void> => {
  const { turn } = await chat.copilot.sendMessage(who, ask('hi'));
  await ended(chat, turn, who);
};
const budgetsOver = ({ db }: Chat, defaults = NO_BUDGETS) => createBudgetsService({ db, defaults });
const UNTIL = 'of a day; the next day begins at 00:00 UTC, and admins of the project set this budget';

describe('a budget that is used up refuses a message, in words that say what, how much and until when', () => {
  test.each([
    ['tokens', { tokensPerDay: 200 }, `in this project you have used 200 of the 200 tokens ${UNTIL}`],
    ['cost', { costUsdPerDay: 1 }, `in this project you have used $1.00 of the $1.00 ${UNTIL}`],
    ['turns', { turnsPerDay: 2 }, `in this project you have used 2 of the 2 turns ${UNTIL}`],
  ])('of %s of a member, at whichever server', async (_what, limits, words) => {
    const [a, b] = [await start({ answerTurn: spend }), await start({ answerTurn: spend })];
    const who = member(crypto.randomUUID());
    await budgetsOver(a).set(who, { of: 'MEMBER', userId: who.id, ...limits });
    await send(a, who);
    await send(b, who);
    for (const chat of [a, b]) {
      const over = chat.copilot.sendMessage(who, ask('hi'));
      await expect(over).rejects.toThrow(new BudgetExceededError(words));
    }
    // Neither a colleague nor another project is touched.
    await send(a, member(who.projectId));
    await send(a, { ...who, projectId: crypto.randomUUID() });
  });

  test('of each member, unless something else is set for one', async () => {
    const chat = await start({ answerTurn: spend });
    const [who, colleague] = [member('a'), member('a')];
    const budgets = budgetsOver(chat);
    await budgets.set(who, { of: 'EACH_MEMBER', turnsPerDay: 1 });
    await budgets.set(who, { of: 'MEMBER', userId: colleague.id, turnsPerDay: 2, tokensPerDay: 5_000 });
    await send(chat, who);
    await expect(chat.copilot.sendMessage(who, ask('hi'))).rejects.toThrow('1 of the 1 turns');
    await send(chat, colleague);
    await send(chat, colleague);
    await expect(chat.copilot.sendMessage(colleague, ask('hi'))).rejects.toThrow('2 of the 2 turns');
    await budgets.set(who, { of: 'EACH_MEMBER' });
    await send(chat, who);
  });

  test('of a project, all members together', async () => {
    const chat = await start({ answerTurn: spend });
    const who = member('b');
    await budgetsOver(chat).set(who, { of: 'PROJECT', turnsPerDay: 2 });
    await send(chat, who);
    await send(chat, member('b'));
    await expect(chat.copilot.sendMessage(member('b'), ask('hi'))).rejects.toThrow(
      `this project has used 2 of the 2 turns ${UNTIL}`,
    );
  });

  test('by configuration, where nobody has set anything', async () => {
    const defaults = { ...NO_BUDGETS, member: { ...NO_BUDGETS.member, costUsd: 0.4 } };
    const chat = await start({ answerTurn: spend, limits: { budgets: defaults } });
    const who = member('c');
    await send(chat, who);
    await expect(chat.copilot.sendMessage(who, ask('hi'))).rejects.toThrow('$0.50 of the $0.40');
    await budgetsOver(chat, defaults).set(who, { of: 'MEMBER', userId: who.id, costUsdPerDay: 2 });
    await send(chat, who);
    const { member: own } = await budgetsOver(chat, defaults).of(who);
    expect(own).toEqual({
      tokens: { used: 200, limit: null },
      costUsd: { used: 1, limit: 2 },
      turns: { used: 2, limit: null },
    });
  });
});

test('turns that run count, and the tokens of a member are never set aside twice', async () => {
  const turns = heldTurns();
  const [a, b] = [
    await start({ answerTurn: turns.answerTurn }),
    await start({ answerTurn: turns.answerTurn }),
  ];
  const who = member('d');
  await budgetsOver(a).set(who, { of: 'MEMBER', userId: who.id, tokensPerDay: 100, turnsPerDay: 2 });
  const first = await a.copilot.sendMessage(who, ask('one'));
  const second = await b.copilot.sendMessage(who, ask('two'));
  await expect(a.copilot.sendMessage(who, ask('three'))).rejects.toThrow('2 of the 2 turns');
  const [one, two] = [await turns.of(first.turn), await turns.of(second.turn)];
  expect(await one.run.budget.hold(80)).toMatchObject({ tokens: 100 });
  expect(await two.run.budget.hold(50)).toMatchObject({ tokens: 20 });
  await budgetsOver(b).set(who, { of: 'MEMBER', userId: who.id, costUsdPerDay: 0 });
  expect(await two.run.budget.hold(50)).toMatchObject({
    tokens: 0,
    bound: expect.stringContaining('$0.00 of the $0.00'),
  });
  one.finish();
  two.finish();
  await ended(a, first.turn, who);
  await ended(b, second.turn, who);
});
