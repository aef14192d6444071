/**
 * The act that a request performs, so that its record is stored in the transaction that performs it: both are there, or
 * neither. Every transaction looks for it (`transact`), so services need not pass it on.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { escapeLiteral } from 'pg';
import { sql, type RawBuilder } from 'kysely';
import { DONE, type AuditIds, type NewAuditEntry } from '../../domain/audit/audit.ts';

/** An act while it is performed. */
export type Act = {
  /** Null once it is stored, or over: what the request started runs on in the background, and is no part of it. */
  pending: Omit<NewAuditEntry, 'outcome'> | null;
};

const acts = new AsyncLocalStorage<Act>();

/** Performs an act: the first transaction of `work` that commits stores its record. */
export const performing = <T>(act: Act, work: () => Promise<T>): Promise<T> => acts.run(act, work);

/** Does something for the request of an act, in any process; null: for none. */
export const within = <T>(act: Act | null, work: () => Promise<T>): Promise<T> =>
  acts.run(act ?? { pending: null }, work);

/** Of the request that calls; null in the background. */
export const currentAct = (): Act | null => acts.getStore() ?? null;

/** Adds ids of what an act makes; nothing outside of one. */
export function noteIds(ids: AuditIds): void {
  const act = acts.getStore();
  if (act?.pending) act.pending = { ...act.pending, ids: { ...act.pending.ids, ...ids } };
}

/** The call that stores the record; null where there is none to store. */
export const recordOf = (act: Act | null): RawBuilder<unknown> | null =>
  act?.pending ? recordCall({ ...act.pending, outcome: DONE }) : null;

/** The same as text, for a message without parameters. */
export const recordText = (act: Act | null): string | null =>
  act?.pending
    ? `record_act(${escapeLiteral(JSON.stringify({ ...act.pending, outcome: DONE }))}::jsonb)`
    : null;

/** What stores a record by itself. */
export const recordCall = (entry: NewAuditEntry): RawBuilder<unknown> =>
  sql`select record_act(${JSON.stringify(entry)}::jsonb)`;
