import type { OperationContext } from 'urql';

const KEY = 'qpilot.project';

/** The project that this browser works in; null leaves it to the server, which then must have only one. */
export const chosenProject = (): string | null => localStorage.getItem(KEY);

/** Switches to another project. Everything on the page belongs to the old one, so the page reloads. */
export function chooseProject(projectId: string): void {
  localStorage.setItem(KEY, projectId);
  location.assign('/');
}

/** Sends a mutation as a form, for files. That needs a header which other sites cannot make a browser send. */
export function uploadContext(): Partial<OperationContext> {
  const projectId = chosenProject();
  const ofProject = projectId !== null && { 'x-project-id': projectId };
  return { fetchOptions: { headers: { 'graphql-require-preflight': '1', ...ofProject } } };
}
