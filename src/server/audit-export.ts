/** Serves records of the audit as a file, in batches as they are read. */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { ForbiddenError } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import { AUDIT_KINDS } from '../domain/audit/audit.ts';
import { AUDIT_EXPORT_PATH, AUDIT_FORMATS } from '../domain/audit/export-url.ts';
import { auditHead, auditText } from '../services/audit/export.ts';
import type { Audit, AuditRequest } from '../services/audit/audit.ts';
import {
  plainAnswer,
  projectBelow,
  viewerWithin,
  type PictureAnswer,
  type ViewerDeps,
} from './picture-response.ts';

export type AuditExportDeps = ViewerDeps & {
  readonly services: { readonly audit: Audit };
  readonly log: Logger;
};

/** The same text in all cases, so that a foreign project looks like an unknown one. */
const NOT_FOUND = plainAnswer(404, 'you administer no such project');

const time = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
const asked = z.object({
  format: z.enum(AUDIT_FORMATS),
  person: z.string().max(200).optional(),
  kind: z.array(z.enum(AUDIT_KINDS)).optional(),
  from: time.optional(),
  to: time.optional(),
  everywhere: z.literal('1').optional(),
});

/** Answers `GET /audit-log/{project}?format=csv` (or `jsonl`) to its admins; with `person`, `kind`, `from`, `to`, `everywhere`. */
export async function respondWithAudit(
  deps: AuditExportDeps,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '', 'http://localhost');
  const projectId = projectBelow(AUDIT_EXPORT_PATH, request);
  const given = asked.safeParse({
    ...Object.fromEntries(url.searchParams),
    ...(url.searchParams.has('kind') && { kind: url.searchParams.getAll('kind') }),
  });
  try {
    const viewer = projectId === null ? null : await viewerWithin(deps, request, projectId);
    if (viewer === null) return send(response, NOT_FOUND);
    if (request.method !== 'GET') return send(response, plainAnswer(405, 'the audit is read by GET'));
    if (!given.success) return send(response, plainAnswer(400, wrongIn(given.error)));
    const { format, person, kind, from, to, everywhere } = given.data;
    const wanted: AuditRequest = { personId: person, kinds: kind, from, to, everywhere: everywhere === '1' };
    const pages = deps.services.audit.pages(viewer, wanted);
    response.writeHead(200, {
      'content-type': format === 'csv' ? 'text/csv; charset=utf-8' : 'application/jsonl; charset=utf-8',
      'content-disposition': `attachment; filename="audit.${format}"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
    });
    response.write(auditHead(format));
    for await (const entries of pages) {
      if (response.destroyed) return;
      if (!response.write(auditText(format, entries)))
        await Promise.race([once(response, 'drain'), once(response, 'close')]);
    }
    response.end();
  } catch (error) {
    if (error instanceof ForbiddenError) return send(response, plainAnswer(403, error.message));
    deps.log.error({ err: error }, 'an export of the audit failed');
    // What was sent is incomplete, and must not look whole.
    if (response.headersSent) response.destroy();
    else send(response, plainAnswer(503, 'the audit could not be read; try again in a moment'));
  }
}

const wrongIn = (error: z.ZodError): string =>
  error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');

function send(response: ServerResponse, { status, contentType, body }: PictureAnswer): void {
  response.writeHead(status, { 'content-type': contentType, 'cache-control': 'no-store' });
  response.end(body);
}
