/** A small, steady load that leaves nothing: conversations and jobs are opened, answered as known, followed and deleted. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, follow } from './client.ts';
import {
  CREATE,
  DELETE_CHAT,
  DELETE_JOB,
  JOB,
  OPEN,
  SEND,
  TURN,
  type Done,
  type Ended,
} from './operations.ts';
import type { Random } from './random.ts';
import { answerOf, idOf, textOf, type Question } from './words.ts';

const MESSAGES = 5;
const PAUSE_MS = 1_000;
const POLL_MS = 1_000;
const WORDS = 40;
/** An end that does not come in this time is wrong. */
const MOST_MS = 120_000;

/** Runs until it is stopped; `wrong` is what was not as known. */
export type SoakLoad = { readonly turns: number; readonly wrong: readonly string[]; stop(): Promise<void> };

/** How many conversations there are at a time, and whether each is kept on one server, as a balancer can. */
export type SoakPeople = { readonly conversations: number; readonly near: boolean };

/** The first conversation is with Python; besides there is one job. Without conversations nothing happens. */
export function startSoakLoad(
  urls: readonly string[],
  random: Random,
  { conversations, near }: SoakPeople,
): SoakLoad {
  const stopping = new AbortController();
  const wrong: string[] = [];
  let made = 0;
  let turns = 0;

  const call = async <Data>(at: readonly string[], query: string, variables: object): Promise<Data> => {
    const answered = await ask<Data>(random.pick(at), query, variables);
    if (answered.problem) throw new Error(`${answered.problem.code}: ${answered.problem.message}`);
    return answered.data;
  };
  const change = async (at: readonly string[], query: string, input: object): Promise<Done> => {
    const { done } = await call<{ done: Done }>(at, query, { input });
    if (!done.__typename.endsWith('Payload')) throw new Error(JSON.stringify(done));
    return done;
  };
  const untilEnded = async (at: readonly string[], query: string, id: string): Promise<Ended> => {
    const deadline = performance.now() + MOST_MS;
    while (performance.now() < deadline) {
      const { ended } = await call<{ ended: Ended }>(at, query, { id });
      if (!OPEN.has(ended.status)) return ended;
      await sleep(POLL_MS);
    }
    throw new Error(`${id} did not end in ${MOST_MS / 1000} s`);
  };
  const next = (kind: Question['kind']): Question => ({ kind, id: idOf('k', (made += 1)), count: WORDS });
  const followed = async (
    at: readonly string[],
    kind: 'chat' | 'job',
    id: string,
    work: () => Promise<void>,
  ): Promise<void> => {
    const followers = (['ws', 'sse'] as const).map((over) => follow(kind, id, { urls: at, random, over }));
    try {
      await work();
    } finally {
      await Promise.all(followers.map((follower) => follower.stop()));
    }
    wrong.push(...followers.flatMap(({ outOfOrder }) => outOfOrder));
  };

  const converse = async (kind: 'say' | 'python'): Promise<void> => {
    const at = near ? [random.pick(urls)] : urls;
    let sessionId: string | undefined;
    const say = async (): Promise<void> => {
      const question = next(kind);
      const input = { content: textOf(question), clientMessageId: crypto.randomUUID(), sessionId };
      const { session, turn } = await change(at, SEND, input);
      sessionId = session?.id;
      const { status, message } = await untilEnded(at, TURN, turn?.id ?? '');
      if (status !== 'COMPLETED' || message?.text !== answerOf(question))
        wrong.push(`${question.id} ended as ${status} with "${message?.text}"`);
      turns += 1;
      await sleep(PAUSE_MS);
    };
    await say();
    await followed(at, 'chat', sessionId ?? '', async () => {
      for (let times = 1; times < MESSAGES; times += 1) await say();
    });
    await change(at, DELETE_CHAT, { sessionId });
  };
  const work = async (): Promise<void> => {
    const input = { description: textOf(next('job')), idempotencyKey: crypto.randomUUID() };
    const { job } = await change(urls, CREATE, input);
    const jobId = job?.id ?? '';
    await followed(urls, 'job', jobId, async () => {
      const { status } = await untilEnded(urls, JOB, jobId);
      if (status !== 'COMPLETED') wrong.push(`job ${jobId} ended as ${status}`);
    });
    await change(urls, DELETE_JOB, { jobId });
    turns += 3;
    await sleep(PAUSE_MS * MESSAGES);
  };

  const line = async (once: () => Promise<void>): Promise<void> => {
    while (!stopping.signal.aborted)
      await once().catch(async (error: unknown) => {
        wrong.push(String(error));
        await sleep(PAUSE_MS);
      });
  };
  const lines = Array.from({ length: conversations }, (_, index) =>
    line(() => converse(index === 0 ? 'python' : 'say')),
  );
  if (conversations > 0) lines.push(line(work));
  return {
    get turns() {
      return turns;
    },
    wrong,
    async stop() {
      stopping.abort();
      await Promise.all(lines);
    },
  };
}
