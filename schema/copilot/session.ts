import { builder } from '../builder.ts';
import { pageArgs, pageSize, PAGE_SIZE, toConnection } from '../connections.ts';
import { keyOf } from '../node-ids.ts';
import { Chip, CopilotSession, TokenTotals, Turn } from '../refs.ts';
import { MessageConnection, MESSAGES_PAGE_SIZE } from './message-connection.ts';

const CopilotSessionConnection = builder.connectionObject(
  { type: CopilotSession, name: 'CopilotSessionConnection', description: 'A page of conversations.' },
  { name: 'CopilotSessionEdge', description: 'A conversation with its cursor.' },
);

const TurnConnection = builder.connectionObject(
  { type: Turn, name: 'TurnConnection', description: 'A page of turns, newest first.' },
  { name: 'TurnEdge', description: 'A turn with its cursor.' },
);

builder.node(CopilotSession, {
  description: 'A conversation with the copilot. It belongs to one user in one project.',
  id: { resolve: ({ id }) => id },
  loadWithoutCache: (id, { loaders }) => loaders.session.load(id),
  fields: (t) => ({
    title: t.exposeString('title', { description: 'From its first message.' }),
    chip: t.field({
      type: Chip,
      nullable: true,
      description: 'The chip that it is about; null when none was named or it was removed since.',
      resolve: ({ chipId }, _args, { loaders }) => (chipId === null ? null : loaders.chip.load(chipId)),
    }),
    qid: t.exposeString('qid', { nullable: true, description: 'The qubit that it is about.' }),
    taskId: t.exposeString('taskId', { nullable: true, description: 'The task result that it is about.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it began.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
    messages: t.field({
      type: MessageConnection,
      description:
        'The messages of one branch, newest first; the newest page when `after` is null. Earlier versions of edited and retried turns are in `Turn.siblings`.',
      complexity: ({ first }) => ({ field: 1, multiplier: first ?? MESSAGES_PAGE_SIZE }),
      args: {
        ...pageArgs({
          size: MESSAGES_PAGE_SIZE,
          after: 'Rows behind this cursor, in the branch that it is from.',
        }),
        throughTurnId: t.arg.id({
          required: false,
          description: 'The newest branch through this turn; none: the branch of the newest turn.',
        }),
      },
      resolve: async ({ id }, { first, after, throughTurnId: through }, { services, viewer }) => {
        const throughTurnId = through ? keyOf('Turn', through, ['throughTurnId']) : null;
        const page = { first: pageSize(first, MESSAGES_PAGE_SIZE), after, throughTurnId };
        return toConnection(await services.copilot.messages(viewer, id, page), after);
      },
    }),
    turns: t.field({
      type: TurnConnection,
      description:
        'The turns of one branch, newest first, with those that run, wait or have no answer; otherwise as `messages`.',
      complexity: ({ first }) => ({ field: 1, multiplier: first ?? PAGE_SIZE }),
      args: {
        ...pageArgs({ after: 'Rows behind this cursor, in the branch that it is from.' }),
        throughTurnId: t.arg.id({
          required: false,
          description: 'The newest branch through this turn; none: the branch of the newest turn.',
        }),
      },
      resolve: async ({ id }, { first, after, throughTurnId: through }, { services, viewer }) => {
        const throughTurnId = through ? keyOf('Turn', through, ['throughTurnId']) : null;
        const page = { first: pageSize(first), after, throughTurnId };
        return toConnection(await services.copilot.turns(viewer, id, page), after);
      },
    }),
    usage: t.field({
      type: TokenTotals,
      description: 'Tokens of its turns that have ended.',
      resolve: ({ id }, _args, { loaders }) => loaders.usageOfSession.load(id),
    }),
    activeTurn: t.field({
      type: Turn,
      nullable: true,
      description: 'The turn that runs, else the first that waits; null when the session is idle.',
      resolve: ({ id }, _args, { loaders }) => loaders.activeTurn.load(id),
    }),
    lastSeq: t.exposeInt('lastSeq', {
      description: 'Number of its newest event; 0 when there is none. Subscribe with it as `afterSeq`.',
    }),
  }),
});

builder.queryFields((t) => ({
  copilotSession: t.field({
    type: CopilotSession,
    nullable: true,
    description: 'One conversation; null when the viewer has none of that id.',
    args: { id: t.arg.id({ description: 'Id of a CopilotSession.' }) },
    resolve: (_root, { id }, { loaders }) => loaders.session.load(keyOf('CopilotSession', id)),
  }),
  copilotSessions: t.field({
    type: CopilotSessionConnection,
    description: "The viewer's conversations, the one with the newest message first.",
    complexity: ({ first }) => ({ field: 1, multiplier: first ?? PAGE_SIZE }),
    args: {
      ...pageArgs(),
      search: t.arg.string({
        required: false,
        description: 'Words that the title has, in any case and order; none: all conversations.',
      }),
    },
    resolve: async (_root, { first, after, search }, { services, viewer }) =>
      toConnection(await services.copilot.sessions(viewer, { first: pageSize(first), after, search }), after),
  }),
}));
