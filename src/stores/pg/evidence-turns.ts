import { sql } from 'kysely';
import type { Viewer } from '../../domain/conversation/session.ts';
import type { Db } from './database.ts';
import { isOneOf, isReadableBy } from './ids.ts';

/** A turn that may support an answer: its own at depth 1, then the turns that it follows. */
export type EvidenceTurn = {
  readonly id: string;
  readonly depth: number;
  readonly question: string;
  /** The current time of its answer. */
  readonly asOf: Date;
};

/**
 * For each of the viewer's turns itself and at most `limit - 1` turns before it in its branch, newest first. One
 * query.
 */
export async function findEvidenceTurns(
  db: Db,
  viewer: Viewer,
  turnIds: readonly string[],
  limit: number,
): Promise<ReadonlyMap<string, readonly EvidenceTurn[]>> {
  const { rows } = await sql<EvidenceTurn & { readonly of: string }>`
    with recursive branch as (
      select id as of, id, parent_id, question_id, as_of, created_at, 1 as depth from turns
      where ${isOneOf('id', turnIds)} and ${isReadableBy(viewer, 'turns', 'turns.session_id')}
      union all
      select branch.of, turns.id, turns.parent_id, turns.question_id, turns.as_of, turns.created_at, depth + 1
      from branch join turns on turns.id = branch.parent_id where depth < ${limit}
    )
    select branch.of, branch.id, depth, messages.text as question, coalesce(as_of, branch.created_at) as "asOf"
    from branch join messages on messages.id = branch.question_id
    order by depth
  `.execute(db);
  const turns = Map.groupBy(rows, ({ of }) => of);
  return new Map([...turns].map(([of, all]) => [of, all.map(({ of: _of, ...turn }) => turn)]));
}
