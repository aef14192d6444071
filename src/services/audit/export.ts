import type { AuditEntry } from '../../domain/audit/audit.ts';
import type { AuditFormat } from '../../domain/audit/export-url.ts';
import { toCsv } from '../../domain/text/csv.ts';

const COLUMNS = [
  'number',
  'at',
  'kind',
  'action',
  'outcome',
  'personId',
  'personName',
  'keyId',
  'address',
  'projectId',
] as const satisfies readonly (keyof AuditEntry)[];

/** What an export begins with. */
export const auditHead = (format: AuditFormat): string =>
  format === 'csv' ? `${toCsv([[...COLUMNS, 'ids']])}\r\n` : '';

/** Records as lines of an export; in a table, ids are one cell of JSON. */
export const auditText = (format: AuditFormat, entries: readonly AuditEntry[]): string =>
  format === 'csv'
    ? `${toCsv(entries.map(cellsOf))}\r\n`
    : entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');

const cellsOf = (entry: AuditEntry): readonly (string | null)[] => [
  ...COLUMNS.map((column) => (column === 'at' ? entry.at.toISOString() : entry[column])),
  JSON.stringify(entry.ids),
];
