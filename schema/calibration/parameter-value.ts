import { RatingEnum } from '../enums.ts';
import { ParameterValue } from '../refs.ts';

ParameterValue.implement({
  description:
    'One value of one parameter, as stored (`value`, `unit`) beside as shown (`displayValue`, `displayUnit`).',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Key of the parameter, for example `t1`.' }),
    title: t.exposeString('title', { description: 'Name for people.' }),
    value: t.exposeFloat('value', {
      nullable: true,
      description: 'As stored, in `unit`; null when it is not a number.',
    }),
    unit: t.exposeString('unit', { description: 'Unit of `value` and `error`.' }),
    displayValue: t.exposeFloat('displayValue', {
      nullable: true,
      description: 'As shown, in `displayUnit`; null when it is not a number.',
    }),
    displayUnit: t.exposeString('displayUnit', { description: 'Unit of `displayValue`.' }),
    text: t.exposeString('text', {
      nullable: true,
      description: 'The stored value when it is not a number.',
    }),
    error: t.exposeFloat('error', {
      nullable: true,
      description: 'Standard error in `unit`; null when none was recorded.',
    }),
    calibratedAt: t.expose('calibratedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was measured.',
    }),
    executionId: t.exposeString('executionId', {
      nullable: true,
      description: 'The execution it came from.',
    }),
    taskId: t.exposeString('taskId', { nullable: true, description: 'The task result it came from.' }),
    rating: t.expose('rating', { type: RatingEnum, nullable: true, description: 'How good it is.' }),
    isStale: t.exposeBoolean('isStale', { description: 'True when it is older than its metric allows.' }),
  }),
});
