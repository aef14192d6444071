/**
 * The batches of events that running turns add to the log, each with the bodies that it refers to. No statement here
 * wakes anybody: transactions that notify commit one at a time.
 */
import type { Pool, QueryConfig } from 'pg';
import type { NewSessionEvent, SessionEvent } from '../../domain/conversation/session-event.ts';
import type { ToolCall } from '../../domain/conversation/session.ts';
import { toStoredJson } from '../../domain/text/stored-text.ts';
import { editToRow, proposalToRow, revisionToRow, type ArtifactWrites } from './builder-artifacts.ts';
import { toEvent } from './events.ts';
import { toolCallToRow } from './tool-calls.ts';
import { chartToRow, type StoredChart, type StoredTable, tableToRow } from './visuals.ts';

/** Events of one running turn that are stored together, with the bodies they refer to. */
export type EventBatch = {
  readonly sessionId: string;
  readonly turnId: string;
  /** The owner of the turn; batches of anyone else are refused. */
  readonly owner: string;
  /** 1, 2, 3… within the turn, the same when a batch is resent after a broken connection. */
  readonly number: number;
  readonly events: readonly NewSessionEvent[];
  /** Inserted, or updated if a row of the same id exists. */
  readonly toolCalls: readonly ToolCall[];
  readonly charts: readonly StoredChart[];
  readonly tables: readonly StoredTable[];
  /** Artifacts that a builder's turn changed; absent for most. */
  readonly artifacts?: ArtifactWrites;
};

/** The result of a batch: stored (now or before), or refused because the turn is not the owner's. */
export type AppendResult =
  | {
      readonly stored: true;
      readonly cancelRequested: boolean;
      /** Where and when it was stored; absent if that was before, and its answer was lost. */
      readonly place?: { readonly lastSeq: number; readonly createdAt: Date };
    }
  | { readonly stored: false };

type StoredRow = {
  readonly turn_id: string;
  readonly last_seq: number;
  readonly at: Date;
  readonly cancel_requested: boolean;
};

/**
 * Stores a batch in one round trip. The session's row is locked first and the turn's second, both at their newest
 * version even if the statement had to wait for them; so `seq` has no gaps, and an owner that was paused while
 * another process closed its turn can add nothing.
 */
export async function appendBatch(pool: Pool, batch: EventBatch): Promise<AppendResult> {
  const values: unknown[] = [
    batch.sessionId,
    batch.turnId,
    batch.owner,
    batch.number,
    batch.events.length,
    batch.events.map(({ type }) => type),
    batch.events.map(({ payload }) => toStoredJson(payload)),
  ];
  if (hasBodies(batch)) {
    values.push(
      toStoredJson(batch.toolCalls.map(toolCallToRow)),
      toStoredJson(batch.charts.map(chartToRow)),
      toStoredJson(batch.tables.map(tableToRow)),
    );
  }
  if (batch.artifacts) {
    const { revisions, proposal, edits = [] } = batch.artifacts;
    values.push(
      toStoredJson(revisions.map(revisionToRow)),
      toStoredJson(proposal === null ? [] : [proposalToRow(proposal)]),
      toStoredJson(edits.map(editToRow)),
    );
  }
  const { rows } = await pool.query<StoredRow>({ ...statementFor(batch), values });
  const [row] = rows;
  return row ? resultOf(row) : findBatch(pool, batch);
}

/** Whether a batch brings more than events. */
export const hasBodies = ({ artifacts, toolCalls, charts, tables }: EventBatch): boolean =>
  artifacts !== undefined || toolCalls.length + charts.length + tables.length > 0;

const resultOf = (row: StoredRow): AppendResult => ({
  stored: true,
  cancelRequested: row.cancel_requested,
  place: { lastSeq: row.last_seq, createdAt: row.at },
});

/**
 * Stores batches of different turns, none with bodies, in one commit. It waits for no row: the result of a batch whose
 * session or turn somebody holds is null, as is that of one that is refused or was stored before.
 */
export async function appendTogether(
  pool: Pool,
  batches: readonly EventBatch[],
): Promise<readonly (AppendResult | null)[]> {
  const events = batches.flatMap(({ turnId, events: ofTurn }) =>
    ofTurn.map(({ type, payload }, index) => ({ turnId, place: index + 1, type, payload })),
  );
  const values = [
    batches.map(({ sessionId }) => sessionId),
    batches.map(({ turnId }) => turnId),
    batches.map(({ owner }) => owner),
    batches.map(({ number }) => number),
    batches.map((batch) => batch.events.length),
    events.map(({ turnId }) => turnId),
    events.map(({ place }) => place),
    events.map(({ type }) => type),
    events.map(({ payload }) => toStoredJson(payload)),
  ];
  const { rows } = await pool.query<StoredRow>({ ...APPEND_TOGETHER, values });
  const stored = new Map(rows.map((row) => [row.turn_id, resultOf(row)]));
  return batches.map(({ turnId }) => stored.get(turnId) ?? null);
}

/** The events of a batch as every later read of the log gives them. */
export function storedEvents(
  { sessionId, turnId, events }: EventBatch,
  { lastSeq, createdAt }: { readonly lastSeq: number; readonly createdAt: Date },
): SessionEvent[] {
  const before = lastSeq - events.length;
  return events.map(({ type, payload }, index) =>
    toEvent(sessionId, {
      seq: before + index + 1,
      turn_id: turnId,
      type,
      payload: toStoredJson(payload),
      created_at: createdAt,
    }),
  );
}

/** Whether a batch that was not stored had been stored before. */
async function findBatch(pool: Pool, batch: EventBatch): Promise<AppendResult> {
  const { rows } = await pool.query<{ cancel_requested: boolean }>(
    `select cancel_requested_at is not null as cancel_requested from turns
     where id = $1 and owner = $2 and status = 'RUNNING' and batches >= $3`,
    [batch.turnId, batch.owner, batch.number],
  );
  const [row] = rows;
  return row ? { stored: true, cancelRequested: row.cancel_requested } : { stored: false };
}

const appendStatement = (bodies: string): string => `
  with session as (
    select id from sessions where id = $1 for update
  ), turn as (
    update turns set batches = $4 from session
    where turns.id = $2 and turns.session_id = session.id
      and turns.owner = $3 and turns.status = 'RUNNING' and turns.batches = $4 - 1
    returning turns.session_id, turns.id, turns.cancel_requested_at
  ), log as (
    update sessions set last_seq = last_seq + $5 from turn where sessions.id = turn.session_id
    returning sessions.id, sessions.last_seq, clock_timestamp()::timestamptz(3) as at
  ), stored as (
    insert into events (session_id, seq, turn_id, type, payload, created_at)
    select log.id, log.last_seq - $5 + event.place, turn.id, event.type, event.payload, log.at
    from log, turn, unnest($6::text[], $7::text[]) with ordinality as event (type, payload, place)
  )${bodies}
  select turn.id as turn_id, last_seq, at, cancel_requested_at is not null as cancel_requested from log, turn`;

/** Named, so that a connection parses and plans each of them once. */
const APPEND = { name: 'append', text: appendStatement('') };

/**
 * As {@link APPEND} for many turns. Nobody waits for a row while holding others, so two of these cannot block each
 * other, nor one frozen process all turns of this one.
 */
const APPEND_TOGETHER = {
  name: 'append-together',
  text: `
  with given as (
    select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int[], $5::int[])
      as batch (session_id, turn_id, owner, number, size)
  ), session as (
    select id from sessions where id = any($1::uuid[]) for no key update skip locked
  ), open as (
    select turns.id from turns
    join session on session.id = turns.session_id
    join given on given.turn_id = turns.id and given.session_id = turns.session_id
    where turns.id = any($2::uuid[])
      and turns.owner = given.owner and turns.status = 'RUNNING' and turns.batches = given.number - 1
    for no key update of turns skip locked
  ), turn as (
    update turns set batches = given.number from given, open
    where turns.id = any($2::uuid[]) and turns.id = open.id and given.turn_id = turns.id
      and turns.owner = given.owner and turns.status = 'RUNNING' and turns.batches = given.number - 1
    returning turns.session_id, turns.id, turns.cancel_requested_at, given.size
  ), log as (
    update sessions set last_seq = last_seq + turn.size from turn
    where sessions.id = any($1::uuid[]) and sessions.id = turn.session_id
    returning sessions.id, sessions.last_seq, turn.id as turn_id, turn.size, turn.cancel_requested_at,
      clock_timestamp()::timestamptz(3) as at
  ), stored as (
    insert into events (session_id, seq, turn_id, type, payload, created_at)
    select log.id, log.last_seq - log.size + event.place, log.turn_id, event.type, event.payload, log.at
    from log join unnest($6::uuid[], $7::int[], $8::text[], $9::text[])
      as event (turn_id, place, type, payload) on event.turn_id = log.turn_id
  )
  select turn_id, last_seq, at, cancel_requested_at is not null as cancel_requested from log`,
};

const BODIES = `, stored_tool_calls as (
    insert into tool_calls select row.* from turn, json_populate_recordset(null::tool_calls, $8::json) as row
    on conflict (id) do update set
      status = excluded.status, duration_ms = excluded.duration_ms, data_source = excluded.data_source,
      preview = excluded.preview, freshness = excluded.freshness, result_json = excluded.result_json, result_zstd = excluded.result_zstd,
      error = excluded.error
  ), stored_charts as (
    insert into charts select row.* from turn, json_populate_recordset(null::charts, $9::json) as row
  ), stored_tables as (
    insert into tables select row.* from turn, json_populate_recordset(null::tables, $10::json) as row
  )`;
const APPEND_WITH_BODIES = { name: 'append-with-bodies', text: appendStatement(BODIES) };
const APPEND_WITH_ARTIFACTS = {
  name: 'append-with-artifacts',
  text: appendStatement(`${BODIES}, stored_revisions as (
    insert into builder_artifact_revisions (session_id, revision, author, turn_id, call_id, instructions, config, description)
    select row.session_id, row.revision, row.author, row.turn_id, row.call_id, row.instructions, row.config, row.description
    from turn, json_populate_recordset(null::builder_artifact_revisions, $11::json) as row
  ), stored_proposal as (
    insert into builder_proposals
    select row.* from turn, json_populate_recordset(null::builder_proposals, $12::json) as row
    on conflict (session_id) do update set turn_id = excluded.turn_id, instructions = excluded.instructions,
      config = excluded.config, description = excluded.description
  ), stored_edits as (
    insert into builder_edits (id, session_id, turn_id, call_id, artifact, trace, is_proposal, decision, revision)
    select row.id, row.session_id, row.turn_id, row.call_id, row.artifact, row.trace, row.is_proposal, row.decision, row.revision
    from turn, json_populate_recordset(null::builder_edits, $13::json) as row
    on conflict do nothing
  )`),
};

const statementFor = (batch: EventBatch): QueryConfig =>
  batch.artifacts ? APPEND_WITH_ARTIFACTS : hasBodies(batch) ? APPEND_WITH_BODIES : APPEND;
