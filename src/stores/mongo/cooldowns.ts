import type { Db } from 'mongodb';
import { readDate, readRecord, readText, readTexts } from '../../domain/values/stored-values.ts';
import type { CalibrationStore } from '../calibration-store.ts';
import { ONE_REPLY, readWords } from './read-helpers.ts';

/** Cool-downs of cryostats; older databases have none. */
export function cooldownReads(db: Db): Pick<CalibrationStore, 'cooldowns'> {
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
  };
}
