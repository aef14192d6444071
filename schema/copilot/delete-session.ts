import { InvalidInputError, NotFoundError } from '../../src/base/errors.ts';
import { builder } from '../builder.ts';
import { keyOf } from '../node-ids.ts';

const DeleteCopilotSessionInput = builder.inputType('DeleteCopilotSessionInput', {
  description: 'Which conversation to delete.',
  fields: (t) => ({ sessionId: t.id({ description: 'Id of a CopilotSession.' }) }),
});

const DeleteCopilotSessionPayload = builder
  .objectRef<{ deletedSessionId: string }>('DeleteCopilotSessionPayload')
  .implement({
    description: 'The conversation is gone.',
    fields: (t) => ({
      deletedSessionId: t.exposeID('deletedSessionId', {
        description: 'Id of the CopilotSession that was, for caches of clients.',
      }),
    }),
  });

const DeleteCopilotSessionResult = builder.errorUnion('DeleteCopilotSessionResult', {
  description: 'What became of a deletion.',
  types: [DeleteCopilotSessionPayload, InvalidInputError, NotFoundError],
  resolveType: () => DeleteCopilotSessionPayload,
});

builder.mutationField('deleteCopilotSession', (t) =>
  t.field({
    type: DeleteCopilotSessionResult,
    description:
      'Deletes a conversation for good, with its messages, results and the uploads that no other one uses. A running turn is cancelled first; subscriptions to it end. Deleting it again changes nothing.',
    args: { input: t.arg({ type: DeleteCopilotSessionInput, description: 'Which conversation.' }) },
    resolve: async (_root, { input }, { services, viewer }) => {
      const sessionId = keyOf('CopilotSession', input.sessionId, ['input', 'sessionId']);
      await services.copilot.deleteSession(viewer, sessionId);
      return { deletedSessionId: input.sessionId };
    },
  }),
);
