/** Edits and retries: branches beside what stands, and what a reader and a model get to see of them. */
import { describe, expect, test } from '@jest/globals';
import { ConflictError, InvalidInputError, NotFoundError, SessionBusyError } from '../../src/base/errors.ts';
import type { SentMessage } from '../../src/services/copilot/start-turn.ts';
import { createSessionStore } from '../../src/stores/pg/session-store.ts';
import { completed, text } from '../support/activities.ts';
import { ask, ended, heldTurns, viewer } from '../support/chat.ts';
import type { Chat, ChatOptions } from '../support/chat.ts';
import { ownChats } from '../support/own-chats.ts';

const chats = ownChats();

/** Answers questions by themselves, unless told otherwise. */
function start(options: ChatOptions = {}): Promise<Chat> {
  const answerTurn: ChatOptions['answerTurn'] = async ({ question, emit }) => {
    emit(text(`re: ${question.text}`));
    return completed;
  };
  return chats.start({ answerTurn, ...options });
}

/** A conversation of `questions`, each asked when the one before it was answered. */
async function converse(chat: Chat, ...questions: readonly string[]): Promise<SentMessage[]> {
  const sent: SentMessage[] = [];
  for (const content of questions) sent.push(await follow(chat, sent.at(-1), content));
  return sent;
}

async function follow(chat: Chat, before: SentMessage | undefined, content: string): Promise<SentMessage> {
  const sent = await chat.copilot.sendMessage(
    viewer,
    ask(content, before && { sessionId: before.session.id }),
  );
  await ended(chat, sent.turn);
  return sent;
}

async function edit(chat: Chat, { message }: Pick<SentMessage, 'message'>, content: string) {
  const input = { messageId: message.id, content, clientMessageId: crypto.randomUUID() };
  const sent = await chat.copilot.editMessage(viewer, input);
  await ended(chat, sent.turn);
  return sent;
}

async function retry(chat: Chat, { turn }: Pick<SentMessage, 'turn'>) {
  const input = { turnId: turn.id, clientMessageId: crypto.randomUUID() };
  const sent = await chat.copilot.retryTurn(viewer, input);
  await ended(chat, sent.turn);
  return sent;
}

/** Texts of the branch that is shown, or of the one through a turn, oldest first; questions only. */
async function questionsOf({ copilot }: Chat, { session }: SentMessage, through?: SentMessage) {
  const page = { first: 50, throughTurnId: through?.turn.id };
  const { items } = await copilot.messages(viewer, session.id, page);
  return items.flatMap(({ item }) => (item.role === 'USER' ? [item.text] : [])).toReversed();
}

/** What the model of a turn is told of earlier ones. */
async function historyOf(chat: Chat, { turn }: SentMessage) {
  const earlier = await createSessionStore(chat.db).earlierTurns(turn, 50);
  return earlier.map(({ question, answer }) => [question.text, answer?.text]);
}

describe('an edited message', () => {
  test('stands in the place of the old one, which stays readable with all that followed it', async () => {
    const chat = await start();
    const [one, two, three] = await converse(chat, 'one', 'two', 'three');
    const edited = await edit(chat, two!, 'two, better');
    expect(await questionsOf(chat, one!)).toEqual(['one', 'two, better']);
    expect(await questionsOf(chat, one!, two)).toEqual(['one', 'two', 'three']);
    expect(await questionsOf(chat, one!, three)).toEqual(['one', 'two', 'three']);
    expect(edited.turn).toMatchObject({ parentId: one!.turn.id, replacesId: two!.turn.id });
    const [siblings] = await chat.copilot.siblingsOfTurns(viewer, [edited.turn.id]);
    expect(siblings?.map(({ id }) => id)).toEqual([two!.turn.id, edited.turn.id]);
    expect((await chat.copilot.byId.turns(viewer, [three!.turn.id]))[0]?.status).toBe('COMPLETED');
  });

  test('is answered from what came before it, and what is asked next from the new branch alone', async () => {
    const chat = await start();
    const [, two] = await converse(chat, 'one', 'two', 'three');
    const edited = await edit(chat, two!, 'two, better');
    expect(await historyOf(chat, edited)).toEqual([['one', 're: one']]);
    const next = await follow(chat, edited, 'four');
    expect(await historyOf(chat, next)).toEqual([
      ['one', 're: one'],
      ['two, better', 're: two, better'],
    ]);
    expect(await questionsOf(chat, next)).toEqual(['one', 'two, better', 'four']);
  });

  test('can be the first of its conversation, an edited one, or one of a branch that is no longer shown', async () => {
    const chat = await start();
    const [one, two] = await converse(chat, 'one', 'two');
    const first = await edit(chat, one!, 'other');
    expect(first.turn.parentId).toBeNull();
    expect(await historyOf(chat, first)).toEqual([]);
    const again = await edit(chat, first, 'another');
    expect(await questionsOf(chat, again)).toEqual(['another']);
    const old = await edit(chat, two!, 'two of old');
    expect(await questionsOf(chat, old)).toEqual(['one', 'two of old']);
    const [siblings] = await chat.copilot.siblingsOfTurns(viewer, [one!.turn.id]);
    expect(siblings?.map(({ id }) => id)).toEqual([one, first, again].map((sent) => sent!.turn.id));
  });

  test('is taken once for a client’s id; the same id for anything else is a conflict', async () => {
    const chat = await start();
    const { copilot } = chat;
    const [one] = await converse(chat, 'one');
    const input = { messageId: one!.message.id, content: 'better', clientMessageId: crypto.randomUUID() };
    const edited = await copilot.editMessage(viewer, input);
    await ended(chat, edited.turn);
    const repeated = await copilot.editMessage(viewer, input);
    expect([repeated.turn.id, repeated.lastSeq]).toEqual([edited.turn.id, edited.lastSeq]);
    const { clientMessageId } = input;
    await expect(copilot.editMessage(viewer, { ...input, content: 'best' })).rejects.toThrow(ConflictError);
    await expect(copilot.retryTurn(viewer, { turnId: edited.turn.id, clientMessageId })).rejects.toThrow(
      ConflictError,
    );
    const same = ask('better', { clientMessageId, sessionId: one!.session.id });
    await expect(copilot.sendMessage(viewer, same)).rejects.toThrow(ConflictError);
    const first = { ...input, content: 'one', clientMessageId: crypto.randomUUID() };
    const sent = await copilot.sendMessage(viewer, ask('x', { clientMessageId: first.clientMessageId }));
    await ended(chat, sent.turn);
    await expect(copilot.editMessage(viewer, first)).rejects.toThrow(ConflictError);
  });

  test('is refused while the session is busy; of two edits at once, on two servers, one is taken', async () => {
    const turns = heldTurns();
    const [a, b] = [
      await start({ answerTurn: turns.answerTurn }),
      await start({ answerTurn: turns.answerTurn }),
    ];
    const first = await a.copilot.sendMessage(viewer, ask('one'));
    const input = (content: string) => ({
      messageId: first.message.id,
      content,
      clientMessageId: crypto.randomUUID(),
    });
    await expect(a.copilot.editMessage(viewer, input('too early'))).rejects.toThrow(SessionBusyError);
    (await turns.of(first.turn)).finish();
    await ended(a, first.turn);
    const edits = await Promise.allSettled([
      a.copilot.editMessage(viewer, input('two')),
      b.copilot.editMessage(viewer, input('three')),
    ]);
    const refused = edits.flatMap((edit) => (edit.status === 'rejected' ? [edit.reason as unknown] : []));
    expect(refused).toEqual([expect.any(SessionBusyError)]);
    const [siblings] = await a.copilot.siblingsOfTurns(viewer, [first.turn.id]);
    expect(siblings).toHaveLength(2);
  });

  test.each(['editMessage', 'disputeMessage'] as const)(
    '%s says what is wrong with a message of another, an unknown one and one of the wrong role',
    async (method) => {
      const chat = await start();
      const [one] = await converse(chat, 'one');
      const { answerId } = await ended(chat, one!.turn);
      const of = (messageId: string) => ({ messageId, content: 'x', note: 'x', clientMessageId: 'once' });
      const eve = { ...viewer, id: 'eve' };
      const elsewhere = { ...viewer, projectId: 'other' };
      for (const id of [one!.message.id, answerId ?? '']) {
        for (const who of [eve, elsewhere]) {
          await expect(chat.copilot[method](who, of(id))).rejects.toThrow(NotFoundError);
        }
      }
      await expect(chat.copilot[method](viewer, of('unknown'))).rejects.toThrow(
        /you have no message unknown/,
      );
      const wrong = method === 'editMessage' ? answerId : one!.message.id;
      const asked = chat.copilot[method](viewer, of(wrong ?? ''));
      await expect(asked).rejects.toThrow(InvalidInputError);
      await expect(asked).rejects.toThrow(
        /input\.messageId: is (an answer; only your own messages|a question; give)/,
      );
      expect(await questionsOf(chat, one!)).toEqual(['one']);
    },
  );

  test.each(['', ' \n ', 'x'.repeat(8_001)])('cannot be %j', async (content) => {
    const { copilot } = await start();
    const input = { messageId: 'any', content, clientMessageId: 'any' };
    await expect(copilot.editMessage(viewer, input)).rejects.toThrow(/input\.content: must/);
  });
});

describe('a retried turn', () => {
  test('is listed in the place of the old one, page by page, and so is its cursor, where it has no answer', async () => {
    const chat = await start({ answerTurn: async () => ({ ...completed, status: 'FAILED' }) });
    const [one, two, three] = await converse(chat, 'one', 'two', 'three');
    const again = await retry(chat, two!);
    const idsOf = async (page: { first: number; after?: string; throughTurnId?: string }) => {
      const { items, hasNextPage } = await chat.copilot.turns(viewer, one!.session.id, page);
      return { ids: items.map(({ item }) => item.id), hasNextPage, after: items.at(-1)?.cursor ?? '' };
    };
    const { ids, hasNextPage, after } = await idsOf({ first: 1 });
    expect([ids, hasNextPage]).toEqual([[again.turn.id], true]);
    expect(await idsOf({ first: 1, after })).toMatchObject({ ids: [one!.turn.id], hasNextPage: false });
    const old = await idsOf({ first: 9, throughTurnId: two!.turn.id });
    expect(old.ids).toEqual([three, two, one].map((sent) => sent!.turn.id));
    const [turn] = await chat.copilot.byId.turns(viewer, [again.turn.id]);
    expect(turn?.beforeSeq).toBe(again.lastSeq);
  });

  test('is a branch of the same question, and only the branch goes on', async () => {
    const chat = await start();
    const [, two] = await converse(chat, 'one', 'two', 'three');
    const again = await retry(chat, two!);
    expect(again.message).toEqual(two!.message);
    expect(await historyOf(chat, again)).toEqual([['one', 're: one']]);
    expect(await questionsOf(chat, again)).toEqual(['one', 'two']);
    const next = await follow(chat, again, 'four');
    expect((await historyOf(chat, next)).map(([question]) => question)).toEqual(['one', 'two']);
  });

  test('of an edited message, twice, keeps to the place of the edit', async () => {
    const chat = await start();
    const [, two] = await converse(chat, 'one', 'two');
    const edited = await edit(chat, two!, 'better');
    const first = await retry(chat, edited);
    const second = await retry(chat, first);
    expect(await questionsOf(chat, second)).toEqual(['one', 'better']);
    const [siblings] = await chat.copilot.siblingsOfTurns(viewer, [two!.turn.id]);
    expect(siblings?.map(({ id }) => id)).toEqual([two!, edited, first, second].map(({ turn }) => turn.id));
  });
});

describe('the messages that are shown', () => {
  test('go on page by page in the branch in which they began, whatever was branched since', async () => {
    const chat = await start();
    const [one, two] = await converse(chat, 'one', 'two', 'three');
    const page = await chat.copilot.messages(viewer, one!.session.id, { first: 3 });
    expect(page.items.map(({ item }) => item.text)).toEqual(['re: three', 'three', 're: two']);
    await edit(chat, two!, 'two, better');
    const after = page.items.at(-1)?.cursor;
    const rest = await chat.copilot.messages(viewer, one!.session.id, { first: 3, after });
    expect(rest.items.map(({ item }) => item.text)).toEqual(['two', 're: one', 'one']);
    expect(rest.hasNextPage).toBe(false);
  });

  test('are none for a cursor or a turn of another conversation', async () => {
    const chat = await start();
    const [one] = await converse(chat, 'one', 'two');
    const [other] = await converse(chat, 'other');
    const { items } = await chat.copilot.messages(viewer, other!.session.id, { first: 1 });
    for (const page of [
      { after: items[0]?.cursor },
      { throughTurnId: other!.turn.id },
      { throughTurnId: 'x' },
    ]) {
      const found = await chat.copilot.messages(viewer, one!.session.id, { first: 5, ...page });
      expect(found.items).toEqual([]);
    }
  });

  test('follow the order of answering where a message took the place of those in line', async () => {
    const turns = heldTurns();
    const chat = await start({ answerTurn: turns.answerTurn });
    const first = await chat.copilot.sendMessage(viewer, ask('one'));
    await turns.of(first.turn);
    const inSession = { sessionId: first.session.id };
    const waiting = await chat.copilot.sendMessage(viewer, ask('wait', { ...inSession, whenBusy: 'QUEUE' }));
    const urgent = await chat.copilot.sendMessage(
      viewer,
      ask('now', { ...inSession, whenBusy: 'SUPERSEDE' }),
    );
    expect(await questionsOf(chat, first)).toEqual(['one', 'now', 'wait']);
    const found = await chat.copilot.byId.turns(viewer, [urgent.turn.id, waiting.turn.id]);
    expect(found.map((turn) => turn?.parentId)).toEqual([first.turn.id, urgent.turn.id]);
    (await turns.of(urgent.turn)).finish();
    (await turns.of(waiting.turn)).finish();
    await ended(chat, waiting.turn);
  });
});
