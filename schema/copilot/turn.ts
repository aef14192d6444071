import type { TurnNotice as Notice } from '../../src/domain/conversation/session-event.ts';
import type { Thought as DomainThought } from '../../src/domain/conversation/thoughts.ts';
import { builder } from '../builder.ts';
import { EffortEnum, NoticeKindEnum, ThinkingKindEnum, TurnStatusEnum } from '../enums.ts';
import { existing } from '../existing.ts';
import { ModelCall } from './model-call.ts';
import { Message, ToolCall, Turn, TurnError, Usage } from '../refs.ts';

export const TurnNotice = builder.objectRef<Notice>('TurnNotice').implement({
  description: 'Something that a reader should know about how an answer was produced.',
  fields: (t) => ({
    kind: t.expose('kind', { type: NoticeKindEnum, description: 'For programs.' }),
    text: t.exposeString('text', { description: 'For people.' }),
  }),
});

const Thought = builder.objectRef<DomainThought>('Thought').implement({
  description: 'What a model thought between two things that it said or did.',
  fields: (t) => ({
    number: t.exposeInt('number', { description: 'From 1 within its turn.' }),
    kind: t.expose('kind', { type: ThinkingKindEnum, description: 'Whose words these are.' }),
    text: t.exposeString('text', { description: 'For people; plain text or Markdown.' }),
    durationMs: t.exposeInt('durationMs', {
      nullable: true,
      description: 'How long it took; null while it lasts, and where it was broken off.',
    }),
  }),
});

builder.node(Turn, {
  rule: 'viewer: shared',
  description:
    'A message of a user and the run that answers it. Turns form a tree: an edited message or a retry starts a branch beside the old turn.',
  id: { resolve: ({ id }) => id },
  loadWithoutCache: (id, { loaders }) => loaders.turn.load(id),
  fields: (t) => ({
    question: t.field({
      type: Message,
      description: 'The question. A turn and its retries share it.',
      resolve: ({ questionId }, _args, { loaders }) => existing(loaders.message.load(questionId), 'message'),
    }),
    parent: t.field({
      type: Turn,
      nullable: true,
      description: 'The turn before it; null for the first one.',
      resolve: ({ parentId }, _args, { loaders }) => (parentId === null ? null : loaders.turn.load(parentId)),
    }),
    siblings: t.field({
      type: [Turn],
      description:
        'All turns with the same parent, including itself, oldest first: the original, and one for each edit and retry.',
      resolve: async ({ id }, _args, { loaders }) => [...(await loaders.siblingsOfTurn.load(id))],
    }),
    disputed: t.field({
      type: Message,
      nullable: true,
      description: 'The disputed answer whose values it compares with live ones; null for other turns.',
      resolve: ({ disputedId }, _args, { loaders }) =>
        disputedId === null ? null : loaders.message.load(disputedId),
    }),
    joins: t.field({
      type: Turn,
      nullable: true,
      description:
        'The turn that its message joins at its next model call (QUEUED), or has joined (JOINED); null for turns that were not sent with STEER.',
      resolve: ({ joinsId }, _args, { loaders }) => (joinsId === null ? null : loaders.turn.load(joinsId)),
    }),
    afterSeq: t.exposeInt('beforeSeq', {
      description:
        'Subscribe with this as `afterSeq` to see it from its first event, possibly along with events of an earlier turn.',
    }),
    status: t.expose('status', { type: TurnStatusEnum, description: 'Its state.' }),
    turnsAhead: t.int({
      nullable: true,
      description:
        'Of a turn that waits in line for a free place: how many start before it. It may grow by turns of people who have fewer. Null for a turn that has started, or waits for an answer of its own conversation.',
      resolve: ({ id, status }, _args, { loaders }) =>
        status === 'QUEUED' ? loaders.turnsAhead.load(id) : null,
    }),
    startedAt: t.expose('startedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it left the queue; null while queued.',
    }),
    finishedAt: t.expose('finishedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it ended; null until then.',
    }),
    rounds: t.exposeInt('rounds', { description: 'Number of model calls so far.' }),
    usage: t.expose('usage', { type: Usage, nullable: true, description: 'Tokens; null until it ends.' }),
    toolCalls: t.field({
      type: [ToolCall],
      description: 'Its tool calls in the order in which they started.',
      resolve: async (turn, _args, { loaders }) => [...(await loaders.toolCallsOfTurn.load(turn.id))],
    }),
    modelCalls: t.field({
      type: [ModelCall],
      description: 'Its requests to models, in order; empty where none are recorded.',
      resolve: async (turn, _args, { loaders }) => [...(await loaders.modelCallsOfTurn.load(turn.id))],
    }),
    notices: t.field({
      type: [TurnNotice],
      description: 'What its SourceFallbackEvents and StepResetEvents reported, in order.',
      resolve: async (turn, _args, { loaders }) => [...(await loaders.noticesOfTurn.load(turn.id))],
    }),
    effort: t.expose('effort', {
      type: EffortEnum,
      nullable: true,
      description: 'How hard the model was asked to think; null: as it does by itself.',
    }),
    answerSchema: t.expose('answerSchema', {
      type: 'JSON',
      nullable: true,
      description: 'The JSON schema that was given for its answer; null for an answer in words.',
    }),
    thoughts: t.field({
      type: [Thought],
      description: 'What the model thought, as far as it showed that, in order. Not part of the answer.',
      resolve: async (turn, _args, { loaders }) => [...(await loaders.thoughtsOfTurn.load(turn.id))],
    }),
    message: t.field({
      type: Message,
      nullable: true,
      description: 'The answer; null until it ends.',
      resolve: ({ answerId }, _args, { loaders }) =>
        answerId === null ? null : loaders.message.load(answerId),
    }),
    error: t.expose('error', {
      type: TurnError,
      nullable: true,
      description: 'Why it did not complete; null if it did or has not ended.',
    }),
  }),
});
