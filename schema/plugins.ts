/** Declares our own plugins and their options to Pothos, which takes them by its global namespace. */
import type { SchemaTypes } from '@pothos/core';
import type { AuditedKind } from '../src/domain/audit/audit.ts';
import type { Rule } from '../src/domain/members/rule.ts';
import type { AuditsPlugin } from './audits.ts';
import type { RulesPlugin } from './rules.ts';

declare global {
  // eslint-disable-next-line typescript/no-namespace -- as Pothos declares it
  namespace PothosSchemaTypes {
    // eslint-disable-next-line no-unused-vars -- as declared there
    interface Plugins<Types extends SchemaTypes> {
      audits: AuditsPlugin<Types>;
      rules: RulesPlugin<Types>;
    }
    interface BaseTypeOptions {
      /** Of its fields that read more than their parent, and of objects of the type themselves. */
      rule?: Rule;
    }
    interface FieldOptions {
      /** Of this field, in place of that of its type. */
      rule?: Rule;
      /** Kind of the record that the audit keeps of each use of this field. */
      audit?: AuditedKind;
    }
  }
}
