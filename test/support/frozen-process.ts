/**
 * A server in a process of its own, to be frozen or killed at the worst moment: it answers a question without end, and
 * then stands in the middle of a transaction that starts something for the viewer and holds a conversation. Arguments: the
 * database's address; `unlimited` for transactions that PostgreSQL never ends. Prints one line of JSON then;
 * `{"lost": true}` once it has found its turn to be another's.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger } from '../../src/base/log.ts';
import { openDatabase, UNLIMITED } from '../../src/stores/pg/database.ts';
import { viewerTransaction } from '../../src/stores/pg/viewer-transaction.ts';
import { lockSession } from '../../src/stores/pg/sessions.ts';
import { text } from './activities.ts';
import { ask, startChat, viewer } from './chat.ts';

const chat = await startChat(process.argv[2] ?? '', {
  answerTurn: async ({ emit, signal }) => {
    for (let word = 0; !signal.aborted; word += 1) {
      emit(text(`word ${word} `));
      await sleep(1, undefined, { signal }).catch(() => undefined);
    }
    process.stdout.write(`{"lost": true}\n`);
    throw signal.reason;
  },
});
const { session, turn } = await chat.copilot.sendMessage(viewer, ask('talk without end'));
const other = await chat.copilot.sendMessage(viewer, ask('talk in the conversation that is held'));
const isUnlimited = process.argv[3] === 'unlimited';
const log = createLogger('silent');
const { db } = isUnlimited ? openDatabase(process.argv[2] ?? '', { log, limits: UNLIMITED }) : chat;
const held = Promise.withResolvers<undefined>();
void viewerTransaction(db, viewer, async (tx) => {
  if (!isUnlimited) await lockSession(tx, other.session.id);
  held.resolve(undefined);
  await new Promise(() => undefined);
}).catch(() => undefined);
await held.promise;
const sent = [session, other.session].map(({ id }) => id);
process.stdout.write(`${JSON.stringify({ sessionIds: sent, turnIds: [turn.id, other.turn.id] })}\n`);
