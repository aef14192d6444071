import type { Chip } from '../../domain/chip/chip.ts';
import type { ChipScope } from '../../stores/calibration-store.ts';

/** The scope of a read about some chips. One read never spans two projects. */
export function scopeOf(items: readonly Pick<Chip, 'projectId' | 'chipId'>[]): ChipScope {
  const projectIds = new Set(items.map(({ projectId }) => projectId));
  const [projectId = ''] = projectIds;
  if (projectIds.size > 1) throw new Error(`one read over several projects: ${[...projectIds].join(', ')}`);
  return { projectId, chipIds: [...new Set(items.map(({ chipId }) => chipId))] };
}
