/** Deletes one person's data, in steps that can be repeated: what fails in the middle is finished by the next try. */
import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { ConflictError } from '../../base/errors.ts';
import { mayFollow } from '../../domain/jobs/job.ts';
import { type Db, transact, type Tx } from '../../stores/pg/database.ts';
import { notify, TURNS_CHANNEL } from '../../stores/pg/events.ts';
import { endJob, lockJob } from '../../stores/pg/job-claims.ts';
import { createMembers } from '../../stores/pg/members.ts';
import { createPeople } from '../../stores/pg/people.ts';
import { deleteSession } from '../../stores/pg/session-delete.ts';
import { lockSession } from '../../stores/pg/sessions.ts';
import { withdrawTurn } from '../../stores/pg/turn-finish.ts';
import { openTurns, requestCancel } from '../../stores/pg/turns.ts';
import { uploadFile, workspace, type OwnFiles, type Somebody } from './person.ts';
import { PLACES } from './places.ts';

const REASON = 'The data of this person are being deleted.';

/** How long running turns may take to end. A slower one finds its session gone, and its process abandons it. */
const STOP_MS = 10_000;
const LOOK_MS = 200;

/**
 * Deletes what does not stay; `files` are theirs in the data folder. They are signed out first, so that nothing new begins;
 * what runs is cancelled.
 * @throws ConflictError for the last owner of a project, and the last administrator; nothing is changed then
 */
export async function deletePerson(
  db: Db,
  { id, name, email }: Somebody,
  files: OwnFiles,
  dataDir: string,
): Promise<void> {
  await requireOtherOwners(db, id);
  if (name !== null) await createPeople(db).change(id, { disabled: true });
  const sessions = await db.selectFrom('sessions').select('id').where('viewer_id', '=', id).execute();
  for (const session of sessions) await transact(db, (tx) => stop(tx, session.id));
  for (let waited = 0; waited < STOP_MS && (await isRunning(db, id)); waited += LOOK_MS) await delay(LOOK_MS);
  for (const session of sessions) await transact(db, (tx) => remove(tx, session.id));
  for (const each of files.uploads) await rm(uploadFile(dataDir, each), { force: true });
  for (const each of files.jobs) await rm(workspace(dataDir, each), { recursive: true, force: true });
  await transact(db, (tx) => forgetName(tx, { id, email }));
  for (const { table, where, stays } of PLACES) {
    if (stays === null) await sql`delete from ${sql.raw(table)} where ${ofPerson(where, id)}`.execute(db);
  }
}

/** The one change that the audit lets through. */
async function forgetName(tx: Tx, { id, email }: Omit<Somebody, 'name'>): Promise<void> {
  await sql`select set_config('qpilot.forgets_names', 'on', true)`.execute(tx);
  await sql`update audit_log set person_name = null where person_id = ${id}`.execute(tx);
  await sql`update audit_log set ids = ids - 'email' where lower(ids ->> 'email') = lower(${email})`.execute(
    tx,
  );
}

/** The condition, with the id as a value. */
const ofPerson = (where: string, id: string) =>
  sql.join(
    where.split('$1').map((part) => sql.raw(part)),
    sql`${id}`,
  );

async function requireOtherOwners(db: Db, id: string): Promise<void> {
  const members = createMembers(db);
  const alone: string[] = [];
  for (const { projectId, role } of await members.projectsOf(id)) {
    const owners = (await members.list(projectId)).filter((member) => member.role === 'owner');
    if (role === 'owner' && owners.length === 1) alone.push(projectId);
  }
  if (alone.length > 0)
    throw new ConflictError(
      `they are the last owner of ${alone.join(', ')}; make another member an owner first. Nothing was deleted`,
    );
}

/** Ends the job of a session, withdraws what waits in it, and asks what runs to end. */
async function stop(tx: Tx, sessionId: string): Promise<void> {
  const found = await tx
    .selectFrom('jobs')
    .select('id')
    .where('session_id', '=', sessionId)
    .executeTakeFirst();
  const held = found && (await lockJob(tx, found.id));
  if ((await lockSession(tx, sessionId)) === null) return;
  for (const turn of await openTurns(tx, sessionId)) {
    if (turn.status === 'RUNNING') await requestCancel(tx, turn.id, REASON);
    else await withdrawTurn(tx, turn, REASON);
  }
  if (held && mayFollow(held.job.status, 'CANCELLED'))
    await endJob(tx, held.job, { status: 'CANCELLED', error: null });
  await notify(tx, TURNS_CHANNEL, sessionId);
}

/** Whether a process still works on a turn of theirs. */
async function isRunning(db: Db, id: string): Promise<boolean> {
  const running = await db
    .selectFrom('turns')
    .select('id')
    .where('viewer_id', '=', id)
    .where('status', '=', 'RUNNING')
    .where('lease_expires_at', '>', sql<Date>`clock_timestamp()`)
    .executeTakeFirst();
  return running !== undefined;
}

async function remove(tx: Tx, sessionId: string): Promise<void> {
  const job = await tx.selectFrom('jobs').select('id').where('session_id', '=', sessionId).executeTakeFirst();
  if (job !== undefined) await lockJob(tx, job.id); // before its session, as everybody does
  const session = await lockSession(tx, sessionId);
  if (session !== null) await deleteSession(tx, session);
}
