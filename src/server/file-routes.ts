import type { IncomingMessage, ServerResponse } from 'node:http';
import { MESSAGE_IMAGES_PATH } from '../domain/conversation/message-image.ts';
import { JOB_FILES_PATH } from '../domain/jobs/job-file.ts';
import type { Rule } from '../domain/members/rule.ts';
import { FIGURES_PATH } from '../domain/records/figure.ts';
import { respondWithFigure, type FigureDeps } from './figures.ts';
import { respondWithJobFile, type JobFileDeps } from './job-files.ts';
import { respondWithMessageImage, type MessageImageDeps } from './message-images.ts';

type Deps = FigureDeps & JobFileDeps & MessageImageDeps;

/** Where files are served: below which path, and to whom. */
type FileRoute = {
  readonly path: string;
  readonly rule: Rule;
  respond(deps: Deps, request: IncomingMessage, response: ServerResponse): Promise<void>;
};

/** All of them: the server serves files of projects by no other way. */
export const FILE_ROUTES: readonly FileRoute[] = [
  { path: FIGURES_PATH, rule: 'viewer: project', respond: respondWithFigure },
  { path: JOB_FILES_PATH, rule: 'viewer: shared', respond: respondWithJobFile },
  { path: MESSAGE_IMAGES_PATH, rule: 'viewer: shared', respond: respondWithMessageImage },
];

/** Answers a request for a file; null for another path. */
export function fileResponder(path: string, deps: Omit<Deps, 'rule'>) {
  const route = FILE_ROUTES.find((each) => path.startsWith(each.path));
  if (route === undefined) return null;
  return (request: IncomingMessage, response: ServerResponse): void =>
    void route.respond({ ...deps, rule: route.rule }, request, response);
}
