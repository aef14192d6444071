import { builder } from '../builder.ts';
import { TurnStatusEnum } from '../enums.ts';
import { Message, ToolCall, Turn, TurnError, Usage } from '../refs.ts';

builder.node(Turn, {
  description: 'One message of a user and the run that answers it.',
  id: { resolve: ({ id }) => id },
  loadWithoutCache: (id, { loaders }) => loaders.turn.load(id),
  fields: (t) => ({
    status: t.expose('status', { type: TurnStatusEnum, description: 'Where it stands.' }),
    startedAt: t.expose('startedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it left the queue; null while it waits.',
    }),
    finishedAt: t.expose('finishedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it ended; null until then.',
    }),
    rounds: t.exposeInt('rounds', { description: 'Model calls so far.' }),
    usage: t.expose('usage', { type: Usage, nullable: true, description: 'Tokens; null until it ends.' }),
    toolCalls: t.field({
      type: [ToolCall],
      description: 'Its tool calls in the order in which they started.',
      resolve: async (turn, _args, { loaders }) => [...(await loaders.toolCallsOfTurn.load(turn.id))],
    }),
    message: t.field({
      type: Message,
      nullable: true,
      description: 'The answer; null until it ends.',
      resolve: ({ answerId }, _args, { loaders }) =>
        answerId === null ? null : loaders.message.load(answerId),
    }),
    error: t.expose('error', { type: TurnError, nullable: true, description: 'Why it did not complete.' }),
  }),
});
