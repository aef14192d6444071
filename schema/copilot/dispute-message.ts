import { builder } from '../builder.ts';
import { keyOf } from '../node-ids.ts';
import { SendMessageResult } from './send-message.ts';

const DisputeMessageInput = builder.inputType('DisputeMessageInput', {
  description: 'Which answer has numbers that look wrong.',
  fields: (t) => ({
    messageId: t.id({ description: 'Id of a Message that is an answer.' }),
    note: t.string({
      required: false,
      description:
        'What looks wrong, at most 8,000 characters; qubits and parameters named in it are looked at first.',
    }),
    clientMessageId: t.string({
      description: 'Made by the client: disputing again with the same id answers with the same turn.',
    }),
  }),
});

builder.mutationField('disputeMessage', (t) =>
  t.field({
    type: SendMessageResult,
    description:
      'Has the values of an answer compared with those of the live source, whatever the model thinks of it: a new turn says where they came from and shows stored beside live values with a verdict for each.',
    args: { input: t.arg({ type: DisputeMessageInput, description: 'Which answer.' }) },
    resolve: (_root, { input }, { services, viewer }) =>
      services.copilot.disputeMessage(viewer, {
        ...input,
        messageId: keyOf('Message', input.messageId, ['input', 'messageId']),
      }),
  }),
);
