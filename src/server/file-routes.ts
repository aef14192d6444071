import type { IncomingMessage, ServerResponse } from 'node:http';
import { RateLimitedError } from '../base/errors.ts';
import type { TakePlace } from '../base/places.ts';
import { MESSAGE_IMAGES_PATH } from '../domain/conversation/message-image.ts';
import { JOB_FILES_PATH } from '../domain/jobs/job-file.ts';
import { DONE, idsIn, type AuditedKind } from '../domain/audit/audit.ts';
import { AUDIT_EXPORT_PATH } from '../domain/audit/export-url.ts';
import type { Rule } from '../domain/members/rule.ts';
import { IMPORT_PATH } from '../domain/imports/file-import.ts';
import { CHARTS_PATH } from '../domain/pictures/picture-url.ts';
import { FIGURES_PATH } from '../domain/records/figure.ts';
import { IMPORT_RULE } from '../services/imports/imports.ts';
import { respondWithAudit, type AuditExportDeps } from './audit-export.ts';
import { respondWithChart, type ChartPictureDeps } from './chart-pictures.ts';
import { CHIP_METRICS_PATH, respondWithChipMetrics, type ChipMetricsDeps } from './chip-metrics.ts';
import { respondWithFigure, type FigureDeps } from './figures.ts';
import { respondWithJobFile, type JobFileDeps } from './job-files.ts';
import { respondWithImport, type ImportDeps } from './imports.ts';
import type { Identify } from './operation-context.ts';
import { pathOf } from './picture-response.ts';
import { respondWithMessageImage, type MessageImageDeps } from './message-images.ts';

type Deps = AuditExportDeps &
  ChartPictureDeps &
  ChipMetricsDeps &
  FigureDeps &
  ImportDeps &
  JobFileDeps &
  MessageImageDeps;

/** Where files are served, or taken: below which path, and for whom. */
type FileRoute = {
  readonly path: string;
  readonly rule: Rule;
  /** What a served file is in the audit; null for what pages show and programs read by themselves, and for what records itself. */
  readonly audit: AuditedKind | null;
  respond(deps: Deps, request: IncomingMessage, response: ServerResponse): Promise<void>;
};

/** All of them: the server serves and takes files of projects by no other way, but for uploads of GraphQL. */
export const FILE_ROUTES: readonly FileRoute[] = [
  { path: AUDIT_EXPORT_PATH, rule: 'admin: project', audit: 'EXPORT', respond: respondWithAudit },
  { path: CHARTS_PATH, rule: 'viewer: shared', audit: null, respond: respondWithChart },
  { path: CHIP_METRICS_PATH, rule: 'viewer: project', audit: null, respond: respondWithChipMetrics },
  { path: FIGURES_PATH, rule: 'viewer: project', audit: null, respond: respondWithFigure },
  { path: IMPORT_PATH, rule: IMPORT_RULE, audit: null, respond: respondWithImport },
  { path: JOB_FILES_PATH, rule: 'viewer: shared', audit: 'DOWNLOAD', respond: respondWithJobFile },
  { path: MESSAGE_IMAGES_PATH, rule: 'viewer: shared', audit: null, respond: respondWithMessageImage },
];

type ResponderDeps = Omit<Deps, 'rule'> & {
  /** Those of operations: a file is read, and held until it is sent. */
  readonly takePlace: TakePlace;
};

/** What a file counts among the queries of somebody: about 4 ms. */
const FILE_COST = 2_000;

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
    // One look at who it is, for the limits and for the route.
    const identified = deps.identify({ req: request });
    const identify = (): typeof identified => identified;
    void admits({ ...deps, identify }, response).then((isAdmitted) => {
      if (isAdmitted) void route.respond({ ...deps, identify, rule }, request, response);
    });
  };
}

/** Whether a request is within the limits of who makes it; if not, it is answered. Never rejects. */
async function admits(
  {
    identify,
    rates,
    takePlace,
  }: Pick<ResponderDeps, 'rates' | 'takePlace'> & {
    readonly identify: () => ReturnType<Identify>;
  },
  response: ServerResponse,
): Promise<boolean> {
  try {
    const { id } = await identify();
    await rates?.pass('queryCost', id, FILE_COST);
    const free = takePlace(id);
    response.once('close', free);
    if (response.destroyed) free();
  } catch (error) {
    // Whoever is not recognised is answered by the route, as if there was no such file.
    if (!(error instanceof RateLimitedError)) return true;
    response.writeHead(429, {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      'retry-after': String(Math.ceil(error.retryAfterMs / 1_000)),
      connection: 'close', // what was sent and not read goes with it
    });
    response.end(`${error.message}\n`);
    return false;
  }
  return true;
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
