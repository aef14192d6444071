import type { TimeRange, TimeRangeKind, TimeSpan } from '../../src/domain/values/time-range.ts';
import { builder } from '../builder.ts';
import { enumOf } from '../enums.ts';

const TimeRangeKindEnum = enumOf<TimeRangeKind>('TimeRangeKind', 'Which times are meant.', {
  LAST: 'The last hours, until now.',
  COOLDOWN: 'Since the cool-down began that the chip is in.',
  BETWEEN: 'From one time until before another; one of them may be left out.',
});

export const TimeRangeRef = builder.objectRef<TimeRange>('TimeRange').implement({
  description: 'Times that results are asked for; relative ones go on with the clock.',
  fields: (t) => ({
    kind: t.expose('kind', { type: TimeRangeKindEnum, description: 'Which times.' }),
    hours: t.exposeInt('hours', { nullable: true, description: 'Of LAST; null for others.' }),
    from: t.expose('from', { type: 'DateTime', nullable: true, description: 'Of BETWEEN; null: any time.' }),
    to: t.expose('to', { type: 'DateTime', nullable: true, description: 'Of BETWEEN; null: now.' }),
  }),
});

export const TimeRangeInput = builder.inputType('TimeRangeInput', {
  description: 'Times that results are asked for.',
  fields: (t) => ({
    kind: t.field({ type: TimeRangeKindEnum, description: 'Which times.' }),
    hours: t.int({ required: false, description: 'For LAST, 1 to 87,600.' }),
    from: t.field({ type: 'DateTime', required: false, description: 'For BETWEEN.' }),
    to: t.field({ type: 'DateTime', required: false, description: 'For BETWEEN.' }),
  }),
});

export const TimeSpanRef = builder.objectRef<TimeSpan>('TimeSpan').implement({
  description: 'Two times; null: open.',
  fields: (t) => ({
    from: t.expose('from', { type: 'DateTime', nullable: true, description: 'At or after this time.' }),
    to: t.expose('to', { type: 'DateTime', nullable: true, description: 'Before this time.' }),
  }),
});
