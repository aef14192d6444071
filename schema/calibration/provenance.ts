import type {
  ParameterVersion as Version,
  ProvenanceGraph as Graph,
  ProvenanceNode as Node,
  ProvenanceRelation,
} from '../../src/domain/records/provenance.ts';
import { builder } from '../builder.ts';
import { lastRowsCost, PAGE_READ } from '../read-costs.ts';
import { ProvenanceKindEnum, ProvenanceRelationEnum, TaskStatusEnum } from '../enums.ts';
import { Qubit } from '../refs.ts';
import { chipOf } from './chip-parts.ts';

const entityOf = (node: Node) => (node.kind === 'ENTITY' ? node.entity : null);
const activityOf = (node: Node) => (node.kind === 'ACTIVITY' ? node.activity : null);
const recordOf = (node: Node) => (node.kind === 'ENTITY' ? node.entity : node.activity);

const ProvenanceNode = builder.objectRef<Node>('ProvenanceNode').implement({
  description: 'A version of a parameter, or a task run that used or produced versions.',
  fields: (t) => ({
    nodeId: t.exposeString('id', { description: 'Id used by the edges.' }),
    kind: t.expose('kind', { type: ProvenanceKindEnum, description: 'Its kind.' }),
    excluded: t.exposeBoolean('excluded', { description: 'Whether its task result was excluded.' }),
    depth: t.exposeInt('depth', { description: 'Smallest number of edges from the origin.' }),
    qid: t.string({ description: 'Qubit or coupling.', resolve: (node) => recordOf(node).qid }),
    taskName: t.string({
      description: 'The task that produced the version, or that was run.',
      resolve: (node) => recordOf(node).taskName,
    }),
    executionId: t.string({
      description: 'Its execution.',
      resolve: (node) => recordOf(node).executionId,
    }),
    taskId: t.string({
      description: 'Its task result.',
      resolve: (node) => recordOf(node).taskId,
    }),
    parameter: t.string({
      nullable: true,
      description: 'Key of the parameter; null for runs.',
      resolve: (node) => entityOf(node)?.parameter ?? null,
    }),
    value: t.float({
      nullable: true,
      description: 'Value as stored, in `unit`; null for runs and for non-numeric values.',
      resolve: (node) => entityOf(node)?.value ?? null,
    }),
    text: t.string({
      nullable: true,
      description: 'The stored value if it is not a number.',
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
      description: 'Start of the validity of a version; end, else start, of a run. Null if unknown.',
      resolve: (node) =>
        node.kind === 'ENTITY' ? node.entity.validFrom : (node.activity.endedAt ?? node.activity.startedAt),
    }),
    status: t.field({
      type: TaskStatusEnum,
      nullable: true,
      description: 'State of the run; null for versions.',
      resolve: (node) => activityOf(node)?.status ?? null,
    }),
  }),
});

const ProvenanceEdge = builder.objectRef<ProvenanceRelation>('ProvenanceEdge').implement({
  description: 'An edge from a node to its origin.',
  fields: (t) => ({
    relation: t.expose('relation', {
      type: ProvenanceRelationEnum,
      description: 'How the source relates to the target.',
    }),
    source: t.exposeString('sourceId', { description: '`nodeId` of the later node.' }),
    target: t.exposeString('targetId', { description: '`nodeId` of the node that it originates from.' }),
  }),
});

const ProvenanceGraph = builder.objectRef<Graph>('ProvenanceGraph').implement({
  description: 'Origins of a version, within its chip.',
  fields: (t) => ({
    origin: t.exposeString('origin', { description: '`nodeId` of the requested version.' }),
    nodes: t.field({
      type: [ProvenanceNode],
      description: 'Nearest first.',
      resolve: ({ nodes }) => [...nodes],
    }),
    edges: t.field({
      type: [ProvenanceEdge],
      description: 'Each connects two of the nodes.',
      resolve: ({ edges }) => [...edges],
    }),
    hasMore: t.exposeBoolean('hasMore', {
      description: 'Whether origins past the requested depth were left out.',
    }),
    missing: t.stringList({
      description: "Ids recorded as origins that are not among the chip's records.",
      resolve: ({ missing }) => [...missing],
    }),
  }),
});

const ParameterVersion = builder.objectRef<Version>('ParameterVersion').implement({
  rule: 'viewer: project',
  description: 'A value that a parameter had for some time, as stored.',
  fields: (t) => ({
    entityId: t.exposeString('entityId', { description: '`parameter:qid:execution:task`.' }),
    version: t.exposeInt('version', {
      description: 'Version number; databases count over all chips of a project, so numbers may be skipped.',
    }),
    value: t.exposeFloat('value', {
      nullable: true,
      description: 'As stored, in `unit`; null if it is not a number.',
    }),
    text: t.exposeString('text', {
      nullable: true,
      description: 'The stored value if it is not a number.',
    }),
    unit: t.exposeString('unit', { description: 'Unit of `value` and `error` as stored.' }),
    error: t.exposeFloat('error', {
      nullable: true,
      description: 'Standard error in `unit`; null if none was recorded.',
    }),
    taskName: t.exposeString('taskName', { description: 'The task that produced it.' }),
    executionId: t.exposeString('executionId', { description: 'The execution that produced it.' }),
    taskId: t.exposeString('taskId', { description: 'The task result that produced it.' }),
    validFrom: t.expose('validFrom', { type: 'DateTime', description: 'Start of its validity.' }),
    validUntil: t.expose('validUntil', {
      type: 'DateTime',
      nullable: true,
      description:
        'When a newer version on this chip replaced it; null for the current version. An excluded version ends as it begins.',
    }),
    excluded: t.exposeBoolean('excluded', {
      description: 'Whether its task result was excluded: the version before it is current then.',
    }),
    provenance: t.field({
      type: ProvenanceGraph,
      description: 'Its origins.',
      complexity: ({ maxDepth }) => PAGE_READ * (maxDepth ?? 5), // a step each
      args: {
        maxDepth: t.arg.int({
          required: false,
          defaultValue: 5,
          description: 'Most edges from the origin, 1 to 20.',
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
    complexity: lastRowsCost,
    args: {
      parameter: t.arg.string({ description: 'Key of the parameter.' }),
      lastN: t.arg.int({
        required: false,
        defaultValue: 10,
        description: 'Number of newest versions, 1 to 200.',
      }),
    },
    resolve: async (qubit, { parameter, lastN }, { loaders }) => [
      ...(await loaders.lineage.load({ qubit, parameter, lastN: lastN ?? 10 })),
    ],
  }),
);
