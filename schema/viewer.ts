import type { Viewer as DomainViewer } from '../src/domain/conversation/session.ts';
import type { Project as DomainProject } from '../src/services/calibration/chips.ts';
import type { ViewerUsage as DomainViewerUsage } from '../src/services/copilot/copilot.ts';
import { builder } from './builder.ts';
import { TokenTotals } from './refs.ts';

const Project = builder.objectRef<DomainProject>('Project').implement({
  description: 'A project: chips, results and conversations belong to one, and a request sees one.',
  fields: (t) => ({
    projectId: t.exposeString('projectId', { description: 'Its id; name it in the header `x-project-id`.' }),
    name: t.exposeString('name', { description: 'Its name for people.' }),
  }),
});

const ViewerUsage = builder.objectRef<DomainViewerUsage>('ViewerUsage').implement({
  description: 'What the viewer used of what is allowed, in all projects together.',
  fields: (t) => ({
    today: t.expose('today', { type: TokenTotals, description: 'Since 00:00 UTC.' }),
    tokensPerDay: t.int({
      description: 'Tokens that the viewer may use in a day.',
      resolve: ({ limits }) => limits.userTokensPerDay,
    }),
    tokensPerSession: t.int({
      description: 'Tokens that one conversation may use.',
      resolve: ({ limits }) => limits.sessionTokens,
    }),
    messagesPerMinute: t.int({
      description: 'Messages that the viewer may send within a minute.',
      resolve: ({ limits }) => limits.messagesPerMinute,
    }),
    turnsAtOnce: t.int({
      description: 'Conversations of the viewer that may be answered at once.',
      resolve: ({ limits }) => limits.turnsPerUser,
    }),
  }),
});

const Viewer = builder.objectRef<DomainViewer>('Viewer').implement({
  description: 'Who asks, and within which project.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the user; `local` while there is no sign-in.' }),
    name: t.exposeString('name', { description: 'Name of the user.' }),
    projectId: t.exposeString('projectId', { description: 'The project that this request sees.' }),
    role: t.string({
      description: '`owner`: without sign-in, whoever reaches the server may do everything.',
      resolve: () => 'owner',
    }),
    usage: t.field({
      type: ViewerUsage,
      description: 'Tokens of today, and the limits of the viewer.',
      resolve: (viewer, _args, { services }) => services.copilot.usageOfViewer(viewer),
    }),
    projects: t.field({
      type: [Project],
      description: 'Projects that the viewer may name.',
      resolve: async (_viewer, _args, { services }) => [...(await services.projects.list())],
    }),
  }),
});

builder.queryField('viewer', (t) =>
  t.field({ type: Viewer, description: 'Who asks.', resolve: (_root, _args, { viewer }) => viewer }),
);
