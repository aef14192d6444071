import type { Db } from 'mongodb';
import type { GridPosition } from '../../domain/chip/topology.ts';
import { readDate, readNumber, readRecord, readText } from '../../domain/values/stored-values.ts';
import type { CalibrationStore, ChipRow } from '../calibration-store.ts';
import { documentIdOf, ONE_REPLY, oneOf } from './read-helpers.ts';

/** QDash's default for a chip without a size. */
const DEFAULT_SIZE = 64;

/** Projects and chips. */
export function chipReads(db: Db): Pick<CalibrationStore, 'projects' | 'chips'> {
  return {
    // Few documents: a scan of `project`.
    async projects() {
      const rows = await db
        .collection('project')
        .find({}, { projection: { project_id: 1, name: 1 }, ...ONE_REPLY })
        .toArray();
      return rows.flatMap((row) => {
        const projectId = readText(row['project_id']);
        return projectId === null ? [] : [{ projectId, name: readText(row['name']) ?? projectId }];
      });
    },

    // Index (project_id, chip_id, username).
    async chips(projectId, chipIds) {
      const rows = await db
        .collection('chip')
        .find(
          { project_id: projectId, ...(chipIds === null ? {} : { chip_id: oneOf(chipIds) }) },
          {
            projection: {
              chip_id: 1,
              size: 1,
              installed_at: 1,
              topology_id: 1,
              activity_status: 1,
              layout: 1,
              current_cooldown_id: 1,
              snapshot_at: 1,
            },
            ...ONE_REPLY,
          },
        )
        .toArray();
      return rows.map((row): ChipRow => ({
        documentId: documentIdOf(row),
        projectId,
        chipId: readText(row['chip_id']) ?? '',
        size: readNumber(row['size']) ?? DEFAULT_SIZE,
        installedAt: readDate(row['installed_at']),
        topologyId: readText(row['topology_id']),
        layout: readLayout(row['layout']),
        snapshotAt: readDate(row['snapshot_at']),
        currentCooldownId: readText(row['current_cooldown_id']),
        isActive: row['activity_status'] !== 'inactive',
      }));
    },
  };
}

/** Positions by qubit, `{row, col}` from 0, stored by importers for devices without a topology file. */
function readLayout(raw: unknown): ReadonlyMap<string, GridPosition> | null {
  const places = Object.entries(readRecord(raw)).flatMap(([qid, place]): [string, GridPosition][] => {
    const [row, column] = [readNumber(readRecord(place)['row']), readNumber(readRecord(place)['col'])];
    return row === null || column === null || row < 0 || column < 0 ? [] : [[qid, { row, column }]];
  });
  return places.length === 0 ? null : new Map(places);
}
