import { type Selectable, sql } from 'kysely';
import { validate } from 'uuid';
import type { Session, Viewer } from '../../domain/conversation/session.ts';
import { NO_BUDGETS, type BudgetDefaults, type Budgets } from '../../domain/members/budget.ts';
import { budgetsCall } from './budgets.ts';
import { PREPARED, readOne, type Tx } from './database.ts';
import { rowToSession } from './sessions.ts';
import type { Database } from './tables.ts';
import type { Activity } from './usage.ts';

/** What a message finds. */
export type OpenedMessage = {
  /** Counts what was started for the viewer before. */
  readonly starts: string;
} & (
  | {
      /** The client's id started a turn before. */
      readonly isNew: false;
    }
  | {
      readonly isNew: true;
      /** Locked; null where the viewer has none of this id, or the message names none. */
      readonly session: Session | null;
      readonly activity: Activity;
    }
);

type Row = Selectable<Database['sessions']> & {
  readonly started_id: string | null;
  readonly activity: Omit<Activity, 'budgets'>;
  readonly budgets: Budgets;
  readonly starts: string;
};

/** A message as it is sent. */
export type MessageName = {
  readonly clientMessageId: string;
  readonly sessionId: string | null;
  /** Of the configuration. */
  readonly budgets?: BudgetDefaults | undefined;
};

/** Begins a message in a transaction of `messageTransaction`: reads what decides over a message, in one round trip. */
export async function openMessage(
  tx: Tx,
  { id, projectId }: Viewer,
  message: MessageName,
): Promise<OpenedMessage> {
  const sessionId = sessionIdOf(message);
  const {
    started_id: startedId,
    activity,
    budgets,
    starts,
    ...session
  } = await readOne(
    sql<Row>`${PREPARED}
      select started_id, (opened.session).*, activity, current_setting('qpilot.starts') as starts,
        ${budgetsCall({ id, projectId }, message.budgets ?? NO_BUDGETS)} as budgets
      from open_message(${id}, ${projectId}, ${message.clientMessageId}, ${sessionId}) as opened`,
    tx,
  );
  if (startedId !== null) return { isNew: false, starts };
  return {
    isNew: true,
    session: session.id === null ? null : rowToSession(session),
    activity: { ...activity, budgets },
    starts,
  };
}

/** The session that a message names; null for none, and for one that cannot exist. */
const sessionIdOf = ({ sessionId }: MessageName): string | null =>
  sessionId !== null && validate(sessionId) ? sessionId : null;

/** Locks the viewer's sessions that messages name, always in the same order, which avoids deadlocks. */
export async function lockNamedSessions(
  tx: Tx,
  { id }: Pick<Viewer, 'id'>,
  messages: readonly MessageName[],
): Promise<void> {
  const ids = new Set(messages.flatMap((message) => sessionIdOf(message) ?? []));
  if (ids.size < 2) return;
  await sql`
    select from sessions where viewer_id = ${id} and id = any(${[...ids]}::uuid[]) order by id for update
  `.execute(tx);
}
