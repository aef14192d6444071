import type { BuilderSession as Session } from '../../src/domain/conversation/builder-session.ts';
import { ConflictError, InvalidInputError, NotFoundError } from '../../src/base/errors.ts';
import { builder } from '../builder.ts';
import { BuilderSession } from '../refs.ts';

const CreateBuilderSessionInput = builder.inputType('CreateBuilderSessionInput', {
  description: 'A builder session without a message; `sendBuilderMessage` makes one by itself.',
  fields: (t) => ({
    expertId: t.string({ required: false, description: 'The expert that the job is based on.' }),
    clientRequestId: t.string({
      description: 'Made by the client: asking again with the same id answers with the same session.',
    }),
  }),
});

const CreateBuilderSessionPayload = builder
  .objectRef<{ session: Session }>('CreateBuilderSessionPayload')
  .implement({
    description: 'The session.',
    fields: (t) => ({
      session: t.expose('session', { type: BuilderSession, description: 'New, or the one made before.' }),
    }),
  });

const CreateBuilderSessionResult = builder.errorUnion('CreateBuilderSessionResult', {
  description: 'What became of a request for a builder session.',
  types: [CreateBuilderSessionPayload, InvalidInputError, NotFoundError, ConflictError],
  resolveType: () => CreateBuilderSessionPayload,
});

builder.mutationField('createBuilderSession', (t) =>
  t.field({
    type: CreateBuilderSessionResult,
    description: 'Makes a builder session that no message was sent in yet.',
    args: { input: t.arg({ type: CreateBuilderSessionInput, description: 'What it is based on.' }) },
    resolve: async (_root, { input }, { services, viewer }) => ({
      session: await services.builder.createSession(viewer, input),
    }),
  }),
);
