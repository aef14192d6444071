/** Alerts: what rules warn of, and who has seen it. */
import type { Alert as DomainAlert, AlertEnding } from '../../src/domain/alerts/alert.ts';
import type { AlertEvidence as Evidence } from '../../src/domain/alerts/evaluate.ts';
import type { MetricScope } from '../../src/domain/values/metric.ts';
import { builder } from '../builder.ts';
import { enumOf, MetricScopeEnum } from '../enums.ts';
import { objectResult } from '../errors.ts';
import { PAGE_READ } from '../read-costs.ts';
import { User } from '../refs.ts';

const AlertEndingEnum = enumOf<AlertEnding>('AlertEnding', 'How an alert came to its end.', {
  RECOVERED: 'The rule does not warn of it any more.',
  TWIN: 'The other direction of the pair has the same value, and an alert of its own.',
  MUTED: 'Somebody muted the value.',
  RULE_CHANGED: 'The rule was changed, switched off or deleted.',
});

export const AlertEvidence = builder.objectRef<Evidence>('AlertEvidence').implement({
  description: 'The value that a rule judged.',
  fields: (t) => ({
    value: t.exposeFloat('value', {
      nullable: true,
      description: 'In `unit`; null for a state, and for a part without a number.',
    }),
    before: t.exposeFloat('before', {
      nullable: true,
      description: 'The earlier value that it is compared with; null for rules that do not compare.',
    }),
    unit: t.exposeString('unit', { description: 'Of both; may be empty.' }),
    measuredAt: t.expose('measuredAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was measured; null where that is unknown.',
    }),
    taskId: t.exposeString('taskId', {
      nullable: true,
      description: 'The task result that it comes from, for `taskResult`; null where none is recorded.',
    }),
    words: t.exposeString('words', { description: 'All of it as a sentence.' }),
  }),
});

export const Alert = builder.objectRef<DomainAlert>('Alert').implement({
  rule: 'viewer: project',
  description: 'That a rule warns of a part of a chip, from when to when.',
  fields: (t) => ({
    alertId: t.exposeID('id', { description: 'Its id.' }),
    ruleId: t.exposeID('ruleId', { description: 'The AlertRule; it may be deleted since.' }),
    ruleText: t.exposeString('ruleText', { description: 'The rule as it was.' }),
    chipId: t.exposeString('chipId', { description: 'Name of the chip.' }),
    kind: t.field({
      type: MetricScopeEnum,
      description: 'Whether the part is a qubit or a coupling.',
      resolve: ({ kind }): MetricScope => kind,
    }),
    partId: t.exposeString('qid', { description: 'Qubit `7` or coupling `4-1`.' }),
    label: t.exposeString('label', { description: 'The part as people write it: `Q07`.' }),
    parameter: t.exposeString('parameter', {
      nullable: true,
      description: 'Key of the parameter; null where it is about the part.',
    }),
    evidence: t.field({
      type: AlertEvidence,
      description: 'What it rests on, as of the last evaluation while it was open.',
      resolve: ({ evidence }) => evidence,
    }),
    openedAt: t.expose('openedAt', { type: 'DateTime', description: 'When it was found.' }),
    closedAt: t.expose('closedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it ended; null while it is open.',
    }),
    ending: t.expose('ending', {
      type: AlertEndingEnum,
      nullable: true,
      description: 'How it ended; null while it is open.',
    }),
    acknowledgedBy: t.field({
      type: User,
      nullable: true,
      description: 'Who has seen it and takes care; null for nobody yet.',
      resolve: ({ acknowledgedBy }, _args, { loaders }) =>
        acknowledgedBy === null ? null : loaders.user.load(acknowledgedBy),
    }),
    acknowledgedAt: t.expose('acknowledgedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When; null for nobody yet.',
    }),
    note: t.exposeString('note', {
      nullable: true,
      description: 'What they wrote with it; null for nothing.',
    }),
  }),
});

const AlertCounts = builder
  .objectRef<{ readonly open: number; readonly waiting: number }>('AlertCounts')
  .implement({
    description: 'How many alerts of the project are open.',
    fields: (t) => ({
      open: t.exposeInt('open', { description: 'All that are open.' }),
      waiting: t.exposeInt('waiting', { description: 'Of these, those that nobody acknowledged.' }),
    }),
  });

const AcknowledgeAlertInput = builder.inputType('AcknowledgeAlertInput', {
  description: 'The alert that the viewer has seen.',
  fields: (t) => ({
    alertId: t.id({ description: 'The `alertId` of an Alert.' }),
    note: t.string({ required: false, description: 'What to know about it, at most 500 characters.' }),
  }),
});

builder.queryFields((t) => ({
  alerts: t.field({
    rule: 'viewer: project',
    type: [Alert],
    description: 'Alerts of the project, the last opened first; at most 500.',
    complexity: PAGE_READ,
    args: {
      isOpen: t.arg.boolean({
        defaultValue: true,
        description: 'Those that are open, else those that ended.',
      }),
      chipId: t.arg.string({ required: false, description: 'Of one chip only.' }),
    },
    resolve: async (_root, { isOpen, chipId }, { services, viewer }) => [
      ...(await services.alerts.list(viewer, { isOpen, chipId: chipId ?? null })),
    ],
  }),
  alertCounts: t.field({
    rule: 'viewer: project',
    type: AlertCounts,
    description: 'How many alerts of the project are open, for a badge.',
    resolve: (_root, _args, { services, viewer }) => services.alerts.count(viewer),
  }),
}));

builder.mutationField('acknowledgeAlert', (t) =>
  t.field({
    rule: 'editor: project',
    audit: 'CHANGE',
    type: objectResult('AcknowledgeAlert', {
      field: 'alert',
      type: Alert,
      about: 'The alert, with who acknowledged it first.',
      description: 'It is noted.',
      errors: ['INVALID_INPUT', 'NOT_FOUND', 'FORBIDDEN'],
    }),
    description:
      'Notes that the viewer has seen an alert. No message that still waits is sent of it. The first one to do so stays noted.',
    args: { input: t.arg({ type: AcknowledgeAlertInput, description: 'The alert.' }) },
    resolve: async (_root, { input: { alertId, note } }, { services, viewer }) => ({
      alert: await services.alerts.acknowledge(viewer, { alertId, note }),
    }),
  }),
);
