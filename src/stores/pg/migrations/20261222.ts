import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Scripts without spaces between words: Han, kana and Hangul. */
const UNSPACED = String.raw`\u3005\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff`;
/** What stands between words: controls, space, punctuation and symbols. */
const BETWEEN = String.raw`\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u00d7\u00f7\u2000-\u2bff\u3000-\u303f\u3040\u3097-\u309c\u30a0\u30fb\ufe00-\ufe6f\uff00-\uffff`;

/**
 * Words of conversations, jobs and comments. The index has pairs of characters of texts without spaces (`緩和時間` as `緩和`,
 * `和時`, `時間`, `間`) and whole words of others; `Q07`, `Q7` and `Q007` are one word. It needs no extension and no dictionary.
 * Triggers keep it in the transaction that writes, also for servers of the version before; what was there already is in
 * `search_backlog`, which the sweep works off.
 */
async function search(db: Kysely<never>): Promise<void> {
  for (const statement of [
    `create function search_words(of_text text) returns tsvector language sql immutable parallel safe as $$
      with run as (
        select parts, ord
        from regexp_matches(lower(left(normalize(left(of_text, 50000), NFKC), 50000)), '([${UNSPACED}]+)|([^${UNSPACED}${BETWEEN}]+)', 'g')
          with ordinality as found(parts, ord)
      ), word as (
        select ord, 0 as place, left(regexp_replace(parts[2], '^q0+([0-9])', 'q\\1'), 100) as lexeme
        from run where parts[2] is not null
        union all
        select ord, place, letter || coalesce(lead(letter) over (partition by ord order by place), '')
        from run cross join unnest(string_to_array(parts[1], null)) with ordinality as letters(letter, place)
        where parts[1] is not null
      ), placed as (select lexeme, row_number() over (order by ord, place) as position from word)
      select coalesce(string_agg('''' || lexeme || ''':' || least(position, 16383), ' '), '')::tsvector from placed $$`,
    `create table search_entries (
      session_id uuid not null,
      id uuid not null, -- of the session, message, job or comment
      project_id text not null,
      kind text not null,
      words tsvector not null,
      at timestamptz not null,
      primary key (session_id, id, kind))`,
    `create index search_entries_words on search_entries using gin (words)`,
    `create index search_entries_newest on search_entries (project_id, at desc, id desc)`,
    // The texts of one row, and under which kind it is found; null: not at all.
    `create function put_search_entry(of_session uuid, of_id uuid, of_project text, of_kind text, of_words tsvector, of_at timestamptz)
      returns void language sql as $$
      insert into search_entries (session_id, id, project_id, kind, words, at)
      select of_session, of_id, of_project, of_kind, of_words, of_at where of_words <> ''::tsvector
      on conflict (session_id, id, kind) do update set words = excluded.words $$`,
    `create function index_session(s sessions) returns void language sql as $$
      select put_search_entry(s.id, s.id, s.project_id, 'CONVERSATION', setweight(search_words(s.title), 'A'), s.created_at)
      where s.kind = 'COPILOT' $$`,
    // Questions of jobs are prompts that no person wrote.
    `create function index_message(m messages) returns void language sql as $$
      select put_search_entry(m.session_id, m.id, m.project_id,
        case when m.role = 'USER' then 'QUESTION' else 'ANSWER' end, search_words(m.text), m.created_at)
      from sessions s where s.id = m.session_id and (s.kind = 'COPILOT' or s.kind = 'JOB' and m.role = 'ASSISTANT') $$`,
    `create function index_job(j jobs) returns void language sql as $$
      select put_search_entry(j.session_id, j.id, j.project_id, 'JOB',
        setweight(search_words(j.description), 'A') || search_words(concat_ws(' ', j.instructions, j.review_note)), j.created_at) $$`,
    `create function index_comment(c comments) returns void language sql as $$
      select put_search_entry(c.session_id, c.id, c.project_id, 'COMMENT', search_words(c.text), c.created_at) $$`,
    ...['session', 'message', 'job', 'comment'].map(
      (row) => `create function ${row}_indexed() returns trigger language plpgsql as $$ begin
        perform index_${row}(new); return null; end $$`,
    ),
    `create function session_unindexed() returns trigger language plpgsql as $$ begin
      delete from search_entries where session_id = old.id; return null; end $$`,
    `create function comment_unindexed() returns trigger language plpgsql as $$ begin
      delete from search_entries where session_id = old.session_id and id = old.id; return null; end $$`,
    `create table search_backlog (session_id uuid primary key)`,
    `create trigger indexed after insert or update of title on sessions for each row execute function session_indexed()`,
    `create trigger indexed after insert on messages for each row execute function message_indexed()`,
    `create trigger indexed after insert or update of description, instructions, review_note on jobs
      for each row execute function job_indexed()`,
    `create trigger indexed after insert on comments for each row execute function comment_indexed()`,
    `create trigger unindexed after delete on sessions for each row execute function session_unindexed()`,
    `create trigger unindexed after delete on comments for each row execute function comment_unindexed()`,
    // Behind the triggers, whose locks waited for everybody who was writing: nothing is in neither.
    `insert into search_backlog select id from sessions where kind in ('COPILOT', 'JOB')`,
  ]) {
    await sql.raw(statement).execute(db);
  }
}

/** These migrations by name. */
export const MIGRATIONS_20261222: Readonly<Record<string, Migration>> = {
  '20261222-1-search': { up: search },
};
