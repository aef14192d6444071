import {
  messageImageUrl,
  type MessageImage as DomainMessageImage,
} from '../../src/domain/conversation/message-image.ts';
import { builder } from '../builder.ts';
import { AssessmentEnum, MessageRoleEnum } from '../enums.ts';
import { Freshness, HistorySummary, Message, MessageRating, Turn } from '../refs.ts';
import { Block } from './blocks.ts';
import { GroundedNumber } from './grounded-number.ts';

const MessageImage = builder.objectRef<DomainMessageImage>('MessageImage').implement({
  description: 'An image that is part of a message.',
  fields: (t) => ({
    url: t.string({
      description: 'Path of the image on this server, for people who may read the message.',
      resolve: messageImageUrl,
    }),
    contentType: t.exposeString('mediaType', { description: 'image/png, image/jpeg or image/webp.' }),
    width: t.exposeInt('width', { description: 'In pixels.' }),
    height: t.exposeInt('height', { description: 'In pixels.' }),
  }),
});

builder.node(Message, {
  rule: 'viewer: shared',
  description: 'A message of a conversation. Immutable.',
  id: { resolve: ({ id }) => id },
  loadWithoutCache: (id, { loaders }) => loaders.message.load(id),
  fields: (t) => ({
    role: t.expose('role', { type: MessageRoleEnum, description: 'Who wrote it.' }),
    text: t.exposeString('text', { description: 'Its text without charts and tables, as streamed.' }),
    json: t.field({
      type: 'JSON',
      nullable: true,
      description:
        'The text of an answer to `sendMessage.answerSchema` as JSON, which satisfies that schema; null for other messages, and where the turn did not complete.',
      resolve: async ({ id, turnId, text }, _args, { loaders }) => {
        const turn = turnId === null ? null : await loaders.turn.load(turnId);
        const isDocument = turn?.answerSchema != null && turn.answerId === id && turn.status === 'COMPLETED';
        return isDocument ? (JSON.parse(text) as unknown) : null;
      },
    }),
    blocks: t.field({
      type: [Block],
      description: 'Text, charts and tables in reading order.',
      resolve: ({ blocks }) => [...blocks],
    }),
    assessment: t.expose('assessment', {
      type: AssessmentEnum,
      nullable: true,
      description:
        "The model's overall judgement of what the question is about; null without one, and for messages of users.",
    }),
    strippedTables: t.exposeInt('strippedTables', {
      description:
        "Number of the model's own tables removed from the text because the message shows tool results instead.",
    }),
    unverifiedTable: t.exposeBoolean('unverifiedTable', {
      description: 'Whether the text contains a table by the model, which no tool result backs.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was stored.' }),
    turn: t.field({
      type: Turn,
      nullable: true,
      description: 'The turn of the question or answer; the first one for a question that was retried.',
      resolve: ({ turnId }, _args, { loaders }) => (turnId === null ? null : loaders.turn.load(turnId)),
    }),
    numbers: t.field({
      type: [GroundedNumber],
      description: 'Numbers in the text with their sources, in text order; empty for messages of users.',
      // About as many as a long answer has.
      complexity: { field: 1, multiplier: 40 },
      resolve: async (message, _args, { loaders }) => [...(await loaders.messageNumbers.load(message))],
    }),
    freshness: t.field({
      type: [Freshness],
      description:
        'Age of the rows behind the answer, one entry per data source; empty for messages of users.',
      resolve: ({ freshness }) => [...freshness],
    }),
    images: t.field({
      type: [MessageImage],
      description: 'Images that the user sent with it.',
      complexity: { field: 1, multiplier: 4 },
      resolve: async ({ id }, _args, { loaders }) => [...(await loaders.imagesOfMessage.load(id))],
    }),
    rating: t.field({
      type: MessageRating,
      nullable: true,
      description: "The viewer's rating; null until rated.",
      resolve: ({ id }, _args, { loaders }) => loaders.ratingOfMessage.load(id),
    }),
    model: t.exposeString('model', {
      nullable: true,
      description: 'The model that wrote it; null for messages of users.',
    }),
  }),
});

builder.node(HistorySummary, {
  rule: 'viewer: shared',
  description:
    'A summary that models receive instead of the oldest messages of a conversation. The messages themselves stay.',
  id: { resolve: ({ id }) => id },
  loadWithoutCache: (id, { loaders }) => loaders.summary.load(id),
  fields: (t) => ({
    text: t.exposeString('text', { description: 'Written by the model.' }),
    messageCount: t.exposeInt('messageCount', { description: 'Number of summarised messages.' }),
    throughTurn: t.field({
      type: Turn,
      nullable: true,
      description: 'The newest summarised turn; null if deleted since.',
      resolve: ({ throughTurnId }, _args, { loaders }) => loaders.turn.load(throughTurnId),
    }),
    model: t.exposeString('model', { description: 'The model that wrote it.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
  }),
});
