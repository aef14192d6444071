import type { CalibrationStore } from '../../stores/calibration-store.ts';
import { rowsToRead, toPage } from '../page-cursor.ts';
import { scopeOf } from './chip-scope.ts';
import type { ExecutionsService } from './record-services.ts';
import { decodeTimeCursor, encodeTimeCursor } from './time-cursor.ts';

/** Runs of calibration workflows. */
export function createExecutions(store: CalibrationStore): ExecutionsService {
  return {
    async getMany({ projectId }, executionIds) {
      const rows = await store.executions(projectId, executionIds);
      const byId = new Map(rows.map((row) => [row.executionId, row]));
      return executionIds.map((id) => byId.get(id) ?? null);
    },
    async page(chip, { filter, first, after }) {
      const limit = rowsToRead(first);
      const slice = await store.executionSlice({
        ...scopeOf([chip]),
        filter: filter ?? {},
        limit,
        after: decodeTimeCursor(after),
      });
      return toPage(slice, first, ({ row, cursor }) => ({ item: row, cursor: encodeTimeCursor(cursor) }));
    },
  };
}
