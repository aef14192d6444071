import { builder } from '../builder.ts';
import { keyOf } from '../node-ids.ts';
import { SendMessageResult } from './send-message.ts';

const EditMessageInput = builder.inputType('EditMessageInput', {
  description: 'Which message to ask differently.',
  fields: (t) => ({
    messageId: t.id({ description: 'Id of a Message of the viewer; answers cannot be edited.' }),
    content: t.string({ description: 'What to ask in its place: 1 to 8,000 characters, not blank.' }),
    clientMessageId: t.string({
      description: 'Made by the client: editing again with the same id answers with the same new turn.',
    }),
  }),
});

builder.mutationField('editMessage', (t) =>
  t.field({
    type: SendMessageResult,
    description:
      'Asks something else in the place of a message, as a new turn beside the old one, which stays readable with all that followed it. Refused while the session is busy.',
    args: { input: t.arg({ type: EditMessageInput, description: 'Which message, and what to ask.' }) },
    resolve: (_root, { input }, { services, viewer }) =>
      services.copilot.editMessage(viewer, {
        ...input,
        messageId: keyOf('Message', input.messageId, ['input', 'messageId']),
      }),
  }),
);
