/** Records who did what. Everything that records goes through here; nothing here changes or removes a record. */
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { ForbiddenError } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import { auditFailures } from '../../base/metrics.ts';
import { DONE, idsOfPayload, type AuditEntry, type NewAuditEntry } from '../../domain/audit/audit.ts';
import type { Viewer } from '../../domain/conversation/session.ts';
import { shorten, toStoredText } from '../../domain/text/stored-text.ts';
import { findAudit, insertAudit, type AuditFilter, type AuditScope } from '../../stores/pg/audit-log.ts';
import { performing, type Act } from '../../stores/pg/audited-act.ts';
import type { Db } from '../../stores/pg/database.ts';
import {
  decodeCursor,
  encodeCursor,
  rowsToRead,
  toPage,
  type Page,
  type PageRequest,
} from '../page-cursor.ts';

/** Which records somebody asks for. */
export type AuditRequest = AuditFilter & {
  /** Another project than that of the request, for who administers the installation. */
  readonly projectId?: string | null | undefined;
  /** Of all projects and of none, for who administers the installation. */
  readonly everywhere?: boolean | null | undefined;
};

/** Records acts, and reads records. */
export type Audit = ReturnType<typeof createAudit>;

const position = z.tuple([z.string().regex(/^\d{1,19}$/u)]);
const EXPORT_ROWS = 1_000;
/** A page reads what it shows again and again. */
const SAME_VIEW_MS = 3_600_000;

export function createAudit({ db, log }: { readonly db: Db; readonly log: Logger }) {
  /** Never rejects: what was done is done. A record that cannot be stored goes to the log whole, and is counted. */
  const record = async (entry: NewAuditEntry): Promise<void> => {
    const { personName } = entry;
    const stored = { ...entry, personName: personName && nameText(personName) };
    try {
      await insertAudit(db, stored);
    } catch (error) {
      auditFailures.inc();
      log.error({ err: error, audit: stored }, 'a record of the audit could not be stored; it is only here');
    }
  };
  const seen = new LRUCache<string, true>({ max: 10_000, ttl: SAME_VIEW_MS });
  return {
    record,

    /** Records that somebody read something of others; the same by this server once an hour. */
    async viewed(view: Omit<NewAuditEntry, 'kind' | 'outcome'>): Promise<void> {
      const key = JSON.stringify([view.personId, view.keyId, view.ids]);
      if (seen.has(key)) return;
      seen.set(key, true);
      await record({ ...view, kind: 'VIEW', outcome: DONE });
    },

    /**
     * Performs an act and records it: in the first transaction that it commits, which fails with the record; else
     * afterwards, with the code of the error that prevented it.
     */
    async perform<Result>(
      begun: Omit<NewAuditEntry, 'outcome'>,
      work: () => Promise<Result>,
    ): Promise<Result> {
      const personName = begun.personName && nameText(begun.personName);
      const act: Act = { pending: { ...begun, personName } };
      /** Closes the act. */
      const finish = async (outcome: string, result: unknown): Promise<void> => {
        const { pending } = act;
        act.pending = null;
        if (pending === null && outcome === DONE) return;
        const { ids } = pending ?? begun;
        await record({ ...begun, outcome, ids: { ...ids, ...idsOfPayload(result) } });
      };
      try {
        const result = await performing(act, work);
        await finish(outcomeOf(result), result);
        return result;
      } catch (error) {
        await finish(codeOf(error), null);
        throw error;
      }
    },

    /** A page, newest first. @throws ForbiddenError for other projects, InvalidInputError */
    async page(
      viewer: Viewer,
      { first, after, ...request }: PageRequest & AuditRequest,
    ): Promise<Page<AuditEntry>> {
      const before = decodeCursor(after, position)?.[0] ?? null;
      const rows = await findAudit(db, scopeOf(viewer, request), request, {
        most: rowsToRead(first),
        before,
      });
      return toPage(rows, first, (item) => ({ item, cursor: encodeCursor([item.number]) }));
    },

    /** All records, newest first, in batches. @throws ForbiddenError for other projects */
    pages(viewer: Viewer, request: AuditRequest): AsyncGenerator<readonly AuditEntry[]> {
      return pagesOf(db, scopeOf(viewer, request), request);
    },
  };
}

/** All records of a scope in batches; each is read when it is asked for. */
export async function* pagesOf(
  db: Db,
  scope: AuditScope,
  filter: AuditFilter,
): AsyncGenerator<readonly AuditEntry[]> {
  let before: string | null = null;
  for (;;) {
    const rows: readonly AuditEntry[] = await findAudit(db, scope, filter, { most: EXPORT_ROWS, before });
    if (rows.length > 0) yield rows;
    if (rows.length < EXPORT_ROWS) return;
    before = rows.at(-1)?.number ?? null;
  }
}

function scopeOf(viewer: Viewer, { projectId, everywhere }: AuditRequest): AuditScope {
  const isOther = everywhere === true || (projectId != null && projectId !== viewer.projectId);
  if (isOther && !viewer.isOperator)
    throw new ForbiddenError('only administrators of this installation read the audit of other projects');
  return everywhere === true ? 'everywhere' : { projectId: projectId ?? viewer.projectId };
}

const nameText = (name: string): string => shorten(toStoredText(name), 200);

/** Expected errors may be returned in place of a payload. */
const outcomeOf = (result: unknown): string => (result instanceof Error ? codeOf(result) : DONE);

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' && /^[A-Z][A-Z_]+$/u.test(code) ? code : 'INTERNAL_SERVER_ERROR';
}
