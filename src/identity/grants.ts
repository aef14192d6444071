import type { Settings } from '../config/settings.ts';
import type { Identity } from './identity.ts';

/** What groups of another system may do here, as the settings say. */
export function grantsOf(
  groups: readonly string[],
  { adminGroups, groups: rules }: Settings['access'],
): Pick<Identity, 'granted'> & { readonly isAdmin: boolean } {
  const has = new Set(groups);
  return {
    isAdmin: adminGroups.some((group) => has.has(group)),
    granted: rules
      .filter(({ group }) => has.has(group))
      .map(({ project, role }) => ({ projectId: project, role })),
  };
}
