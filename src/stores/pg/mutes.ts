import type { Mute } from '../../domain/records/mute.ts';
import type { Db, Tx } from './database.ts';

const ALL = '';

type Of = Pick<Mute, 'chipId' | 'partId' | 'parameter'>;

/** What is muted of a chip at a time, the first to end first. */
export async function listMutes(db: Db, projectId: string, chipId: string, at: Date): Promise<Mute[]> {
  const rows = await db
    .selectFrom('mutes')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('chip_id', '=', chipId)
    .where('until', '>', at)
    .orderBy('until')
    .orderBy('part_id')
    .execute();
  return rows.map((row) => ({
    chipId: row.chip_id,
    partId: row.part_id,
    parameter: row.parameter === ALL ? null : row.parameter,
    reason: row.reason,
    mutedBy: row.muted_by,
    mutedAt: row.muted_at,
    until: row.until,
  }));
}

/** Stores a mute in place of the one there was, and removes those of the project that ended. */
export async function putMute(tx: Tx, projectId: string, mute: Mute): Promise<void> {
  const { reason, mutedBy: muted_by, mutedAt: muted_at, until } = mute;
  const row = { reason, muted_by, muted_at, until };
  await tx.deleteFrom('mutes').where('project_id', '=', projectId).where('until', '<=', muted_at).execute();
  await tx
    .insertInto('mutes')
    .values({ project_id: projectId, ...keyOf(mute), ...row })
    .onConflict((on) => on.columns(['project_id', 'chip_id', 'part_id', 'parameter']).doUpdateSet(row))
    .execute();
}

/** Nothing happens where there is none. */
export async function deleteMute(db: Db, projectId: string, of: Of): Promise<void> {
  const { chip_id, part_id, parameter } = keyOf(of);
  await db
    .deleteFrom('mutes')
    .where('project_id', '=', projectId)
    .where('chip_id', '=', chip_id)
    .where('part_id', '=', part_id)
    .where('parameter', '=', parameter)
    .execute();
}

const keyOf = ({ chipId, partId, parameter }: Of) => ({
  chip_id: chipId,
  part_id: partId,
  parameter: parameter ?? ALL,
});
