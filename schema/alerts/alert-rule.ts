/** Rules of alerts. */
import type { RuleOutcome, StoredRule } from '../../src/domain/alerts/alert.ts';
import type { AlertRule } from '../../src/domain/alerts/rule.ts';
import type { Verdict } from '../../src/domain/alerts/evaluate.ts';
import type { RulePreview } from '../../src/services/alerts/alerts.ts';
import { builder } from '../builder.ts';
import { enumOf, MetricScopeEnum } from '../enums.ts';
import { objectResult, resultOf } from '../errors.ts';
import { VALUES_READ } from '../read-costs.ts';
import { User } from '../refs.ts';
import { AlertEvidence } from './alert.ts';

const AlertRuleOutcomeEnum = enumOf<RuleOutcome>(
  'AlertRuleOutcome',
  'What the last evaluation of a rule came to.',
  {
    NEW: 'It was not evaluated since it was saved.',
    QUIET: 'It warns of nothing.',
    WARNS: 'It warns.',
    NOTHING: 'There was nothing to judge: no value, no earlier value, or no such part.',
    FAILED: 'It could not be evaluated, for example because the chip is gone.',
  },
);

const AlertRuleRef = builder.objectRef<StoredRule>('AlertRule').implement({
  rule: 'viewer: project',
  description: 'Of which values of a chip the project wants to be warned.',
  fields: (t) => ({
    ruleId: t.exposeID('id', { description: 'Its id.' }),
    text: t.exposeString('text', { description: 'The rule in one line, as `saveAlertRule` takes it.' }),
    chipId: t.string({ description: 'Name of the chip.', resolve: ({ rule }) => rule.chipId }),
    isEnabled: t.exposeBoolean('isEnabled', { description: 'Whether it is evaluated.' }),
    destinationIds: t.exposeIDList('destinationIds', { description: 'Where its messages go.' }),
    outcome: t.expose('outcome', { type: AlertRuleOutcomeEnum, description: 'Of the last evaluation.' }),
    words: t.exposeString('words', {
      description: 'The same in words, with what could not be judged and why; empty before the first.',
    }),
    evaluatedAt: t.expose('evaluatedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was last evaluated; null for not yet.',
    }),
    changedBy: t.field({
      type: User,
      description: 'Who wrote it last.',
      resolve: ({ viewerId }, _args, { loaders }) => loaders.user.load(viewerId),
    }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed.' }),
  }),
});

const AlertPreviewPart = builder.objectRef<Verdict>('AlertPreviewPart').implement({
  description: 'A part that a rule would warn of.',
  fields: (t) => ({
    partId: t.exposeString('qid', { description: 'Qubit `7` or coupling `4-1`.' }),
    label: t.exposeString('label', { description: 'As people write it: `Q07`.' }),
    evidence: t.field({
      type: AlertEvidence,
      description: 'Why.',
      resolve: ({ evidence }) => evidence,
    }),
  }),
});

const AlertConditionEnum = enumOf<AlertRule['test']['is']>('AlertCondition', 'When a rule warns.', {
  BELOW: 'The current value is below the amount.',
  ABOVE: 'The current value is above the amount.',
  FALLS: 'The value fell by the amount, in percent of the earlier one.',
  RISES: 'The value rose by the amount, in percent of the earlier one.',
  WORSENS: 'The value got worse by the amount, in sigma.',
  OLDER: 'The current value is older than the hours.',
  DISABLED: 'The part or value is disabled.',
  MISSING: 'The part or value is missing.',
  DOUBTFUL: 'The part or value is doubtful.',
});

const AlertRuleTerms = builder.objectRef<AlertRule>('AlertRuleTerms').implement({
  description: 'A rule as data, for a form.',
  fields: (t) => ({
    chipId: t.exposeString('chipId', { description: 'Name of the chip.' }),
    kind: t.expose('kind', { type: MetricScopeEnum, description: 'Qubits or couplings.' }),
    partId: t.exposeString('qid', {
      nullable: true,
      description: 'Qubit `7` or coupling `4-1`; null for any.',
    }),
    parameter: t.exposeString('parameter', {
      nullable: true,
      description: 'Key of the parameter; null for a state of the part.',
    }),
    condition: t.field({
      type: AlertConditionEnum,
      description: 'When it warns.',
      resolve: ({ test }) => test.is,
    }),
    amount: t.float({
      nullable: true,
      description: 'In the unit of the parameter, percent or sigma; null for ages and states.',
      resolve: ({ test }) => amountOf(test),
    }),
    hours: t.float({
      nullable: true,
      description: 'Of an age or a change; null for others, and for changes since the cool-down.',
      resolve: ({ test }) => ('hours' in test ? test.hours : null),
    }),
  }),
});

function amountOf(test: AlertRule['test']): number | null {
  if ('limit' in test) return test.limit;
  if ('percent' in test) return test.percent;
  return 'sigma' in test ? test.sigma : null;
}

const AlertPreview = builder.objectRef<RulePreview>('AlertPreview').implement({
  description: 'What a rule would do now. Nothing is stored.',
  fields: (t) => ({
    text: t.exposeString('text', {
      nullable: true,
      description: 'The rule as it would be stored; null where it cannot be.',
    }),
    terms: t.field({
      type: AlertRuleTerms,
      nullable: true,
      description: 'The same as data; null where it cannot be stored.',
      resolve: ({ rule }) => rule,
    }),
    problem: t.string({
      nullable: true,
      description: 'What is wrong with the text, and what would be right; null for nothing.',
      resolve: ({ problem }) => problem?.message ?? null,
    }),
    problemAt: t.int({
      nullable: true,
      description: 'From which character of the text on, from 1; null for nothing.',
      resolve: ({ problem }) => problem?.at ?? null,
    }),
    words: t.exposeString('words', {
      description: 'What it would come to, with what could not be judged and why.',
    }),
    parts: t.field({
      type: [AlertPreviewPart],
      description: 'Parts that it would warn of, in their order, without muted ones.',
      resolve: ({ verdicts }) => [...verdicts],
    }),
  }),
});

const SaveAlertRuleInput = builder.inputType('SaveAlertRuleInput', {
  description: 'A rule as it is to be.',
  fields: (t) => ({
    ruleId: t.id({
      required: false,
      description: 'The `ruleId` of the one to replace; omit it for a new one.',
    }),
    text: t.string({
      description:
        'One line of at most 300 characters, such as `t1 of any qubit on demo-64 below 20 us`, `t1 of Q27 on demo-64 falls by 50 % within 7 days`, `average_readout_fidelity of any qubit on demo-64 older than 3 days`, `any coupling on demo-64 is disabled`.',
    }),
    chipId: t.string({ required: false, description: 'The chip, where the text names none.' }),
    isEnabled: t.boolean({ required: false, defaultValue: true, description: 'Whether it is evaluated.' }),
    destinationIds: t.idList({
      required: false,
      description: 'Where its messages go, at most 5; without any, alerts are only on the page.',
    }),
  }),
});

const DeleteAlertRuleInput = builder.inputType('DeleteAlertRuleInput', {
  description: 'The rule to delete.',
  fields: (t) => ({ ruleId: t.id({ description: 'The `ruleId` of an AlertRule.' }) }),
});

const DeleteAlertRulePayload = builder
  .objectRef<{ readonly deletedRuleId: string }>('DeleteAlertRulePayload')
  .implement({
    description: 'The rule is gone.',
    fields: (t) => ({ deletedRuleId: t.exposeID('deletedRuleId', { description: 'Its former id.' }) }),
  });

builder.queryFields((t) => ({
  alertRules: t.field({
    rule: 'viewer: project',
    type: [AlertRuleRef],
    description: 'Rules of the project by chip; at most 100.',
    resolve: async (_root, _args, { services, viewer }) => [...(await services.alerts.rules(viewer))],
  }),
  alertPreview: t.field({
    rule: 'viewer: project',
    type: AlertPreview,
    description: 'What a rule would warn of now, or what is wrong with its text.',
    complexity: 3 * VALUES_READ,
    args: {
      text: t.arg.string({ description: 'As `saveAlertRule` takes it.' }),
      chipId: t.arg.string({ required: false, description: 'The chip, where the text names none.' }),
    },
    resolve: (_root, { text, chipId }, { services, viewer }) =>
      services.alerts.preview(viewer, text, chipId ?? null),
  }),
}));

builder.mutationFields((t) => ({
  saveAlertRule: t.field({
    rule: 'editor: project',
    audit: 'CHANGE',
    type: objectResult('SaveAlertRule', {
      field: 'rule',
      type: AlertRuleRef,
      about: 'The rule.',
      description: 'The rule was saved.',
      errors: ['INVALID_INPUT', 'NOT_FOUND', 'FORBIDDEN'],
    }),
    description:
      'Makes or replaces a rule. It is evaluated within seconds, then whenever data of the chip change, and every ten minutes. Open alerts of a rule that asks for something else now are closed.',
    args: { input: t.arg({ type: SaveAlertRuleInput, description: 'The rule.' }) },
    resolve: async (_root, { input: { isEnabled, destinationIds, ...input } }, { services, viewer }) => ({
      rule: await services.alerts.saveRule(viewer, {
        ...input,
        isEnabled: isEnabled ?? true,
        destinationIds: destinationIds ?? [],
      }),
    }),
  }),
  deleteAlertRule: t.field({
    rule: 'editor: project',
    audit: 'DELETE',
    type: resultOf(DeleteAlertRulePayload, ['FORBIDDEN']),
    description: 'Deletes a rule and closes its alerts. Doing so again changes nothing.',
    args: { input: t.arg({ type: DeleteAlertRuleInput, description: 'The rule.' }) },
    resolve: async (_root, { input: { ruleId } }, { services, viewer }) => {
      await services.alerts.deleteRule(viewer, ruleId);
      return { deletedRuleId: ruleId };
    },
  }),
}));
