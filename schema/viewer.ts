import type { Viewer as DomainViewer } from '../src/domain/conversation/session.ts';
import type { OpenProject } from '../src/services/members/access.ts';
import type { ViewerUsage as DomainViewerUsage } from '../src/services/copilot/copilot.ts';
import { BudgetRef, listed } from './budgets.ts';
import { builder } from './builder.ts';
import { HumanNote } from './calibration/calibration-note.ts';
import { StorageRef } from './storage.ts';
import { TokenTotals, Turn } from './refs.ts';

const Project = builder.objectRef<OpenProject>('Project').implement({
  description: 'A project, which chips, results and conversations belong to. A request sees one project.',
  fields: (t) => ({
    projectId: t.exposeString('projectId', { description: 'Its id, for the header `x-project-id`.' }),
    name: t.exposeString('name', { description: 'Name for people.' }),
    role: t.exposeString('role', { description: 'What the viewer may do there, as `Viewer.role`.' }),
  }),
});

const ViewerUsage = builder.objectRef<DomainViewerUsage>('ViewerUsage').implement({
  description: "The viewer's use and limits, over all projects.",
  fields: (t) => ({
    today: t.expose('today', { type: TokenTotals, description: 'Since 00:00 UTC.' }),
    tokensPerDay: t.int({
      description: 'Most tokens of the viewer per day.',
      resolve: ({ limits }) => limits.userTokensPerDay,
    }),
    tokensPerSession: t.int({
      description: 'Most tokens of a conversation.',
      resolve: ({ limits }) => limits.sessionTokens,
    }),
    messagesPerMinute: t.int({
      description: 'Most messages of the viewer per minute.',
      resolve: ({ limits }) => limits.messagesPerMinute,
    }),
    turnsAtOnce: t.int({
      description: 'Most conversations of the viewer that are answered at once; further ones wait in line.',
      resolve: ({ limits }) => limits.turnsPerUser,
    }),
  }),
});

export const ViewerRef = builder.objectRef<DomainViewer>('Viewer');
ViewerRef.implement({
  rule: 'viewer: own',
  description: 'The user of a request, and the project.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the user; `local` without sign-in.' }),
    name: t.exposeString('name', { description: 'Name of the user.' }),
    projectId: t.exposeString('projectId', { description: 'The project of the request.' }),
    role: t.exposeString('role', {
      description:
        'What the user may do in the project: `viewer`, `editor`, `admin` or `owner`. Without sign-in, everybody who reaches the server is `owner`.',
    }),
    serverTime: t.field({
      type: 'DateTime',
      description: "The server's time, for clients whose own clock may be wrong.",
      resolve: (_viewer, _args, { now }) => now(),
    }),
    budgets: t.field({
      type: [BudgetRef],
      description:
        'What the viewer, and all members together, may use today in the project of the request, and what was used.',
      resolve: async (viewer, _args, { services }) => listed(await services.budgets.of(viewer)),
    }),
    usage: t.field({
      type: ViewerUsage,
      description: "Today's tokens, and the viewer's limits.",
      resolve: (viewer, _args, { services }) => services.copilot.usageOfViewer(viewer),
    }),
    projectNotes: t.field({
      type: [HumanNote],
      description:
        'Forum posts of the project of the request that name no chip, newest first; those of a chip are in `Chip.humanNotes`.',
      resolve: async (viewer, _args, { services }) => [...(await services.notes.ofProject(viewer))],
    }),
    newestTurns: t.field({
      type: [Turn],
      description:
        "The viewer's newest turns in all conversations, newest first: what was asked, and what became of it.",
      args: {
        first: t.arg.int({ required: false, defaultValue: 20, description: 'Number of turns, 1 to 100.' }),
        failedOnly: t.arg.boolean({
          required: false,
          defaultValue: false,
          description: 'Only those that failed or were interrupted.',
        }),
      },
      complexity: ({ first }) => ({ field: 1, multiplier: first ?? 20 }),
      resolve: (viewer, { first, failedOnly }, { services }) =>
        services.copilot.newestTurns(viewer, { first: first ?? 20, failedOnly: failedOnly ?? false }),
    }),
    storage: t.field({
      type: StorageRef,
      nullable: true,
      description:
        'The room that all data of this server take, of all users. Null unless the viewer administers it.',
      complexity: 100,
      resolve: (viewer, _args, { services }) => (viewer.isOperator ? services.storage.sizes() : null),
    }),
    projects: t.field({
      type: [Project],
      description: 'Projects that the viewer may select.',
      resolve: async (_viewer, _args, { services, caller }) => [
        ...(await services.access.projectsOf(caller)),
      ],
    }),
  }),
});

builder.queryField('viewer', (t) =>
  t.field({
    rule: 'viewer: own',
    type: ViewerRef,
    description: 'The user of the request.',
    resolve: (_root, _args, { viewer }) => viewer,
  }),
);
