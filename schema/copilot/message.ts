import { builder } from '../builder.ts';
import { AssessmentEnum, MessageRoleEnum } from '../enums.ts';
import { Freshness, Message, MessageRating, Turn } from '../refs.ts';
import { Block } from './blocks.ts';
import { MessageImage } from './message-image.ts';
import { GroundedNumber } from './grounded-number.ts';

builder.node(Message, {
  description: 'A message of a conversation. It never changes.',
  id: { resolve: ({ id }) => id },
  loadWithoutCache: (id, { loaders }) => loaders.message.load(id),
  fields: (t) => ({
    role: t.expose('role', { type: MessageRoleEnum, description: 'Who wrote it.' }),
    text: t.exposeString('text', { description: 'Its text without charts and tables: what was streamed.' }),
    blocks: t.field({
      type: [Block],
      description: 'Text, charts and tables in reading order.',
      resolve: ({ blocks }) => [...blocks],
    }),
    assessment: t.expose('assessment', {
      type: AssessmentEnum,
      nullable: true,
      description:
        "The model's overall judgement of what was asked about; null where it gave none, and for messages of users.",
    }),
    strippedTables: t.exposeInt('strippedTables', {
      description:
        "Tables of the model that were left out of the text because the message shows the tools' results itself.",
    }),
    unverifiedTable: t.exposeBoolean('unverifiedTable', {
      description:
        "Whether the text of an answer holds a table: the model's own, which no result stands behind.",
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was stored.' }),
    turn: t.field({
      type: Turn,
      nullable: true,
      description: 'The turn that it asks or answers; of a question that was asked again the first one.',
      resolve: ({ turnId }, _args, { loaders }) => (turnId === null ? null : loaders.turn.load(turnId)),
    }),
    numbers: t.field({
      type: [GroundedNumber],
      description:
        'Numbers of the text with their sources, in order of the text; empty for messages of users.',
      // A long answer has some forty.
      complexity: { field: 1, multiplier: 40 },
      resolve: async (message, _args, { loaders }) => [...(await loaders.messageNumbers.load(message))],
    }),
    freshness: t.field({
      type: [Freshness],
      description:
        'Age of the rows that the answer used, one entry a data source; empty for messages of users.',
      resolve: ({ freshness }) => [...freshness],
    }),
    images: t.field({
      type: [MessageImage],
      description: 'Pictures that the user sent with it.',
      complexity: { field: 1, multiplier: 4 },
      resolve: async ({ id }, _args, { loaders }) => [...(await loaders.imagesOfMessage.load(id))],
    }),
    rating: t.field({
      type: MessageRating,
      nullable: true,
      description: 'What the viewer thinks of it; null until rated.',
      resolve: ({ id }, _args, { loaders }) => loaders.ratingOfMessage.load(id),
    }),
    model: t.exposeString('model', {
      nullable: true,
      description: 'The model that wrote it; null for messages of users.',
    }),
  }),
});
