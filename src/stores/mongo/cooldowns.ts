import type { Db, Document } from 'mongodb';
import { readDate, readRecord, readText, readTexts } from '../../domain/values/stored-values.ts';
import type { CalibrationStore } from '../calibration-store.ts';
import { writtenOf } from './note-rows.ts';
import { ONE_REPLY, oneOf, readWords } from './read-helpers.ts';

/** Cool-downs of cryostats; older databases have none. */
export function cooldownReads(db: Db): Pick<CalibrationStore, 'cooldowns' | 'wiringNotes'> {
  return {
    // Index (project_id, started_at desc).
    async cooldowns(projectId) {
      const rows = await db
        .collection('cooldown')
        .find(
          { project_id: projectId },
          {
            projection: {
              cooldown_id: 1,
              cryo_id: 1,
              description: 1,
              started_at: 1,
              ended_at: 1,
              chip_ids: 1,
              note: 1,
            },
            ...ONE_REPLY,
          },
        )
        .toArray();
      return rows.map((row) => ({
        cooldownId: readText(row['cooldown_id']) ?? '',
        cryostatId: readText(row['cryo_id']),
        description: readWords(row['description']) ?? '',
        startedAt: readDate(row['started_at']),
        endedAt: readDate(row['ended_at']),
        chipIds: readTexts(row['chip_ids']),
        note: readWords(readRecord(row['note'])['content']),
        noteBy: readText(readRecord(row['note'])['updated_by']),
        noteAt: readDate(readRecord(row['note'])['updated_at']),
      }));
    },

    // Index (project_id, cooldown_id, created_at desc).
    async wiringNotes(projectId, cooldownIds, limit) {
      if (cooldownIds.length === 0) return [];
      const rows = await db
        .collection('cooldown_wiring_event')
        .find(
          { project_id: projectId, cooldown_id: oneOf(cooldownIds) },
          {
            projection: { cooldown_id: 1, actor: 1, comment: 1, created_at: 1 },
            sort: { created_at: -1 },
            limit,
            ...ONE_REPLY,
          },
        )
        .toArray();
      return rows.flatMap((row) =>
        writtenOf(
          row,
          { source: 'COOLDOWN', subject: 'CHIP', qid: null, title: 'wiring' },
          { text: row['comment'], author: row['actor'], at: row['created_at'] },
        ),
      );
    },
  };
}

/**
 * When a cool-down began: at its recorded start, or with the first run that names it if that was earlier. Null if no start
 * is recorded. Indexes (project_id, cooldown_id) and (project_id, cooldown_id, start_at desc).
 */
export async function cooldownStart(db: Db, projectId: string, cooldownId: string): Promise<Date | null> {
  const ofCooldown = { project_id: projectId, cooldown_id: cooldownId };
  const firstOf = async (collection: string, filter: Document, field: string): Promise<Date | null> => {
    const [row] = await db
      .collection(collection)
      .find(filter, { projection: { _id: 0, [field]: 1 }, sort: { [field]: 1 }, limit: 1, ...ONE_REPLY })
      .toArray();
    return readDate(row?.[field]);
  };
  const [recorded, firstRun] = await Promise.all([
    firstOf('cooldown', ofCooldown, 'started_at'),
    firstOf('task_result_history', { ...ofCooldown, start_at: { $gte: new Date(0) } }, 'start_at'),
  ]);
  return recorded !== null && firstRun !== null && firstRun < recorded ? firstRun : recorded;
}
