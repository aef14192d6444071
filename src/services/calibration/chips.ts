import type { Chip } from '../../domain/chip/chip.ts';
import type { Viewer } from '../../domain/conversation/session.ts';
import { NotFoundError } from '../../base/errors.ts';
import type { CalibrationStore, ChipRow } from '../../stores/calibration-store.ts';
import type { ChipsService } from './chip-services.ts';
import { knownNames } from './known-names.ts';

/** Chips of the viewer's project. */
export function createChips(store: CalibrationStore): ChipsService {
  const list = async ({ projectId }: Viewer): Promise<readonly Chip[]> =>
    oneOfEach(await store.chips(projectId, null)).toSorted(newestFirst);
  const getMany = async ({ projectId }: Viewer, chipIds: readonly string[]) => {
    const chips = oneOfEach(await store.chips(projectId, chipIds));
    const byId = new Map(chips.map((chip) => [chip.chipId, chip]));
    return chipIds.map((chipId) => byId.get(chipId) ?? null);
  };
  return {
    list,
    getMany,
    async get(viewer, chipId) {
      const [chip] = await getMany(viewer, [chipId]);
      if (chip) return chip;
      const known = knownNames((await list(viewer)).map((each) => each.chipId));
      throw new NotFoundError(
        `there is no chip ${chipId} in project ${viewer.projectId}; chips here: ${known}`,
      );
    },
    async defaultChip(viewer) {
      const chips = await list(viewer);
      return chips.find(({ isActive }) => isActive) ?? chips[0] ?? null;
    },
  };
}

/** A chip that two users registered is one chip: the newer installation, of equals the greater document id. */
function oneOfEach(rows: readonly ChipRow[]): readonly Chip[] {
  const byChip = new Map<string, ChipRow>();
  for (const row of rows.toSorted((a, b) => (a.documentId < b.documentId ? -1 : 1))) {
    const held = byChip.get(row.chipId);
    if (!held || installedMs(row) >= installedMs(held)) byChip.set(row.chipId, row);
  }
  return [...byChip.values()].map(chipOf);
}

function chipOf({ documentId: _documentId, ...chip }: ChipRow): Chip {
  return chip;
}

const installedMs = ({ installedAt }: Chip): number => installedAt?.getTime() ?? Number.NEGATIVE_INFINITY;

function newestFirst(a: Chip, b: Chip): number {
  const [timeA, timeB] = [installedMs(a), installedMs(b)];
  if (timeA !== timeB) return timeA > timeB ? -1 : 1;
  return a.chipId < b.chipId ? -1 : 1;
}
