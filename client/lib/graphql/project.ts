/**
 * The project of this tab. The address names it, and another one is another page load: nothing that was read in one is
 * ever shown in another, and two tabs do not disturb each other.
 */
import { createContext, use } from 'react';
import type { OperationContext } from 'urql';
import { pageIn, PROJECTS_PAGE } from '../../../src/domain/members/pages.ts';
import type { Me, OwnProject } from '../auth/auth.ts';

const BELOW_PROJECTS = /^\/projects\/([^/]+)(.*)$/u;

/** The project that an address names, what its pages begin with, and the address within it; null for one without. */
export function projectIn(
  pathname: string,
): { readonly projectId: string; readonly base: string; readonly path: string } | null {
  const [, segment, path = ''] = BELOW_PROJECTS.exec(pathname) ?? [];
  if (segment === undefined) return null;
  try {
    return { projectId: decodeURIComponent(segment), base: `${PROJECTS_PAGE}/${segment}`, path };
  } catch {
    return null; // no such name can be written so
  }
}

let entered: string | null = null;

/** The project of this tab; null on the pages around a sign-in. */
export const enteredProject = (): string | null => entered;

/** The key of what a browser keeps for each project. */
export const keyInProject = (key: string): string => `${key}@${entered ?? ''}`;

/** Where nobody signs in, and before a person's own was kept. */
const LAST = 'qpilot.project';
const lastOf = ({ person }: Me): string => (person === null ? LAST : `${LAST}.${person.id}`);

/** The project that somebody worked in last with this browser. */
export const lastProject = (me: Me): string | null =>
  localStorage.getItem(lastOf(me)) ?? localStorage.getItem(LAST);

/** Works in a project from here on, until the tab is at another address. */
export function enterProject(projectId: string, me: Me | null): void {
  if (entered === projectId) return;
  entered = projectId;
  if (me === null) return;
  localStorage.setItem(lastOf(me), projectId);
  keepOldDrafts();
}

/** Unsent words of before projects were in the keys go to the project that is entered first. */
function keepOldDrafts(): void {
  for (const key of Object.keys(localStorage)) {
    if (!/^qpilot\.(?:draft\.new|job-form\.[^@]+)$/u.test(key)) continue;
    localStorage.setItem(keyInProject(key), localStorage.getItem(key) ?? '');
    localStorage.removeItem(key);
  }
}

/** The address of a page of the project of this tab. */
export const addressOf = (path: string): string => location.origin + pageIn(entered ?? '', path);

/** Pages that every project has. */
const EVERYWHERE =
  /^\/(?:chips|copilot|boards|alerts|jobs|settings|members|import|compare|search|account)\b/u;

/** The address of the same page in another project, or of its chips where only this one has the page. */
export const sameIn = (projectId: string, path: string): string =>
  pageIn(projectId, EVERYWHERE.exec(path)?.[0] ?? '/chips');

/** Who is here and which projects are theirs; null where the server could not say. */
export const MeContext = createContext<Me | null>(null);
export const useMe = (): Me | null => use(MeContext);

/** What people call a project. */
export const nameOfProject = ({ name, projectId }: Pick<OwnProject, 'name' | 'projectId'>): string =>
  name.trim() || projectId;

/** What people call the project of this tab. */
export function useProjectName(): string {
  const found = useMe()?.projects.find(({ projectId }) => projectId === entered);
  return found === undefined ? (entered ?? '') : nameOfProject(found);
}

/** What goes along with each operation. */
export const projectHeaders = (): Record<string, string> =>
  entered === null ? {} : { 'x-project-id': entered };

/** Sends a mutation as a form, for files. That needs a header which other sites cannot make a browser send. */
export const uploadContext = (): Partial<OperationContext> => ({
  fetchOptions: { headers: { 'graphql-require-preflight': '1', ...projectHeaders() } },
});
