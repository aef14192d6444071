import { ForbiddenError } from '../../base/errors.ts';
import { atLeast, ROLES, type Role } from './role.ts';

/** Whose things a rule opens: those of the viewer, also those that are shared with the viewer, or all of the project. Never those of other projects. */
export const REACHES = ['own', 'shared', 'project'] as const;
export type Reach = (typeof REACHES)[number];

/**
 * Who may use a field, a tool or a route: members from a role upwards, and whose things they reach by it; `operator`: those who
 * administer the installation, whatever their role in the project.
 */
export type Rule = `${Role}: ${Reach}` | 'operator';

/** What a rule asks of a viewer. */
export type Standing = { readonly role: Role; readonly isOperator: boolean };

/** The least role of a rule; null for the operator's. */
export const roleOf = (rule: Rule): Role | null => ROLES.find((role) => rule.startsWith(`${role}:`)) ?? null;

/** Whether a rule lets every member of the project in, so that nothing is left to check within it. */
export const isForAll = (rule: Rule): boolean => roleOf(rule) === ROLES[0];

export function allows({ role, isOperator }: Standing, rule: Rule): boolean {
  const needed = roleOf(rule);
  return needed === null ? isOperator : atLeast(role, needed);
}

/** @throws ForbiddenError, in words that depend on the rule and the viewer alone */
export function assertAllowed(viewer: Standing, rule: Rule): void {
  if (allows(viewer, rule)) return;
  const needed = roleOf(rule);
  throw new ForbiddenError(
    needed === null
      ? 'only administrators of this installation may do this'
      : `this needs the role ${needed} in the project, and yours is ${viewer.role}; an admin or owner can change it`,
  );
}
