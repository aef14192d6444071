import type { IncomingMessage, ServerResponse } from 'node:http';
import { MESSAGE_IMAGES_PATH } from '../domain/conversation/message-image.ts';
import { JOB_FILES_PATH } from '../domain/jobs/job-file.ts';
import { DONE, idsIn, type AuditedKind } from '../domain/audit/audit.ts';
import { AUDIT_EXPORT_PATH } from '../domain/audit/export-url.ts';
import type { Rule } from '../domain/members/rule.ts';
import { FIGURES_PATH } from '../domain/records/figure.ts';
import { respondWithAudit, type AuditExportDeps } from './audit-export.ts';
import { respondWithFigure, type FigureDeps } from './figures.ts';
import { respondWithJobFile, type JobFileDeps } from './job-files.ts';
import { pathOf } from './picture-response.ts';
import { respondWithMessageImage, type MessageImageDeps } from './message-images.ts';

type Deps = AuditExportDeps & FigureDeps & JobFileDeps & MessageImageDeps;

/** Where files are served: below which path, and to whom. */
type FileRoute = {
  readonly path: string;
  readonly rule: Rule;
  /** What a served file is in the audit; null for pictures, which pages show by themselves. */
  readonly audit: AuditedKind | null;
  respond(deps: Deps, request: IncomingMessage, response: ServerResponse): Promise<void>;
};

/** All of them: the server serves files of projects by no other way. */
export const FILE_ROUTES: readonly FileRoute[] = [
  { path: AUDIT_EXPORT_PATH, rule: 'admin: project', audit: 'EXPORT', respond: respondWithAudit },
  { path: FIGURES_PATH, rule: 'viewer: project', audit: null, respond: respondWithFigure },
  { path: JOB_FILES_PATH, rule: 'viewer: shared', audit: 'DOWNLOAD', respond: respondWithJobFile },
  { path: MESSAGE_IMAGES_PATH, rule: 'viewer: shared', audit: null, respond: respondWithMessageImage },
];

type ResponderDeps = Omit<Deps, 'rule'> & { readonly addressOf: (request: IncomingMessage) => string };

/** Answers a request for a file; null for another path. */
export function fileResponder(path: string, deps: ResponderDeps) {
  const route = FILE_ROUTES.find((each) => path.startsWith(each.path));
  if (route === undefined) return null;
  return (request: IncomingMessage, response: ServerResponse): void => {
    const { audit, rule } = route;
    if (audit !== null && request.method === 'GET') {
      response.once('finish', () => {
        if (response.statusCode === 200) void recordServed(deps, request, { kind: audit, route: route.path });
      });
    }
    void route.respond({ ...deps, rule }, request, response);
  };
}

/** Records that a file was served; all paths begin with the project. Never rejects. */
async function recordServed(
  { services, identify, addressOf, log }: ResponderDeps,
  request: IncomingMessage,
  { kind, route }: { readonly kind: AuditedKind; readonly route: string },
): Promise<void> {
  try {
    const { id, name, keyId } = await identify({ req: request });
    const [projectId = '', ...file] = pathOf(request).slice(route.length).split('/').map(decodeURIComponent);
    await services.audit.record({
      kind,
      action: `GET ${route}`,
      outcome: DONE,
      personId: id,
      personName: name,
      keyId,
      address: addressOf(request),
      projectId,
      ids: idsIn({ fileId: file.join('/') }),
    });
  } catch (error) {
    log.error({ err: error, path: pathOf(request) }, 'a served file could not be recorded in the audit');
  }
}
