import type { Generated } from 'kysely';
import type { AuditIds, AuditKind } from '../../../domain/audit/audit.ts';

/** Only `record_act` adds to it. */
export type AuditLogTable = {
  number: Generated<string>;
  at: Generated<Date>;
  kind: AuditKind;
  action: string;
  outcome: string;
  person_id: string | null;
  person_name: string | null;
  key_id: string | null;
  address: string | null;
  project_id: string | null;
  ids: AuditIds;
};
