import { builder } from '../builder.ts';
import { HistorySummary, Turn } from '../refs.ts';

builder.node(HistorySummary, {
  description:
    'What models are sent in the place of the oldest messages of a conversation. No message is changed by it.',
  id: { resolve: ({ id }) => id },
  loadWithoutCache: (id, { loaders }) => loaders.summary.load(id),
  fields: (t) => ({
    text: t.exposeString('text', { description: 'In the words of the model.' }),
    messageCount: t.exposeInt('messageCount', { description: 'Messages that it stands for.' }),
    throughTurn: t.field({
      type: Turn,
      nullable: true,
      description: 'The newest turn that it stands for, with all that it follows.',
      resolve: ({ throughTurnId }, _args, { loaders }) => loaders.turn.load(throughTurnId),
    }),
    model: t.exposeString('model', { description: 'The model that wrote it.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
  }),
});
