import { keyInProject } from '../../lib/graphql/project.ts';

const key = (): string => keyInProject('qpilot.chip');

/** The chip that this browser looked at last. */
export const lastChip = (): string | null => localStorage.getItem(key());

/** Remembers it for the next visit. */
export const rememberChip = (chipId: string): void => localStorage.setItem(key(), chipId);
