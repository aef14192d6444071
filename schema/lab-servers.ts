/** The lab's own MCP servers, for the settings page. */
import type { LabServerState } from '../src/sources/mcp/server-link.ts';
import { builder } from './builder.ts';
import { enumOf } from './enums.ts';

const TransportEnum = enumOf<LabServerState['transport']>('LabServerTransport', 'How a server is reached.', {
  HTTP: 'By Streamable HTTP.',
  STDIO: 'As a program that this server starts.',
});

const LabServerTool = builder.objectRef<LabServerState['tools'][number]>('LabServerTool').implement({
  description: 'A tool that may be called.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Its name in calls, and in the settings of experts.' }),
    serverTool: t.exposeString('tool', { description: 'Its name at the server.' }),
    needsApproval: t.exposeBoolean('writes', {
      description: 'Whether a person has to approve each call, because it may change something.',
    }),
  }),
});

const UnfitTool = builder.objectRef<LabServerState['unfit'][number]>('UnfitTool').implement({
  description: 'A tool that is allowed and cannot be used.',
  fields: (t) => ({
    serverTool: t.exposeString('tool', { description: 'Its name at the server.' }),
    reason: t.exposeString('reason', { description: 'Why not.' }),
  }),
});

const LabServer = builder.objectRef<LabServerState>('LabServer').implement({
  description:
    "One of the lab's own MCP servers, as this process saw it last. Never contains addresses or secrets.",
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Its name in the settings.' }),
    title: t.exposeString('title', { nullable: true, description: 'What it is; null if nobody said.' }),
    transport: t.expose('transport', { type: TransportEnum, description: 'How it is reached.' }),
    isThere: t.exposeBoolean('isThere', {
      nullable: true,
      description: 'Whether it answered when it was asked last; null while nobody has asked it.',
    }),
    problem: t.exposeString('problem', {
      nullable: true,
      description: 'Why it did not answer; null if it did.',
    }),
    tools: t.field({
      type: [LabServerTool],
      description: 'The tools that may be called, as it listed them last.',
      resolve: ({ tools }) => [...tools],
    }),
    unfit: t.field({
      type: [UnfitTool],
      description: 'Allowed tools that cannot be used.',
      resolve: ({ unfit }) => [...unfit],
    }),
  }),
});

builder.queryField('labServers', (t) =>
  t.field({
    rule: 'viewer: project',
    type: [LabServer],
    description: "The lab's own MCP servers whose tools conversations and jobs of this project may use.",
    resolve: (_root, _args, { services, viewer }) => [...services.labServers.statesOf(viewer.projectId)],
  }),
);
