import type {
  GroundedNumber as DomainGroundedNumber,
  GroundingStatus,
} from '../../src/domain/grounding/grounded-number.ts';
import { builder } from '../builder.ts';
import { enumOf } from '../enums.ts';

const GroundingStatusEnum = enumOf<GroundingStatus>(
  'GroundingStatus',
  'Where a number of an answer comes from.',
  {
    SOURCED:
      'It stands in a tool result or among the thresholds of the catalogue, in any unit, within its shown rounding.',
    DERIVED: 'It follows from such numbers by one step of arithmetic, or by counting.',
    FROM_USER: 'The user wrote it.',
    UNSOURCED: 'It has no source that could be found: treat it with care.',
  },
);

/** A number of an answer. */
export const GroundedNumber = builder.objectRef<DomainGroundedNumber>('GroundedNumber').implement({
  description:
    'A number, date or time in the text of an answer, with where it comes from. Ids, names, list marks and bare small numbers of prose are not among them.',
  fields: (t) => ({
    text: t.exposeString('text', { description: 'As it is written, without its unit.' }),
    offset: t.exposeInt('offset', { description: 'UTF-16 code units of the text before it.' }),
    status: t.expose('status', { type: GroundingStatusEnum, description: 'Where it comes from.' }),
    callId: t.exposeString('callId', {
      nullable: true,
      description:
        'The tool call whose result holds it; null without one, and where several were computed with.',
    }),
    recordId: t.exposeString('recordId', {
      nullable: true,
      description:
        'The task result, else the entity, else the execution that it was read from; null for figures over several.',
    }),
    unit: t.exposeString('unit', { nullable: true, description: 'The unit in which it is written.' }),
    measuredAt: t.expose('measuredAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was measured; of figures over several records the oldest of them.',
    }),
  }),
});
