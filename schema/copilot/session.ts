import { builder } from '../builder.ts';
import { connectionOf, pageField, readPage } from '../connections.ts';
import { opened } from '../opened.ts';
import { keyOf } from '../node-ids.ts';
import { Chip, CopilotSession, TokenTotals, Turn } from '../refs.ts';
import { MessageConnection, MESSAGES_PAGE_SIZE } from './message-connection.ts';

const CopilotSessionConnection = connectionOf(CopilotSession, 'conversations');

const TurnConnection = connectionOf(Turn, 'turns, newest first');

const AFTER = 'Rows after this cursor, in the branch of the cursor.';
const messagesPage = pageField({ size: MESSAGES_PAGE_SIZE, after: AFTER });
const turnsPage = pageField({ after: AFTER });

const THROUGH_TURN = {
  required: false,
  description: 'Selects the newest branch through this turn; omit it for the branch of the newest turn.',
} as const;

const turnKey = (id: string | null | undefined): string | null =>
  id ? keyOf('Turn', id, ['throughTurnId']) : null;

const sessionsPage = pageField();

builder.node(CopilotSession, {
  rule: 'viewer: shared',
  description:
    'A conversation with the copilot. It belongs to one user in one project, who may let others read it.',
  id: { resolve: ({ id }) => id },
  loadWithoutCache: async (id, context) => opened('session', await context.loaders.session.load(id), context),
  fields: (t) => ({
    title: t.exposeString('title', { description: 'Taken from its first message unless renamed.' }),
    chip: t.field({
      type: Chip,
      nullable: true,
      description: 'The chip that it is about; null for none, or if removed since.',
      resolve: ({ chipId }, _args, { loaders }) => (chipId === null ? null : loaders.chip.load(chipId)),
    }),
    qid: t.exposeString('qid', { nullable: true, description: 'The qubit that it is about; null for none.' }),
    taskId: t.exposeString('taskId', {
      nullable: true,
      description: 'The task result that it is about; null for none.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
    messages: t.field({
      type: MessageConnection,
      description:
        'The messages of one branch, newest first. Earlier versions of edited and retried turns are in `Turn.siblings`.',
      complexity: messagesPage.complexity,
      args: { ...messagesPage.args, throughTurnId: t.arg.id(THROUGH_TURN) },
      resolve: ({ id }, { throughTurnId, ...args }, { services, viewer }) =>
        readPage(
          args,
          (page) => services.copilot.messages(viewer, id, { ...page, throughTurnId: turnKey(throughTurnId) }),
          MESSAGES_PAGE_SIZE,
        ),
    }),
    turns: t.field({
      type: TurnConnection,
      description:
        'The turns of one branch, newest first, including running, queued and unanswered ones; otherwise like `messages`.',
      complexity: turnsPage.complexity,
      args: { ...turnsPage.args, throughTurnId: t.arg.id(THROUGH_TURN) },
      resolve: ({ id }, { throughTurnId, ...args }, { services, viewer }) =>
        readPage(args, (page) =>
          services.copilot.turns(viewer, id, { ...page, throughTurnId: turnKey(throughTurnId) }),
        ),
    }),
    usage: t.field({
      type: TokenTotals,
      description: 'Tokens of its finished turns.',
      resolve: ({ id }, _args, { loaders }) => loaders.usageOfSession.load(id),
    }),
    activeTurn: t.field({
      type: Turn,
      nullable: true,
      description: 'The running turn, else the first queued one; null for an idle session.',
      resolve: ({ id }, _args, { loaders }) => loaders.activeTurn.load(id),
    }),
    lastSeq: t.exposeInt('lastSeq', {
      description: 'Number of its newest event, 0 for none. Subscribe with it as `afterSeq`.',
    }),
  }),
});

builder.queryFields((t) => ({
  copilotSession: t.field({
    rule: 'viewer: shared',
    type: CopilotSession,
    nullable: true,
    description: "A conversation; null unless it is the viewer's or shared with the viewer.",
    args: { id: t.arg.id({ description: 'Id of a CopilotSession.' }) },
    resolve: async (_root, { id }, context) =>
      opened('session', await context.loaders.session.load(keyOf('CopilotSession', id)), context),
  }),
  copilotSessions: t.field({
    rule: 'viewer: own',
    type: CopilotSessionConnection,
    description: "The viewer's conversations, the one with the newest message first.",
    complexity: sessionsPage.complexity,
    args: {
      ...sessionsPage.args,
      search: t.arg.string({
        required: false,
        description: 'Words in the title, in any case and order; omit it for all conversations.',
      }),
    },
    resolve: (_root, { search, ...args }, { services, viewer }) =>
      readPage(args, (page) => services.copilot.sessions(viewer, { ...page, search })),
  }),
  sharedSessions: t.field({
    rule: 'viewer: shared',
    type: CopilotSessionConnection,
    description:
      'Conversations that other members share with the project, or by a link that the viewer opened, the one with the newest message first.',
    complexity: sessionsPage.complexity,
    args: {
      ...sessionsPage.args,
      search: t.arg.string({
        required: false,
        description: 'Words in the title, in any case and order; omit it for all conversations.',
      }),
    },
    resolve: (_root, { search, ...args }, { services, viewer }) =>
      readPage(args, (page) => services.copilot.sessions(viewer, { ...page, search, whose: 'shared' })),
  }),
}));
