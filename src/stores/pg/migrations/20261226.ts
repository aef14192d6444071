import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Words of reports of jobs, of builder conversations, and of boards with what is pinned to them. */
async function moreSearch(db: Kysely<never>): Promise<void> {
  for (const statement of [
    // Of the newest report that the job named; null: none, or one of before that the sweep has still to read.
    `alter table jobs add column report text`,
    `create or replace function index_job(j jobs) returns void language sql as $$
      select put_search_entry(j.session_id, j.id, j.project_id, 'JOB',
        setweight(search_words(j.description), 'A')
          || search_words(concat_ws(' ', j.instructions, j.review_note)) || search_words(coalesce(j.report, '')), j.created_at) $$`,
    `drop trigger indexed on jobs`,
    `create trigger indexed after insert or update of description, instructions, review_note, report on jobs
      for each row execute function job_indexed()`,
    `create or replace function index_message(m messages) returns void language sql as $$
      select put_search_entry(m.session_id, m.id, m.project_id,
        case when s.kind = 'BUILDER' then 'BUILDER' when m.role = 'USER' then 'QUESTION' else 'ANSWER' end,
        search_words(m.text), m.created_at)
      from sessions s where s.id = m.session_id and (s.kind in ('COPILOT', 'BUILDER') or s.kind = 'JOB' and m.role = 'ASSISTANT') $$`,
    // Titles of the items and the words of what they read: tool, chip, parameters.
    `create function board_text(b boards) returns text language sql stable as $$
      select coalesce(string_agg(concat_ws(' ', item ->> 'title', replace(item #>> '{query,tool}', '_', ' '),
        (select string_agg(word #>> '{}', ' ') from jsonb_path_query((item #> '{query,arguments}')::jsonb, 'strict $.**') as word
          where jsonb_typeof(word) = 'string')), E'\n' order by at), '')
      from json_array_elements(b.items) with ordinality as items(item, at) $$`,
    // The board stands for its session: it is in none.
    `create function index_board(b boards) returns void language sql as $$
      delete from search_entries where session_id = b.id;
      select put_search_entry(b.id, b.id, b.project_id, 'BOARD',
        setweight(search_words(b.title), 'A') || search_words(board_text(b)), b.updated_at) $$`,
    `create function board_indexed() returns trigger language plpgsql as $$ begin
      perform index_board(new); return null; end $$`,
    `create function board_unindexed() returns trigger language plpgsql as $$ begin
      delete from search_entries where session_id = old.id; return null; end $$`,
    `create trigger indexed after insert or update of title, items on boards for each row execute function board_indexed()`,
    `create trigger unindexed after delete on boards for each row execute function board_unindexed()`,
    // A project has few boards.
    `select index_board(b) from boards b`,
    `insert into search_backlog select id from sessions where kind = 'BUILDER' on conflict do nothing`,
  ]) {
    await sql.raw(statement).execute(db);
  }
}

/** These migrations by name. */
export const MIGRATIONS_20261226: Readonly<Record<string, Migration>> = {
  '20261226-1-more-search': { up: moreSearch },
};
