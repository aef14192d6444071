import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * The audit. Rows are added by `record_act` and removed by age (`removeOldAudit`), and forget name and address of a person whose
 * data are deleted; a trigger refuses everything else, so that no slip of ours changes it. It is no defence against
 * the owner of the database.
 */
async function audit(db: Kysely<never>): Promise<void> {
  for (const statement of [
    `create table audit_log (
      number bigint generated always as identity primary key,
      at timestamptz not null default clock_timestamp(),
      kind text not null, action text not null,
      outcome text not null, -- DONE, or the code of an error
      person_id text, person_name text, -- null: nobody who was recognised
      key_id text, address text,
      project_id text, -- null: of no project, as a sign-in
      ids jsonb not null)`,
    `create index audit_of_project on audit_log (project_id, number)`,
    `create index audit_of_person on audit_log (person_id, number)`,
    `create index audit_by_time on audit_log (at)`,
    `create function record_act(entry jsonb) returns void language sql as $$
      insert into audit_log (kind, action, outcome, person_id, person_name, key_id, address, project_id, ids)
      select entry ->> 'kind', entry ->> 'action', entry ->> 'outcome', entry ->> 'personId', entry ->> 'personName',
        entry ->> 'keyId', entry ->> 'address', entry ->> 'projectId', coalesce(entry -> 'ids', '{}')
    $$`,
    `create function keep_audit() returns trigger language plpgsql as $$
      begin
        if tg_op = 'DELETE' and current_setting('qpilot.sweeps_audit', true) = 'on' then return old; end if;
        if tg_op = 'UPDATE' and current_setting('qpilot.forgets_names', true) = 'on'
          and coalesce(new.person_name = old.person_name, new.person_name is null)
          and new.ids in (old.ids, old.ids - 'email')
          and to_jsonb(new) - '{person_name,ids}'::text[] = to_jsonb(old) - '{person_name,ids}'::text[]
        then return new; end if;
        raise exception 'the audit is append-only' using errcode = 'insufficient_privilege';
      end $$`,
    `create trigger keep_audit before update or delete on audit_log for each row execute function keep_audit()`,
    `create trigger keep_all_audit before truncate on audit_log execute function keep_audit()`,
  ]) {
    await sql.raw(statement).execute(db);
  }
}

/** These migrations by name. */
export const MIGRATIONS_20261216: Readonly<Record<string, Migration>> = {
  '20261216-1-audit': { up: audit },
};
