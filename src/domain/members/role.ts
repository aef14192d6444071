/**
 * What members of a project may do, least first; each may do what those before it may. Viewers read the project's data and
 * ask the copilot; editors also run jobs and share experts; admins also manage viewers and editors; owners manage all.
 */
export const ROLES = ['viewer', 'editor', 'admin', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** Whether `role` may do what `needed` may. */
export const atLeast = (role: Role, needed: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(needed);

/** Whether a member may make, change, remove and invite those of a role: owners all, admins viewers and editors. */
export const mayManage = (role: Role, whom: Role): boolean =>
  role === 'owner' || (role === 'admin' && !atLeast(whom, 'admin'));

/** One user's place in one project. Projects live in the calibration database, members in Postgres. */
export type Member = {
  readonly projectId: string;
  readonly userId: string;
  readonly role: Role;
  /** The user who added this one; null for the door, which takes the first owner and groups of a provider. */
  readonly addedBy: string | null;
  readonly addedAt: Date;
};
