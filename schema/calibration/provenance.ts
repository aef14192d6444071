import type {
  ParameterVersion as Version,
  ProvenanceGraph as Graph,
  ProvenanceNode as Node,
  ProvenanceRelation,
} from '../../src/domain/records/provenance.ts';
import { builder } from '../builder.ts';
import { ProvenanceKindEnum, ProvenanceRelationEnum, TaskStatusEnum } from '../enums.ts';
import { Qubit } from '../refs.ts';
import { chipOf } from './chip-parts.ts';

const entityOf = (node: Node) => (node.kind === 'ENTITY' ? node.entity : null);
const activityOf = (node: Node) => (node.kind === 'ACTIVITY' ? node.activity : null);
const recordOf = (node: Node) => (node.kind === 'ENTITY' ? node.entity : node.activity);

const ProvenanceNode = builder.objectRef<Node>('ProvenanceNode').implement({
  description: 'A version of a parameter, or the run of a task that used or made versions.',
  fields: (t) => ({
    nodeId: t.exposeString('id', { description: 'Id that the edges name.' }),
    kind: t.expose('kind', { type: ProvenanceKindEnum, description: 'What it is.' }),
    depth: t.exposeInt('depth', { description: 'Arrows between it and the origin, at least.' }),
    qid: t.string({ description: 'Qubit or coupling.', resolve: (node) => recordOf(node).qid }),
    taskName: t.string({
      description: 'Task that made the version, or that was run.',
      resolve: (node) => recordOf(node).taskName,
    }),
    executionId: t.string({
      description: 'The execution it belongs to.',
      resolve: (node) => recordOf(node).executionId,
    }),
    taskId: t.string({
      description: 'The task result it belongs to.',
      resolve: (node) => recordOf(node).taskId,
    }),
    parameter: t.string({
      nullable: true,
      description: 'Key of the parameter; null for runs.',
      resolve: (node) => entityOf(node)?.parameter ?? null,
    }),
    value: t.float({
      nullable: true,
      description: 'Value as stored, in `unit`; null for runs and for what is not a number.',
      resolve: (node) => entityOf(node)?.value ?? null,
    }),
    text: t.string({
      nullable: true,
      description: 'The stored value when it is not a number.',
      resolve: (node) => entityOf(node)?.text ?? null,
    }),
    unit: t.string({
      nullable: true,
      description: 'Unit of `value` as stored; null for runs.',
      resolve: (node) => entityOf(node)?.unit ?? null,
    }),
    version: t.int({
      nullable: true,
      description: 'Number of the version; null for runs.',
      resolve: (node) => entityOf(node)?.version ?? null,
    }),
    newestVersion: t.int({
      nullable: true,
      description: 'Number of the newest version on this chip; null for runs.',
      resolve: (node) => (node.kind === 'ENTITY' ? node.newestVersion : null),
    }),
    at: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Since when the version holds; when the run ended, else started.',
      resolve: (node) =>
        node.kind === 'ENTITY' ? node.entity.validFrom : (node.activity.endedAt ?? node.activity.startedAt),
    }),
    status: t.field({
      type: TaskStatusEnum,
      nullable: true,
      description: 'How the run ended; null for versions.',
      resolve: (node) => activityOf(node)?.status ?? null,
    }),
  }),
});

const ProvenanceEdge = builder.objectRef<ProvenanceRelation>('ProvenanceEdge').implement({
  description: 'An arrow from a node to what it came from.',
  fields: (t) => ({
    relation: t.expose('relation', { type: ProvenanceRelationEnum, description: 'How it came from it.' }),
    source: t.exposeString('sourceId', { description: '`nodeId` of the node that came from the other.' }),
    target: t.exposeString('targetId', { description: '`nodeId` of the node that it came from.' }),
  }),
});

const ProvenanceGraph = builder.objectRef<Graph>('ProvenanceGraph').implement({
  description: 'Where a version came from, on its own chip.',
  fields: (t) => ({
    origin: t.exposeString('origin', { description: '`nodeId` of the version that was asked about.' }),
    nodes: t.field({
      type: [ProvenanceNode],
      description: 'Nearest first.',
      resolve: ({ nodes }) => [...nodes],
    }),
    edges: t.field({
      type: [ProvenanceEdge],
      description: 'Each joins two of the nodes.',
      resolve: ({ edges }) => [...edges],
    }),
    hasMore: t.exposeBoolean('hasMore', {
      description: 'True when origins beyond the depth asked for were left out.',
    }),
    missing: t.stringList({
      description: "Ids that were recorded as origins and that the chip's records do not hold.",
      resolve: ({ missing }) => [...missing],
    }),
  }),
});

const ParameterVersion = builder.objectRef<Version>('ParameterVersion').implement({
  description: 'A value that a parameter had for a time, as stored.',
  fields: (t) => ({
    entityId: t.exposeString('entityId', { description: '`parameter:qid:execution:task`.' }),
    version: t.exposeInt('version', {
      description: 'Number; databases count over all chips of a project, so that some may be skipped.',
    }),
    value: t.exposeFloat('value', { nullable: true, description: 'As stored, in `unit`.' }),
    text: t.exposeString('text', {
      nullable: true,
      description: 'The stored value when it is not a number.',
    }),
    unit: t.exposeString('unit', { description: 'Unit of `value` and `error` as stored.' }),
    error: t.exposeFloat('error', {
      nullable: true,
      description: 'Standard error in `unit`; null when none was recorded.',
    }),
    taskName: t.exposeString('taskName', { description: 'Task that made it.' }),
    executionId: t.exposeString('executionId', { description: 'The execution it came from.' }),
    taskId: t.exposeString('taskId', { description: 'The task result it came from.' }),
    validFrom: t.expose('validFrom', { type: 'DateTime', description: 'Since when it holds.' }),
    validUntil: t.expose('validUntil', {
      type: 'DateTime',
      nullable: true,
      description: 'When a newer version of this chip took its place; null for the one that holds now.',
    }),
    provenance: t.field({
      type: ProvenanceGraph,
      description: 'Where it came from.',
      args: {
        maxDepth: t.arg.int({
          required: false,
          defaultValue: 5,
          description: 'Most arrows from the origin, 1 to 20.',
        }),
      },
      resolve: async (version, { maxDepth }, context) =>
        context.services.lineage.graph(await chipOf(version, context), version.entityId, maxDepth ?? 5),
    }),
  }),
});

builder.objectField(Qubit, 'lineage', (t) =>
  t.field({
    type: [ParameterVersion],
    description: 'Versions of one parameter, newest first.',
    complexity: ({ lastN }) => ({ field: 1, multiplier: lastN ?? 10 }),
    args: {
      parameter: t.arg.string({ description: 'Key of the parameter.' }),
      lastN: t.arg.int({
        required: false,
        defaultValue: 10,
        description: 'Newest so many versions, 1 to 200.',
      }),
    },
    resolve: async (qubit, { parameter, lastN }, { loaders }) => [
      ...(await loaders.lineage.load({ qubit, parameter, lastN: lastN ?? 10 })),
    ],
  }),
);
