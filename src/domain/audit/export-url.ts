/** Where records of the audit are exported: one URL for the server and its clients. */

/** Route of the server for them. */
export const AUDIT_EXPORT_PATH = '/audit-log/';

/** Formats of an export: a table, or a JSON document a line. */
export const AUDIT_FORMATS = ['csv', 'jsonl'] as const;
export type AuditFormat = (typeof AUDIT_FORMATS)[number];

/** Which records, as the URL has them: kinds as in the audit, times in ISO 8601. */
export type AuditExport = {
  readonly projectId: string;
  readonly format: AuditFormat;
  readonly everywhere?: boolean;
  readonly personId?: string | null;
  readonly kinds?: readonly string[] | null;
  readonly from?: string | null;
  readonly to?: string | null;
};

/** The path and query of an export. */
export function auditExportUrl({
  projectId,
  format,
  everywhere,
  personId,
  kinds,
  from,
  to,
}: AuditExport): string {
  const query = new URLSearchParams({ format });
  if (everywhere === true) query.set('everywhere', '1');
  if (personId) query.set('person', personId);
  for (const kind of kinds ?? []) query.append('kind', kind);
  if (from) query.set('from', from);
  if (to) query.set('to', to);
  return `${AUDIT_EXPORT_PATH}${encodeURIComponent(projectId.toWellFormed())}?${query}`;
}
