/**
 * Reads along the tree of turns. A branch is the path from a turn back to the start of the conversation; a
 * session shows the branch of its newest turn.
 */
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type {
  HistorySummary,
  Message,
  MessageRole,
  Turn,
  Viewer,
} from '../../domain/conversation/session.ts';
import type { EarlierTurn } from '../session-store.ts';
import { PREPARED, type Db } from './database.ts';
import { inGroups, isOneOf, isReadableBy } from './ids.ts';
import { rowToMessage } from './messages.ts';
import { rowToSummary } from './summaries.ts';
import type { Database } from './tables.ts';
import { rowToTurn } from './turns.ts';

/**
 * Where a page of messages continues: before this place. A turn has at most one message of each role, question
 * first.
 */
export type MessagePosition = { readonly turnId: string; readonly role: MessageRole };

/** A message and its position. */
export type PlacedMessage = { readonly message: Message; readonly position: MessagePosition };

/** Which rows of a session. */
type BranchPage<Place> = {
  readonly limit: number;
  /** Continues in the branch of that position, regardless of newer branches. */
  readonly after: Place | null;
  /** Shows the newest branch through this turn; null: the newest of all. */
  readonly throughTurnId: string | null;
};

/** Which messages of a session. */
export type MessagesPage = BranchPage<MessagePosition>;

/** Which turns of a session. */
export type TurnsPage = BranchPage<{ readonly turnId: string }>;

/** Up to `limit` messages of one branch, newest first. The caller has checked access to the session. */
export async function listMessages(db: Db, sessionId: string, page: MessagesPage): Promise<PlacedMessage[]> {
  const { after, limit } = page;
  const { rows } = await sql<Selectable<Database['messages']> & { place: string }>`
    with recursive start as (${startOf(sessionId, page)}),
    branch as (${branchFrom(sql`select id from start`, limit + 1)})
    select messages.*, branch.id as place
    from branch join messages on messages.id = any(array[branch.question_id, branch.answer_id])
    where branch.depth > 1 or ${after === null} or (${after?.role === 'ASSISTANT'} and messages.role = 'USER')
    order by branch.depth, messages.role -- ASSISTANT before USER
    limit ${limit}
  `.execute(db);
  return rows.map(({ place, ...row }) => ({
    message: rowToMessage(row),
    position: { turnId: place, role: row.role },
  }));
}

/** Up to `limit` turns of one branch, newest first. The caller has checked access to the session. */
export async function listTurns(db: Db, sessionId: string, page: TurnsPage): Promise<Turn[]> {
  const { after, limit } = page;
  const { rows } = await sql<Selectable<Database['turns']>>`
    with recursive start as (${startOf(sessionId, page)}),
    branch as (${branchFrom(sql`select id from start`, limit + 1)})
    select turns.* from branch join turns on turns.id = branch.id
    where branch.depth > 1 or ${after === null}
    order by branch.depth
    limit ${limit}
  `.execute(db);
  return rows.map(rowToTurn);
}

/** The turn that a page starts with: the cursor's, else the newest of all or of those below a turn. */
function startOf(
  sessionId: string,
  { after, throughTurnId }: TurnsPage,
): RawBuilder<{ readonly id: string }> {
  if (after !== null) {
    return sql`select id from turns where id = ${after.turnId} and session_id = ${sessionId}`;
  }
  if (throughTurnId === null) {
    return sql`select id from turns where session_id = ${sessionId} order by number desc limit 1`;
  }
  return sql`
    with recursive below as (
      select id, number from turns where ${isOneOf('id', [throughTurnId])} and session_id = ${sessionId}
      union all
      select turns.id, turns.number from below join turns on turns.parent_id = below.id
    )
    select id from below order by number desc limit 1`;
}

/** The newest `limit` turns of a branch, as the body of a CTE named `branch`. */
const branchFrom = (id: RawBuilder<unknown>, limit: number) => sql`
  select id, parent_id, question_id, answer_id, 1 as depth from turns where id = (${id})
  union all
  select turns.id, turns.parent_id, turns.question_id, turns.answer_id, depth + 1
  from branch join turns on turns.id = branch.parent_id where depth < ${limit}`;

/** The turns that `turn` follows, at most `limit` of the newest, oldest first. Siblings are excluded. */
export async function readEarlierTurns(
  db: Db,
  { parentId }: Pick<Turn, 'parentId'>,
  limit: number,
): Promise<EarlierTurn[]> {
  if (parentId === null) return [];
  // Of each turn a row for each of its messages.
  const { rows: both } = await sql<BranchRow & Selectable<Database['messages']>>`${PREPARED}
    with recursive branch as (${branchFrom(sql`${parentId}::uuid`, limit)})
    select messages.*, branch.id as place, branch.question_id, branch.answer_id, turns.tokens_per_estimate,
      summaries.id as summary_id
    from branch join turns on turns.id = branch.id
      join messages on messages.id = any(array[branch.question_id, branch.answer_id])
      left join summaries on summaries.through_turn_id = branch.id
    order by depth desc
  `.execute(db);
  const byId = new Map(both.map((row) => [row.id, messageOf(row)]));
  const rows = [...new Map(both.map((row) => [row.place, row])).values()];
  const summary = await newestSummary(db, rows);
  const answers = answersOf(rows, byId);
  return rows.flatMap(({ place: id, question_id, tokens_per_estimate: tokensPerEstimate }) => {
    const question = byId.get(question_id);
    if (!question) return [];
    const answer = answers.get(question_id) ?? null;
    return [
      {
        turnId: id,
        question,
        answer,
        summary: summary?.throughTurnId === id ? summary : null,
        tokensPerEstimate,
      },
    ];
  });
}

/** The words of an answer before a message that joined it, where it has none. */
const NOT_YET = '(Not answered when the next message came.)';

/**
 * Answers by the ids of the questions of a branch. A message that joined the answer of an earlier turn has the part
 * behind it.
 */
function answersOf(
  branch: readonly BranchRow[],
  messages: ReadonlyMap<string, Message>,
): ReadonlyMap<string, Message> {
  const questions = new Set(branch.map(({ question_id }) => question_id));
  const answers = new Map<string, Message>();
  for (const { question_id, answer_id } of branch) {
    const answer = answer_id === null ? undefined : messages.get(answer_id);
    if (answer === undefined) continue;
    let [question, text] = [question_id, ''];
    for (const block of answer.blocks) {
      if (block.type === 'text') text += block.text;
      if (block.type !== 'message' || !questions.has(block.messageId)) continue;
      answers.set(question, { ...answer, text: text.trim() || NOT_YET });
      [question, text] = [block.messageId, ''];
    }
    answers.set(question, question === question_id ? answer : { ...answer, text: text.trim() });
  }
  return answers;
}

type BranchRow = {
  readonly place: string;
  readonly question_id: string;
  readonly answer_id: string | null;
  readonly tokens_per_estimate: number | null;
  readonly summary_id: string | null;
};

const messageOf = ({
  place: _place,
  question_id: _question,
  answer_id: _answer,
  tokens_per_estimate: _ratio,
  summary_id: _summary,
  ...row
}: BranchRow & Selectable<Database['messages']>): Message => rowToMessage(row);

/** The summary that covers most of the branch; the ones it includes are not needed. */
async function newestSummary(db: Db, branch: readonly BranchRow[]): Promise<HistorySummary | null> {
  const id = branch.findLast(({ summary_id }) => summary_id !== null)?.summary_id;
  if (!id) return null;
  const row = await db.selectFrom('summaries').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? rowToSummary(row) : null;
}

/** For each of the viewer's turns all turns with the same parent, including itself, in the order of asking. */
export async function findSiblings(db: Db, viewer: Viewer, turnIds: readonly string[]): Promise<Turn[][]> {
  const { rows } = await sql<Selectable<Database['turns']> & { of: string }>`
    select turns.*, own.id as of
    from turns as own join turns on turns.session_id = own.session_id
      and turns.parent_id is not distinct from own.parent_id
    where ${isOneOf('own.id', turnIds)} and ${isReadableBy(viewer, 'own', 'own.session_id')}
    order by turns.number
  `.execute(db);
  return inGroups(turnIds, rows, ({ of }) => of).map((siblings) => siblings.map(rowToTurn));
}
