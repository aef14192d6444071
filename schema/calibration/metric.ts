import type { Metric as DomainMetric } from '../../src/domain/values/metric.ts';
import { builder } from '../builder.ts';
import { DirectionEnum, MetricScopeEnum } from '../enums.ts';

const Metric = builder.objectRef<DomainMetric>('Metric').implement({
  description: 'A calibration parameter that the lab has an opinion about. Thresholds are in display scale.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Its key, for example `t1`.' }),
    title: t.exposeString('title', { description: 'Its name for people.' }),
    unit: t.exposeString('unit', { description: 'Unit of shown values.' }),
    scale: t.exposeFloat('scale', { description: 'A stored value times this is in `unit`.' }),
    direction: t.expose('direction', { type: DirectionEnum, description: 'Which way is better.' }),
    scope: t.expose('scope', { type: MetricScopeEnum, description: 'What it is measured on.' }),
    good: t.exposeFloat('good', {
      nullable: true,
      description: 'From here on a value is good, in `unit`; null: not rated.',
    }),
    excellent: t.exposeFloat('excellent', {
      nullable: true,
      description: 'From here on a value is excellent, in `unit`; null: not rated.',
    }),
    bad: t.exposeFloat('bad', {
      nullable: true,
      description: 'From here on a value is bad, in `unit`; null: not rated.',
    }),
    staleAfterHours: t.exposeInt('staleAfterHours', {
      nullable: true,
      description: 'A value older than so many hours is stale; null: no limit.',
    }),
  }),
});

builder.queryField('metrics', (t) =>
  t.field({
    type: [Metric],
    description: 'The catalogue of metrics in the order in which they are shown.',
    resolve: (_root, _args, { services }) => [...services.metrics.metrics],
  }),
);
