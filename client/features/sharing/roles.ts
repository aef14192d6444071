import type { Role } from '../../gql/graphql.ts';

export const ROLES = ['VIEWER', 'EDITOR', 'ADMIN', 'OWNER'] as const satisfies readonly Role[];

/** What admins manage; owners manage all. */
export const MANAGED: readonly Role[] = ['VIEWER', 'EDITOR'];

/** Roles that somebody, by their own, may give. */
export const rolesFor = (role: string): readonly Role[] => (role === 'owner' ? ROLES : MANAGED);
