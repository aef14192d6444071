const KEY = 'qpilot.project';

/** The project that this browser works in; null leaves it to the server, which then must have only one. */
export const chosenProject = (): string | null => localStorage.getItem(KEY);

/** Works in another project from now on. Everything on the page belongs to the old one, so the page starts anew. */
export function chooseProject(projectId: string): void {
  localStorage.setItem(KEY, projectId);
  location.assign('/');
}
