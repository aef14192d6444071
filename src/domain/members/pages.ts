/**
 * Addresses of the web client. Each names its project, so that whoever follows one sees the same page whatever project
 * they worked in before. Pure.
 */

/** Lists the projects of the reader; the pages of each are below it. */
export const PROJECTS_PAGE = '/projects';

/** The address of a page of a project; `path` is the one within it, such as `/chips/demo-64`. */
export const pageIn = (projectId: string, path: string): string =>
  `${PROJECTS_PAGE}/${encodeURIComponent(projectId)}${path}`;

/** Shows an answer that is shared alone. */
export const sharedAnswerPage = (projectId: string, key: string): string =>
  pageIn(projectId, `/answers/${key}`);

/** Opens what a link shares. */
export const sharedPage = (projectId: string, key: string): string => pageIn(projectId, `/shared/${key}`);

/** Shows a conversation, by its id as the API has it. */
export const conversationPage = (projectId: string, sessionId: string): string =>
  pageIn(projectId, `/copilot/${sessionId}`);
