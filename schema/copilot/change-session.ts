/** Mutations that rename and delete conversations. */
import { builder } from '../builder.ts';
import { objectResult, resultOf } from '../errors.ts';
import { keyOf } from '../node-ids.ts';
import { CopilotSession } from '../refs.ts';

const sessionKey = (id: string): string => keyOf('CopilotSession', id, ['input', 'sessionId']);

const RenameCopilotSessionInput = builder.inputType('RenameCopilotSessionInput', {
  description: 'A conversation and its new title.',
  fields: (t) => ({
    sessionId: t.id({ description: 'Id of a CopilotSession.' }),
    title: t.string({ description: '1 to 200 characters, not blank; line breaks become spaces.' }),
  }),
});

const DeleteCopilotSessionInput = builder.inputType('DeleteCopilotSessionInput', {
  description: 'The conversation to delete.',
  fields: (t) => ({ sessionId: t.id({ description: 'Id of a CopilotSession.' }) }),
});

const DeleteCopilotSessionPayload = builder
  .objectRef<{ deletedSessionId: string }>('DeleteCopilotSessionPayload')
  .implement({
    description: 'The conversation is gone.',
    fields: (t) => ({
      deletedSessionId: t.exposeID('deletedSessionId', {
        description: 'Id of the former CopilotSession, for the caches of clients.',
      }),
    }),
  });

builder.mutationFields((t) => ({
  renameCopilotSession: t.field({
    rule: 'viewer: own',
    audit: 'CHANGE',
    type: objectResult('RenameCopilotSession', {
      field: 'session',
      type: CopilotSession,
      about: 'The conversation.',
      description: 'The conversation has its new title.',
      errors: ['INVALID_INPUT', 'NOT_FOUND'],
    }),
    description: 'Renames a conversation. It keeps its place in the list.',
    args: {
      input: t.arg({ type: RenameCopilotSessionInput, description: 'The conversation and its title.' }),
    },
    resolve: async (_root, { input: { sessionId, title } }, { services, viewer }) => ({
      session: await services.copilot.renameSession(viewer, { title, sessionId: sessionKey(sessionId) }),
    }),
  }),
  deleteCopilotSession: t.field({
    rule: 'viewer: own',
    audit: 'DELETE',
    type: resultOf(DeleteCopilotSessionPayload, ['INVALID_INPUT', 'NOT_FOUND']),
    description:
      'Deletes a conversation for good, with its messages, results and all uploads that no other conversation uses. A running turn is cancelled first; subscriptions end. Deleting again changes nothing.',
    args: { input: t.arg({ type: DeleteCopilotSessionInput, description: 'The conversation.' }) },
    resolve: async (_root, { input: { sessionId } }, { services, viewer }) => {
      await services.copilot.deleteSession(viewer, sessionKey(sessionId));
      return { deletedSessionId: sessionId };
    },
  }),
}));
