/** Compares what is stored, what servers answer and what followers saw with the ground truth. */
import { Client } from 'pg';
import { ask, lineOf, type Follower, type SeenEvent } from './client.ts';
import { BUG_CODES, type Entry, type Ledger } from './ledger.ts';
import { OPEN, TURN, type Ended } from './operations.ts';
import { answerOf, phaseId } from './words.ts';

type TurnRow = {
  readonly id: string;
  readonly key: string;
  readonly session_id: string;
  readonly status: string;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly answer: string | null;
  readonly phase: number | null;
  readonly job_id: string | null;
};
type EventRow = {
  readonly session_id: string;
  readonly seq: number;
  readonly turn_id: string;
  readonly type: string;
  readonly payload: string;
};
type Payload = {
  readonly text?: string;
  readonly offset?: number;
  readonly keepUntilOffset?: number;
  readonly status?: string;
};

const TURNS = `select turns.id, client_message_id as key, turns.session_id, status, error, messages.text as answer,
    job_turns.phase, job_turns.job_id
  from turns left join messages on messages.id = answer_id left join job_turns on job_turns.turn_id = turns.id
  order by turns.created_at`;

/** Everything that is stored of conversations and jobs. */
export type Stored = {
  readonly turns: readonly TurnRow[];
  readonly jobs: ReadonlyMap<
    string,
    { readonly status: string; readonly code: string | null; readonly sessionId: string }
  >;
  readonly keys: ReadonlyMap<string, number>;
  readonly events: ReadonlyMap<string, readonly EventRow[]>;
};

/** Reads the database itself, past every server. */
export async function readStored(databaseUrl: string): Promise<Stored> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const turns = await client.query<TurnRow>(TURNS);
    const jobs = await client.query<{
      id: string;
      status: string;
      code: string | null;
      session_id: string;
      key: string;
    }>(`select id, status, error->>'code' as code, session_id, idempotency_key as key from jobs`);
    const events = await client.query<EventRow>(
      'select session_id, seq, turn_id, type, payload from events order by session_id, seq',
    );
    const keys = new Map<string, number>();
    for (const { key } of [...turns.rows, ...jobs.rows]) keys.set(key, (keys.get(key) ?? 0) + 1);
    return {
      turns: turns.rows,
      jobs: new Map(
        jobs.rows.map(({ id, status, code, session_id: sessionId }) => [id, { status, code, sessionId }]),
      ),
      keys,
      events: Map.groupBy(events.rows, (event) => event.session_id),
    };
  } finally {
    await client.end();
  }
}

/** Judges every acknowledged message and job, the log of each session, and each follower's view of it. */
export function judge(ledger: Ledger, stored: Stored, followers: readonly Follower[]): void {
  const turns = new Map(stored.turns.map((turn) => [turn.id, turn]));
  for (const entry of ledger.entries) {
    const times = stored.keys.get(entry.key) ?? 0;
    if (times > 1) ledger.report('doubled', entry, `is stored ${times} times`);
    if (entry.place === null) continue;
    if (entry.question.kind === 'job') judgeJob(ledger, entry, stored);
    else judgeTurn(ledger, entry, turns.get(entry.place.id), stored);
  }
  for (const [sessionId, events] of stored.events) {
    const gap = events.find(({ seq }, index) => seq !== index + 1);
    if (gap)
      ledger.wrong.push({
        kind: 'view',
        fault: 'log',
        what: `the log of ${sessionId} has ${gap.seq} out of order`,
      });
  }
  for (const follower of followers) judgeView(ledger, follower, stored);
}

function judgeTurn(ledger: Ledger, entry: Entry, turn: TurnRow | undefined, stored: Stored): void {
  if (turn === undefined) return ledger.report('lost', entry, 'was acknowledged and is not stored');
  judgeEnd(ledger, entry, turn, answerOf(entry.question), stored);
  const spared = ledger.sparedBy(entry);
  if (spared !== null && turn.status !== 'COMPLETED' && !entry.isCancelled)
    ledger.report('lost', entry, `was cut off by ${spared}: it ended as ${turn.status}`);
}

/** The end of one turn: all its words once, or a part of them and an honest reason. */
function judgeEnd(ledger: Ledger, entry: Entry, turn: TurnRow, words: string, stored: Stored): void {
  const log = (stored.events.get(turn.session_id) ?? []).filter((event) => event.turn_id === turn.id);
  const ends = log.filter(({ type }) => type === 'TurnFinishedEvent').length;
  const streamed = foldText(log);
  const answer = turn.answer ?? '';
  if (OPEN.has(turn.status)) return ledger.report('stuck', entry, `is still ${turn.status}`);
  if (ends !== 1 || log.at(-1)?.type !== 'TurnFinishedEvent')
    ledger.report('doubled', entry, `has ${ends} ends, its last event is ${log.at(-1)?.type}`);
  if (streamed !== answer) ledger.report('lost', entry, `streamed "${streamed}" and kept "${answer}"`);
  if (turn.status === 'COMPLETED') {
    if (answer !== words)
      ledger.report(kindOf(answer, words), entry, `said "${answer}" instead of "${words}"`);
    return;
  }
  if (!words.startsWith(answer.trimEnd()))
    ledger.report('doubled', entry, `ended as ${turn.status} with "${answer}"`);
  if (turn.status === 'CANCELLED' && entry.isCancelled) return;
  const code = turn.error?.code ?? null;
  if (code === null || BUG_CODES.has(code) || turn.status === 'CANCELLED')
    ledger.report('dishonest', entry, `ended as ${turn.status} with ${code}: ${turn.error?.message}`);
}

/** Each phase was completed once, and says its own words. */
function judgeJob(ledger: Ledger, entry: Entry, stored: Stored): void {
  const job = stored.jobs.get(entry.place?.id ?? '');
  if (job === undefined) return ledger.report('lost', entry, 'was acknowledged and is not stored');
  if (OPEN.has(job.status)) return ledger.report('stuck', entry, `is still ${job.status}`);
  const phases = Map.groupBy(
    stored.turns.filter((turn) => turn.job_id === entry.place?.id),
    (turn) => turn.phase ?? 0,
  );
  for (const [phase, turns] of phases) {
    const done = turns.filter(({ status }) => status === 'COMPLETED').length;
    if (done > 1) ledger.report('doubled', entry, `completed phase ${phase} ${done} times`);
    // A decision that was stored counts, though the disk was full for the rest of its phase.
    const isCutOff = turns.some(
      ({ status, error }) => status === 'INTERRUPTED' || error?.code === 'DISK_FULL',
    );
    if (job.status === 'COMPLETED' && done === 0 && !isCutOff)
      ledger.report('lost', entry, `is completed without its phase ${phase}`);
    for (const turn of turns) {
      const words = answerOf({ ...entry.question, id: phaseId(entry.question.id, phase) });
      judgeEnd(ledger, entry, turn, words, stored);
    }
  }
  if (job.status === 'COMPLETED' && phases.size !== 3)
    ledger.report('lost', entry, `is completed after ${phases.size} phases`);
  if (job.status !== 'COMPLETED' && (job.code === null || BUG_CODES.has(job.code)))
    ledger.report('dishonest', entry, `ended as ${job.status} with ${job.code}`);
}

function judgeView(ledger: Ledger, { sessionId: id, seen, outOfOrder }: Follower, stored: Stored): void {
  const log = stored.events.get(stored.jobs.get(id)?.sessionId ?? id) ?? [];
  for (const what of outOfOrder) ledger.wrong.push({ kind: 'view', fault: 'follower', what });
  const expected = log.map(lineOfRow);
  const at = expected.findIndex((line, index) => line !== seen[index]?.line);
  if (at === -1 && seen.length === expected.length) return;
  const what = `a follower of ${id} saw ${seen.length} of ${expected.length} events; first difference at ${at + 1}: "${seen[at]?.line}" instead of "${expected[at]}"`;
  ledger.wrong.push({ kind: 'view', fault: 'follower', what });
}

/** Whether all followers have what is stored, so that comparing them is fair. */
export const haveCaughtUp = (followers: readonly Follower[], { events, jobs }: Stored): boolean =>
  followers.every(
    ({ sessionId: id, seen }) => seen.length >= (events.get(jobs.get(id)?.sessionId ?? id)?.length ?? 0),
  );

function lineOfRow({ turn_id: turnId, type, payload }: EventRow): SeenEvent['line'] {
  const { text, offset, keepUntilOffset, status } = JSON.parse(payload) as Payload;
  if (type === 'TokenEvent') return lineOf(type, turnId, [text, offset]);
  if (type === 'StepResetEvent') return lineOf(type, turnId, [keepUntilOffset]);
  return lineOf(type, turnId, type === 'TurnFinishedEvent' ? [status] : []);
}

/** The answer as a client puts it together. */
function foldText(events: readonly EventRow[]): string {
  let text = '';
  for (const { type, payload } of events) {
    const { text: more, keepUntilOffset } = JSON.parse(payload) as Payload;
    if (type === 'TokenEvent') text += more ?? '';
    if (type === 'StepResetEvent') text = text.slice(0, keepUntilOffset);
  }
  return text;
}

/** A word too few, or one too many. */
function kindOf(answer: string, words: string): 'lost' | 'doubled' {
  const said = new Set(answer.split(' '));
  return words.split(' ').every((word) => said.has(word)) ? 'doubled' : 'lost';
}

/** What servers answer of acknowledged messages, which must be what is stored. */
export async function judgeAnswers(
  ledger: Ledger,
  { turns }: Stored,
  urls: readonly string[],
): Promise<void> {
  const byId = new Map(turns.map((turn) => [turn.id, turn]));
  const check = async (entry: Entry, index: number): Promise<void> => {
    const turn = byId.get(entry.place?.id ?? '');
    if (turn === undefined) return;
    const id = Buffer.from(`Turn:${turn.id}`).toString('base64url');
    const { data, problem } = await ask<{ ended: Ended | null }>(urls[index % urls.length] ?? '', TURN, {
      id,
    });
    const node = data?.ended;
    if (node?.status === turn.status && (node.message?.text ?? null) === turn.answer) return;
    ledger.report(
      'lost',
      entry,
      `is answered as ${JSON.stringify(node ?? problem)} where ${turn.status} "${turn.answer}" is stored`,
    );
  };
  for (let from = 0; from < ledger.entries.length; from += AT_ONCE)
    await Promise.all(ledger.entries.slice(from, from + AT_ONCE).map(check));
}

const AT_ONCE = 20;
