import type { CalibrationStore } from '../../stores/calibration-store.ts';
import type { CooldownsService } from './chip-services.ts';

/** Cool-downs of the viewer's project. */
export function createCooldowns(store: CalibrationStore): CooldownsService {
  return {
    async list({ projectId }) {
      const cooldowns = await store.cooldowns(projectId);
      return cooldowns.toSorted(
        (a, b) =>
          (b.startedAt?.getTime() ?? 0) - (a.startedAt?.getTime() ?? 0) ||
          (a.cooldownId < b.cooldownId ? 1 : -1),
      );
    },
  };
}
