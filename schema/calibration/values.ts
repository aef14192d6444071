/** Values of parameters: single ones, statistics, their metrics and their age. */
import type { Metric as DomainMetric } from '../../src/domain/values/metric.ts';
import { isStale } from '../../src/domain/values/freshness.ts';
import { builder } from '../builder.ts';
import { DataSourceEnum, DirectionEnum, MetricScopeEnum, RatingEnum } from '../enums.ts';
import { Freshness, ParameterStatistics, ParameterValue } from '../refs.ts';

ParameterValue.implement({
  description:
    'A value of a parameter, as stored (`value`, `unit`) and as shown (`displayValue`, `displayUnit`).',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Key of the parameter, for example `t1`.' }),
    title: t.exposeString('title', { description: 'Name for people.' }),
    value: t.exposeFloat('value', {
      nullable: true,
      description: 'As stored, in `unit`; null if it is not a number.',
    }),
    unit: t.exposeString('unit', { description: 'Unit of `value` and `error`.' }),
    displayValue: t.exposeFloat('displayValue', {
      nullable: true,
      description: 'As shown, in `displayUnit`; null if it is not a number.',
    }),
    displayUnit: t.exposeString('displayUnit', { description: 'Unit of `displayValue`.' }),
    text: t.exposeString('text', { nullable: true, description: 'The stored value if it is not a number.' }),
    error: t.exposeFloat('error', {
      nullable: true,
      description: 'Standard error in `unit`; null if none was recorded.',
    }),
    calibratedAt: t.expose('calibratedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was measured; null if unknown.',
    }),
    executionId: t.exposeString('executionId', {
      nullable: true,
      description: 'The execution that produced it; null if unknown.',
    }),
    taskId: t.exposeString('taskId', {
      nullable: true,
      description: 'The task result that produced it; null if unknown.',
    }),
    rating: t.expose('rating', {
      type: RatingEnum,
      nullable: true,
      description: 'Its rating by the thresholds of its metric; null without a metric.',
    }),
    isStale: t.exposeBoolean('isStale', { description: 'Whether it is older than its metric allows.' }),
  }),
});

ParameterStatistics.implement({
  description:
    'Statistics of a parameter over qubits or over couplings, one value each, in display scale. All but the counts are null without values.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Key of the parameter.' }),
    title: t.exposeString('title', { description: 'Name for people.' }),
    unit: t.exposeString('displayUnit', { description: 'Unit of all values here.' }),
    count: t.int({ description: 'Entities with a usable value.', resolve: ({ display }) => display.count }),
    missing: t.exposeInt('missing', { description: 'Entities without a usable value.' }),
    mean: t.float({
      nullable: true,
      description: 'Arithmetic mean.',
      resolve: ({ display }) => display.mean,
    }),
    median: t.float({ nullable: true, description: 'Median.', resolve: ({ display }) => display.median }),
    stdev: t.float({
      nullable: true,
      description: 'Sample standard deviation; null for fewer than two values.',
      resolve: ({ display }) => display.stdev,
    }),
    min: t.float({ nullable: true, description: 'Smallest value.', resolve: ({ display }) => display.min }),
    max: t.float({ nullable: true, description: 'Largest value.', resolve: ({ display }) => display.max }),
  }),
});

const Metric = builder.objectRef<DomainMetric>('Metric').implement({
  description:
    'A calibration parameter that is in the catalogue of the lab. Thresholds are in display scale.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Its key, for example `t1`.' }),
    title: t.exposeString('title', { description: 'Name for people.' }),
    unit: t.exposeString('unit', { description: 'Unit of shown values.' }),
    scale: t.exposeFloat('scale', { description: 'Factor from a stored value to one in `unit`.' }),
    direction: t.expose('direction', { type: DirectionEnum, description: 'Which direction is better.' }),
    scope: t.expose('scope', { type: MetricScopeEnum, description: 'What it is measured on.' }),
    good: t.exposeFloat('good', {
      nullable: true,
      description: 'Threshold of a good value, in `unit`; null if not rated.',
    }),
    excellent: t.exposeFloat('excellent', {
      nullable: true,
      description: 'Threshold of an excellent value, in `unit`; null if not rated.',
    }),
    bad: t.exposeFloat('bad', {
      nullable: true,
      description: 'Threshold of a bad value, in `unit`; null if not rated.',
    }),
    disabledAt: t.float({
      nullable: true,
      description: 'A value as low as this, in `unit`, marks a disabled part; null without such a mark.',
      resolve: (metric) => metric.disabledAt ?? null,
    }),
    staleAfterHours: t.exposeInt('staleAfterHours', {
      nullable: true,
      description: 'Age in hours from which a value is stale; null without a limit.',
    }),
  }),
});

builder.queryField('metrics', (t) =>
  t.field({
    rule: 'viewer: project',
    type: [Metric],
    description: 'The catalogue of metrics in display order.',
    resolve: (_root, _args, { services }) => [...services.metrics.metrics],
  }),
);

Freshness.implement({
  rule: 'viewer: project',
  description: 'Age of the rows behind a result.',
  fields: (t) => ({
    source: t.expose('source', { type: DataSourceEnum, description: 'Where the rows came from.' }),
    newestAt: t.expose('newestAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the newest row was measured; null if no row has a time.',
    }),
    oldestAt: t.expose('oldestAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the oldest row was measured; null if no row has a time.',
    }),
    staleAfterSeconds: t.exposeInt('staleAfterSeconds', {
      nullable: true,
      description: 'The strictest age limit of the metrics used, in seconds; null without a limit.',
    }),
    isStale: t.boolean({
      description: 'Whether the oldest row is older than the limit at the time of the request.',
      resolve: (freshness, _args, { now }) => isStale(freshness, now()),
    }),
  }),
});
