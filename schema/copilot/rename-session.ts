import type { Session } from '../../src/domain/conversation/session.ts';
import { InvalidInputError, NotFoundError } from '../../src/base/errors.ts';
import { builder } from '../builder.ts';
import { keyOf } from '../node-ids.ts';
import { CopilotSession } from '../refs.ts';

const RenameCopilotSessionInput = builder.inputType('RenameCopilotSessionInput', {
  description: 'Which conversation to give another title.',
  fields: (t) => ({
    sessionId: t.id({ description: 'Id of a CopilotSession.' }),
    title: t.string({ description: '1 to 200 characters, not blank; line breaks become spaces.' }),
  }),
});

const RenameCopilotSessionPayload = builder
  .objectRef<{ session: Session }>('RenameCopilotSessionPayload')
  .implement({
    description: 'The conversation has its new title.',
    fields: (t) => ({
      session: t.expose('session', { type: CopilotSession, description: 'The conversation.' }),
    }),
  });

const RenameCopilotSessionResult = builder.errorUnion('RenameCopilotSessionResult', {
  description: 'What became of a new title.',
  types: [RenameCopilotSessionPayload, InvalidInputError, NotFoundError],
  resolveType: () => RenameCopilotSessionPayload,
});

builder.mutationField('renameCopilotSession', (t) =>
  t.field({
    type: RenameCopilotSessionResult,
    description: 'Gives a conversation another title. It keeps its place in the list.',
    args: {
      input: t.arg({ type: RenameCopilotSessionInput, description: 'Which conversation, and its title.' }),
    },
    resolve: async (_root, { input }, { services, viewer }) => ({
      session: await services.copilot.renameSession(viewer, {
        title: input.title,
        sessionId: keyOf('CopilotSession', input.sessionId, ['input', 'sessionId']),
      }),
    }),
  }),
);
