import { setTimeout as sleep } from 'node:timers/promises';
import { asPercent, type Bench } from '../bench.ts';
import { openChat } from '../chat.ts';
import { storeConversations } from '../conversations.ts';
import { countPostgresCpu, cpuUsOf } from '../cpu.ts';

const SUBSCRIBERS = 1_000;
const SECONDS = 5;
/** The quietest of them counts: nothing makes an idle process cheaper than it is. */
const WINDOWS = 4;
/** Until all have read what is there, and wait. */
const SETTLE_MS = 3_000;

/** What followers of a thousand quiet conversations cost, of one processor, beside what an idle process costs. */
export const idleSubscribers: Bench = async ({ stores, progress }) => {
  const chat = await openChat(stores);
  const leave = new AbortController();
  const measure = async () => {
    await sleep(SETTLE_MS);
    const [server, postgres]: [number[], number[]] = [[], []];
    for (let window = 0; window < WINDOWS; window += 1) {
      const postgresUs = await countPostgresCpu(chat.db);
      server.push(await cpuUsOf(() => sleep(SECONDS * 1_000)));
      postgres.push(await postgresUs());
    }
    return { server: Math.min(...server), postgres: Math.min(...postgres) };
  };
  const percent = (us: number): number => us / (SECONDS * 10_000);
  try {
    const sessions = await storeConversations(chat.db, SUBSCRIBERS, 2);
    progress(`${SUBSCRIBERS} followers, ${WINDOWS} times ${SECONDS} s without and with them`);
    const alone = await measure();
    const following = sessions.map(async (id) => {
      for await (const _event of chat.eventLog.follow(id, 0, leave.signal));
    });
    const followed = await measure();
    leave.abort();
    await Promise.all(following);
    return [
      asPercent('processor time for 1,000 idle followers', percent(followed.server - alone.server), 0.5),
      asPercent(
        'processor time of Postgres for them, beside it',
        percent(followed.postgres - alone.postgres),
      ),
    ];
  } finally {
    leave.abort();
    await chat.close();
  }
};
