import type { TurnNotice as Notice } from '../../src/domain/conversation/session-event.ts';
import { builder } from '../builder.ts';
import { NoticeKindEnum, TurnStatusEnum } from '../enums.ts';
import { existing } from '../existing.ts';
import { Message, ToolCall, Turn, TurnError, Usage } from '../refs.ts';

const TurnNotice = builder.objectRef<Notice>('TurnNotice').implement({
  description: 'Something that a reader should know of how an answer came about.',
  fields: (t) => ({
    kind: t.expose('kind', { type: NoticeKindEnum, description: 'For programs.' }),
    text: t.exposeString('text', { description: 'For people.' }),
  }),
});

builder.node(Turn, {
  description:
    'One message of a user and the run that answers it. Turns form a tree: an edited message and a retry begin a branch beside the old turn.',
  id: { resolve: ({ id }) => id },
  loadWithoutCache: (id, { loaders }) => loaders.turn.load(id),
  fields: (t) => ({
    question: t.field({
      type: Message,
      description: 'What it answers. Turns that were retried share it.',
      resolve: ({ questionId }, _args, { loaders }) => existing(loaders.message.load(questionId), 'message'),
    }),
    parent: t.field({
      type: Turn,
      nullable: true,
      description: 'The turn that it follows; null where the conversation begins.',
      resolve: ({ parentId }, _args, { loaders }) => (parentId === null ? null : loaders.turn.load(parentId)),
    }),
    siblings: t.field({
      type: [Turn],
      description:
        'All turns that follow the same one, itself among them, in the order of asking: one, and one more for each edit and retry.',
      resolve: async ({ id }, _args, { loaders }) => [...(await loaders.siblingsOfTurn.load(id))],
    }),
    disputed: t.field({
      type: Message,
      nullable: true,
      description: 'The answer whose values it compares with live ones, where the user disputed one.',
      resolve: ({ disputedId }, _args, { loaders }) =>
        disputedId === null ? null : loaders.message.load(disputedId),
    }),
    afterSeq: t.exposeInt('beforeSeq', {
      description:
        'Subscribe with this as `afterSeq` to see it from its first event; those of an earlier turn may be among them.',
    }),
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
    notices: t.field({
      type: [TurnNotice],
      description: 'What its SourceFallbackEvents and StepResetEvents told, in their order.',
      resolve: async (turn, _args, { loaders }) => [...(await loaders.noticesOfTurn.load(turn.id))],
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
