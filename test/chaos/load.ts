/** What people do meanwhile: conversations one message after another, jobs, and everybody following. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, follow, uuidOf, type Answered, type Follower } from './client.ts';
import type { Entry, Ledger } from './ledger.ts';
import { CANCEL, CREATE, JOB, OPEN, SEND, TURN, type Done, type Ended } from './operations.ts';
import type { Random } from './random.ts';
import { idOf, textOf, type Question } from './words.ts';

const POLL_MS = 150;
const AVOID_MS = 5_000;
/** A job says these for each of its three phases. */
const PHASE_WORDS = [10, 40] as const;

/** The running load. */
export type Load = {
  readonly followers: readonly Follower[];
  /**
   * Whether every conversation had a message sent after `since` and completed (`chats`), and every line of jobs one that
   * ended as completed after it (`jobs`).
   */
  served(since: number): { readonly chats: boolean; readonly jobs: boolean };
  /** Sends nothing more, and waits for the ends of what was sent. */
  stop(): Promise<void>;
};

/** What the load is made of. */
export type LoadPlan = {
  readonly urls: readonly string[];
  readonly random: Random;
  readonly ledger: Ledger;
  readonly conversations: number;
  readonly jobs: number;
  /** After this long an end, or an acknowledgement, counts as never coming. */
  readonly stuckMs: number;
  /** Fewest and most words of an answer. */
  readonly words: readonly [least: number, most: number];
};

/** Starts all of it at once. */
export function startLoad({ urls, random, ledger, conversations, jobs, words, stuckMs }: LoadPlan): Load {
  const stopping = new AbortController();
  const followers: Follower[] = [];
  const lines: Entry[][] = [];
  let made = 0;
  /** When a server was last silent: others are asked first for a while. */
  const silentAt = new Map<string, number>();

  const call = async <Data>(query: string, variables: object): Promise<Answered<Data>> => {
    const heard = urls.filter((url) => performance.now() - (silentAt.get(url) ?? -AVOID_MS) >= AVOID_MS);
    const url = random.pick(heard.length > 0 ? heard : urls);
    const answered = await ask<Data>(url, query, variables);
    if (answered.problem?.code === null) silentAt.set(url, performance.now());
    return answered;
  };

  const followBy = (kind: 'chat' | 'job', id: string): void => {
    for (const over of ['ws', 'sse'] as const) followers.push(follow(kind, id, { urls, random, over }));
  };
  const next = (line: Entry[], kind: Question['kind']): Entry => {
    made += 1;
    const [least, most] = kind === 'job' ? PHASE_WORDS : words;
    const entry = ledger.add({
      kind,
      id: idOf('k', made),
      count: least + Math.floor(random.next() * (most - least)),
    });
    line.push(entry);
    return entry;
  };

  /** Sends until a server takes it; with the same key, so that it counts once. Null if none did in time. */
  const send = async (entry: Entry, query: string, input: object): Promise<Done | null> => {
    const deadline = performance.now() + stuckMs;
    while (performance.now() < deadline) {
      const { data, problem }: Answered<{ done: Done }> = await call(query, { input });
      if (data?.done.code === undefined && data) return data.done;
      ledger.refused(
        entry,
        problem ? problem.code : (data?.done.code ?? null),
        problem?.message ?? data?.done.message ?? '',
      );
      await sleep(200);
    }
    if (entry.place === null)
      ledger.report('stuck', entry, `was acknowledged by nobody in ${stuckMs / 1000} s`);
    return null;
  };
  const untilEnded = async (entry: Entry, query: string, id: string): Promise<void> => {
    const deadline = performance.now() + stuckMs;
    while (performance.now() < deadline) {
      const { data } = await call<{ ended: Ended | null }>(query, { id });
      const status = data?.ended?.status ?? 'RUNNING';
      if (!OPEN.has(status)) {
        entry.status = status;
        entry.endedAt = performance.now();
        return;
      }
      await sleep(POLL_MS);
    }
    ledger.report('stuck', entry, `did not end in ${stuckMs / 1000} s`);
  };

  /** Ends that their conversations do not wait for before they go on. */
  const passed: Promise<void>[] = [];

  const converse = async (line: Entry[], kind: 'say' | 'python'): Promise<void> => {
    let sessionId: string | null = null;
    while (!stopping.signal.aborted) {
      const entry = next(line, kind);
      const input: object = {
        content: textOf(entry.question),
        clientMessageId: entry.key,
        whenBusy: 'QUEUE',
        ...(sessionId !== null && { sessionId }),
      };
      const taken = await send(entry, SEND, input);
      if (!taken?.session || !taken.turn) continue;
      if (sessionId === null) followBy('chat', taken.session.id);
      sessionId = taken.session.id;
      const turnId = taken.turn.id;
      ledger.acknowledged(entry, { sessionId: uuidOf(sessionId), id: uuidOf(turnId) });
      if (random.next() < 0.15) {
        const again = await send(entry, SEND, input); // a client that did not hear the answer
        if (again?.turn)
          ledger.acknowledged(entry, { sessionId: uuidOf(sessionId), id: uuidOf(again.turn.id) });
      }
      if (random.next() < 0.08) {
        entry.isCancelled = true;
        await call(CANCEL, { input: { turnId } });
      }
      if (random.next() < 0.2)
        passed.push(untilEnded(entry, TURN, turnId)); // the next message waits in line behind it
      else await untilEnded(entry, TURN, turnId);
      await sleep(random.next() * 300);
    }
  };
  const work = async (line: Entry[]): Promise<void> => {
    while (!stopping.signal.aborted) {
      const entry = next(line, 'job');
      const taken = await send(entry, CREATE, {
        description: textOf(entry.question),
        idempotencyKey: entry.key,
      });
      if (!taken?.job) continue;
      const { id } = taken.job;
      followBy('job', id);
      ledger.acknowledged(entry, { sessionId: '', id: uuidOf(id) });
      await untilEnded(entry, JOB, id);
    }
  };

  const lineOfWork = (run: (line: Entry[]) => Promise<void>): Promise<void> => {
    const line: Entry[] = [];
    lines.push(line);
    return run(line);
  };
  const running = [
    ...Array.from({ length: conversations }, (_, index) =>
      lineOfWork((line) => converse(line, index === 0 ? 'python' : 'say')),
    ),
    ...Array.from({ length: jobs }, () => lineOfWork(work)),
  ];
  return {
    followers,
    served(since) {
      const [chats, works] = [lines.slice(0, conversations), lines.slice(conversations)].map((some) =>
        some.every((line) => line.some((entry) => isServed(entry, since))),
      );
      return { chats: chats === true, jobs: works === true };
    },
    async stop() {
      stopping.abort();
      await Promise.all(running);
      await Promise.all(passed);
    },
  };
}

const isServed = ({ question, sentAt, endedAt, status }: Entry, since: number): boolean =>
  status === 'COMPLETED' && (question.kind === 'job' ? (endedAt ?? 0) : sentAt) >= since;
