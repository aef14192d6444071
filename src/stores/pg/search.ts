/** Words of conversations, jobs, comments and boards, which triggers index as they are written (migrations 20261222 and 20261226). */
import { type RawBuilder, sql } from 'kysely';
import type { Viewer } from '../../domain/conversation/session.ts';
import { type SearchTerm, toTsquery } from '../../domain/text/search-words.ts';
import { isReadable } from './boards.ts';
import { type Db, transact } from './database.ts';
import { isOwnedBy, isSharedWith } from './ids.ts';

/** What can be found by its words. */
export const FOUND_KINDS = [
  'CONVERSATION',
  'QUESTION',
  'ANSWER',
  'JOB',
  'COMMENT',
  'BUILDER',
  'BOARD',
] as const;
export type FoundKind = (typeof FOUND_KINDS)[number];

/** A text with all words, which the viewer may read. */
export type FoundText = {
  readonly kind: FoundKind;
  /** Of the session, message, job, comment or board. */
  readonly id: string;
  /** Of a board its own id. */
  readonly sessionId: string;
  readonly jobId: string | null;
  /** The turn of a message, or of the answer that a comment is on. */
  readonly turnId: string | null;
  readonly title: string;
  readonly text: string;
  readonly chipId: string | null;
  readonly authorId: string;
  readonly at: Date;
  /** Two digits, so that of texts that are about as close the newest comes first. */
  readonly rank: number;
  /** More texts than are ranked have all words. */
  readonly isCut: boolean;
};

/** Where a page continues: after the one with these values. */
export type FoundPosition = { readonly rank: number; readonly id: string };

/** What to find; null: of any. */
export type TextSearch = {
  readonly terms: readonly SearchTerm[];
  readonly kinds: readonly FoundKind[];
  /** Whose conversation is about the chip, or whose text names it in these words. */
  readonly chip: { readonly chipId: string; readonly terms: readonly SearchTerm[] } | null;
  /** Who owns the conversation or job, or wrote the comment. */
  readonly personId: string | null;
  readonly from: Date | null;
  readonly until: Date | null;
  readonly limit: number;
  readonly after: FoundPosition | null;
};

/** Of texts with all words the newest so many are ranked, which bounds what a search costs. */
export const MOST_RANKED = 1_000;

const queryOf = (tsquery: string) => sql`lower(${tsquery})::tsquery`;

/**
 * All words in any order, which the index knows by itself. Their order takes reading the whole entry, so it is compared
 * last, newest entries first, and no more of them than are ranked.
 */
const looseTsquery = (terms: readonly SearchTerm[]): string => toTsquery(terms).replaceAll(' <-> ', ' & ');

/**
 * Up to `limit` texts that the viewer may read, closest first, of equals the newest. Conversations whose questions have the
 * words as well are found by these alone.
 */
export async function findTexts(db: Db, viewer: Viewer, search: TextSearch): Promise<FoundText[]> {
  const { terms, kinds, chip, personId, from, until, limit, after } = search;
  const wanted = sql`e.project_id = ${viewer.projectId} and e.words @@ ${queryOf(looseTsquery(terms))}
    and e.kind = any(${[...kinds]}::text[])
    and (${from}::timestamptz is null or e.at >= ${from})
    and (${until}::timestamptz is null or e.at < ${until})`;
  const aboutChip = chip && sql`e.words @@ ${queryOf(toTsquery(chip.terms))}`;
  const newest = (entries: RawBuilder<unknown>) => sql`
    select session_id, id, kind, at, title, chip_id, viewer_id,
      round(ts_rank(words, ${queryOf(toTsquery(terms))})::numeric, 2)::float8 as rank
    from (${entries} order by e.at desc, e.id desc offset 0) as newest
    where words @@ ${queryOf(toTsquery(terms))} limit ${MOST_RANKED + 1}`;
  const { rows } = await sql<FoundText>`
    with found as materialized ((${newest(sql`
      select e.session_id, e.id, e.kind, e.at, e.words, s.title, s.chip_id, s.viewer_id
      from search_entries e join sessions s on s.id = e.session_id
      where ${wanted}
        and (${isOwnedBy(viewer, 's')} or s.project_id = ${viewer.projectId} and ${isSharedWith(viewer, 's')})
        ${chip === null ? sql`` : sql`and (s.chip_id = ${chip.chipId} or ${aboutChip})`}
        ${
          personId === null
            ? sql``
            : sql`and ${personId} = case e.kind
                when 'COMMENT' then (select author_id from comments where comments.id = e.id) else s.viewer_id end`
        }`)}) union all (${newest(sql`
      select e.session_id, e.id, e.kind, e.at, e.words, boards.title, null as chip_id, boards.viewer_id
      from search_entries e join boards on boards.id = e.session_id
      where ${wanted} and e.kind = 'BOARD' and ${isReadable(viewer)}
        ${chip === null ? sql`` : sql`and ${aboutChip}`}
        ${personId === null ? sql`` : sql`and boards.viewer_id = ${personId}`}`)})
    ), ranked as (
      select found.*, (select count(*) from found) > ${MOST_RANKED} as is_cut from found
      where kind <> 'CONVERSATION' or not exists (
        select from found as question where question.session_id = found.session_id and question.kind = 'QUESTION')
      order by found.at desc, found.id desc limit ${MOST_RANKED}
    ), page as (
      select * from ranked
      where ${after === null ? sql`true` : sql`(rank, id) < (${after.rank}::float8, ${after.id}::uuid)`}
      order by rank desc, id desc limit ${limit}
    )
    select page.kind, page.id, page.session_id as "sessionId", jobs.id as "jobId",
      coalesce(m.turn_id, answer.turn_id) as "turnId", coalesce(jobs.description, page.title) as title,
      coalesce(m.text, c.text, case when boards.id is not null then board_text(boards) end,
        concat_ws(E'\n', jobs.instructions, jobs.review_note, jobs.report)) as text,
      page.chip_id as "chipId", coalesce(c.author_id, page.viewer_id) as "authorId", page.at, page.rank, page.is_cut as "isCut"
    from page
      left join messages m on m.id = page.id and page.kind in ('QUESTION', 'ANSWER', 'BUILDER')
      left join comments c on c.id = page.id and page.kind = 'COMMENT'
      left join messages answer on answer.id = c.message_id
      left join boards on boards.id = page.id and page.kind = 'BOARD'
      left join jobs on jobs.session_id = page.session_id
    order by page.rank desc, page.id desc
  `.execute(db);
  return rows;
}

/** Sessions of one batch of {@link indexBacklog}. */
const BATCH = 100;

/** Indexes some of what was written before there was an index; returns of how many sessions. */
export function indexBacklog(db: Db): Promise<number> {
  return transact(db, async (tx) => {
    const { rows } = await sql<{ readonly id: string }>`
      delete from search_backlog where session_id = any(array(
        select session_id from search_backlog limit ${BATCH} for update skip locked))
      returning session_id as id
    `.execute(tx);
    const ids = rows.map(({ id }) => id);
    // What is deleted meanwhile waits, and then deletes its entries as well.
    await sql`select from sessions where id = any(${ids}::uuid[]) order by id for share`.execute(tx);
    await sql`select index_session(s) from sessions s where id = any(${ids}::uuid[])`.execute(tx);
    for (const [row, table] of Object.entries({ message: 'messages', job: 'jobs', comment: 'comments' })) {
      await sql`select ${sql.raw(`index_${row}`)}(r) from ${sql.table(table)} r where session_id = any(${ids}::uuid[])`.execute(
        tx,
      );
    }
    return ids.length;
  });
}
