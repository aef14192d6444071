import type {
  GroundedNumber as DomainGroundedNumber,
  GroundingStatus,
} from '../../src/domain/grounding/grounded-number.ts';
import { builder } from '../builder.ts';
import { enumOf } from '../enums.ts';

const GroundingStatusEnum = enumOf<GroundingStatus>('GroundingStatus', 'Source of a number in an answer.', {
  SOURCED:
    'It is in a tool result or among the thresholds of the catalogue, in any unit, within its rounding.',
  DERIVED: 'It follows from such numbers by one arithmetic step, or by counting.',
  FROM_USER: 'The user wrote it.',
  UNSOURCED: 'No source was found: treat it with care.',
});

/** A number of an answer. */
export const GroundedNumber = builder.objectRef<DomainGroundedNumber>('GroundedNumber').implement({
  description:
    'A number, date or time in the text of an answer, with its source. Ids, names, list markers and bare small numbers in prose are left out.',
  fields: (t) => ({
    text: t.exposeString('text', { description: 'As written, without its unit.' }),
    offset: t.exposeInt('offset', { description: 'Position in the text, in UTF-16 code units.' }),
    status: t.expose('status', { type: GroundingStatusEnum, description: 'Its source.' }),
    callId: t.exposeString('callId', {
      nullable: true,
      description: 'The tool call whose result contains it; null without one, and if computed from several.',
    }),
    recordId: t.exposeString('recordId', {
      nullable: true,
      description:
        'The task result, else the entity, else the execution that it was read from; null for figures over several records.',
    }),
    unit: t.exposeString('unit', { nullable: true, description: 'Unit as written; null without one.' }),
    measuredAt: t.expose('measuredAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When it was measured; for figures over several records the oldest of them. Null if unknown.',
    }),
  }),
});
