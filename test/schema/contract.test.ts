import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { isObjectType, parse, print, printSchema, validate } from 'graphql';
import { schema } from '../../schema/index.ts';
import { describeWithSharedData, sharedPath } from '../support/shared-data.ts';

/** `Type.field(argument)` to its type and default value as text, for everything that clients rely on. */
function signatures(sdl: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const definition of parse(sdl).definitions) {
    if (definition.kind === 'InputObjectTypeDefinition') {
      for (const { name, type } of definition.fields ?? []) {
        found.set(`${definition.name.value}.${name.value}`, print(type));
      }
    }
    if (definition.kind !== 'ObjectTypeDefinition' && definition.kind !== 'InterfaceTypeDefinition') continue;
    for (const field of definition.fields ?? []) {
      const name = `${definition.name.value}.${field.name.value}`;
      found.set(name, print(field.type));
      for (const arg of field.arguments ?? []) {
        const preset = arg.defaultValue ? ` = ${print(arg.defaultValue)}` : '';
        found.set(`${name}(${arg.name.value})`, print(arg.type) + preset);
      }
    }
  }
  return found;
}

describeWithSharedData('the printed schema', () => {
  const ours = signatures(printSchema(schema));

  test('has the types, nullabilities and defaults of the contract for everything that both name', () => {
    const contract = signatures(readFileSync(sharedPath('design/schema-contract.graphql'), 'utf8'));
    const shared = [...ours].filter(([name]) => contract.has(name));
    const differing = shared.filter(([name, type]) => contract.get(name) !== type);
    expect(differing.map(([name, type]) => `${name}: ${type}, not ${contract.get(name)}`)).toEqual([]);
    expect(shared.length).toBeGreaterThan(200);
  });

  test('has what was added to the contract since', () => {
    expect(ours.get('Usage.estimated')).toBe('Boolean!');
    const ofJob = ['usage', 'limits', 'report'].map((name) => ours.get(`Job.${name}`));
    expect(ofJob).toEqual(['JobUsage!', 'JobLimits!', 'JobReport']);
    expect(ours.get('JobLimits.tokens')).toBe('JobLimit!');
  });

  test('has exactly these queries, mutations and subscriptions', () => {
    const queries =
      'node boards board viewer members budgets auditLog chips chip qubit coupling taskResult metrics copilotConfig copilotSession copilotSessions builderSession builderSessions experts expert modelCatalog configPresets datasources jobDraft job jobs search searchRecords';
    const expected = queries.split(' ').map((name) => `Query.${name}`);
    expected.push(
      'Mutation.sendMessage',
      'Mutation.cancelTurn',
      'Mutation.decideToolCall',
      'Query.labServers',
      'Mutation.retryTurn',
      'Mutation.editMessage',
      'Mutation.disputeMessage',
      'Mutation.rateMessage',
      'Mutation.renameCopilotSession',
      'Mutation.deleteCopilotSession',
      'Mutation.deleteJob',
      'Mutation.createUpload',
      'Mutation.createBuilderSession',
      'Mutation.sendBuilderMessage',
      'Mutation.retryBuilderTurn',
      'Mutation.editBuilderMessage',
      'Mutation.updateArtifacts',
      'Mutation.revertArtifact',
      'Mutation.resolveArtifactHunks',
      'Mutation.reopenBuilderSession',
      'Mutation.purgeOrphanBuilderSessions',
      'Mutation.createJob',
      'Mutation.cancelJob',
      'Mutation.retryJob',
      'Mutation.reviewJob',
      'Mutation.saveExpert',
      'Mutation.deleteExpert',
      'Mutation.reloadExperts',
      'Mutation.createBoard',
      'Mutation.saveBoard',
      'Mutation.pinToBoard',
      'Mutation.deleteBoard',
      'Query.alertDestinations',
      'Mutation.saveAlertDestination',
      'Mutation.deleteAlertDestination',
      'Mutation.testAlertDestination',
      'Mutation.sendAlertDeliveryAgain',
      'Query.alerts',
      'Query.alertCounts',
      'Query.alertRules',
      'Query.alertPreview',
      'Mutation.saveAlertRule',
      'Mutation.deleteAlertRule',
      'Mutation.acknowledgeAlert',
      'Query.mutes',
      'Mutation.mute',
      'Mutation.unmute',
      'Mutation.setBudget',
      'Mutation.setMember',
      'Mutation.removeMember',
      'Mutation.shareSession',
      'Mutation.shareJob',
      'Mutation.shareAnswer',
      'Mutation.openShared',
      'Mutation.addComment',
      'Mutation.deleteComment',
      'Mutation.handOverJob',
      'Query.sharedSessions',
      'Query.sharedJobs',
      'Query.sharedAnswer',
      'Query.sharedAnswers',
      'Subscription.answerIsShared',
      'Subscription.commentsUpdated',
      'Subscription.copilotEvents',
      'Subscription.builderEvents',
      'Subscription.chipUpdated',
      'Subscription.jobEvents',
      'Subscription.jobUpdated',
    );
    const roots = [...ours.keys()].filter((name) => /^(Query|Mutation|Subscription)\.\w+$/.test(name));
    expect(roots.toSorted()).toEqual(expected.toSorted());
  });
});

test('deprecated fields name their replacement and the version that removes them', () => {
  const fields = Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .flatMap((type) => Object.values(type.getFields()).map((field) => ({ type, field })));
  const deprecated = fields.filter(({ field }) => field.deprecationReason != null);
  expect(deprecated.map(({ type, field }) => `${type.name}.${field.name}`)).toEqual(
    expect.arrayContaining(['ToolCallFinishedEvent.status', 'TurnFinishedEvent.status']),
  );
  for (const { type, field } of deprecated) {
    const [, replacement = ''] = /^Use `(\w+)`; removed in 0\.\d$/.exec(field.deprecationReason ?? '') ?? [];
    expect(Object.keys(type.getFields())).toContain(replacement);
  }
});

test('one selection reads the outcome of tool calls and of turns without an alias', () => {
  const document = parse(`subscription ($id: ID!) { copilotEvents(sessionId: $id) {
    ... on ToolCallFinishedEvent { toolStatus } ... on TurnFinishedEvent { turnStatus } } }`);
  expect(validate(schema, document)).toEqual([]);
});
