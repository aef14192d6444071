/**
 * A server in a process of its own, to be killed: asks itself a question in each of some sessions and answers without
 * end. Arguments: the database's address, how many sessions. Prints one line of JSON when the turns run.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { text, toolStart } from './activities.ts';
import { ask, startChat, viewer } from './chat.ts';
import { killTimes } from './kill-storm.ts';

const [url = '', sessions = '1'] = process.argv.slice(2);
const chat = await startChat(url, {
  times: killTimes,
  answerTurn: async ({ emit, signal }) => {
    emit(toolStart('never finished'));
    for (let word = 0; ; word += 1) {
      signal.throwIfAborted();
      emit(text(`word ${word} 😀 `));
      await sleep(1);
    }
  },
});
const sent = await Promise.all(
  Array.from({ length: Number(sessions) }, () =>
    chat.copilot.sendMessage(viewer, ask('talk until you are killed')),
  ),
);
process.stdout.write(
  `${JSON.stringify(sent.map(({ session, turn }) => ({ sessionId: session.id, turnId: turn.id })))}\n`,
);
