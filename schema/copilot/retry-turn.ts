import { builder } from '../builder.ts';
import { keyOf } from '../node-ids.ts';
import { SendMessageResult } from './send-message.ts';

const RetryTurnInput = builder.inputType('RetryTurnInput', {
  description: 'Which turn to ask again.',
  fields: (t) => ({
    turnId: t.id({ description: 'Id of a Turn.' }),
    clientMessageId: t.string({
      description: 'Made by the client: retrying again with the same id answers with the same new turn.',
    }),
    model: t.string({ required: false, description: 'Another model; none: the same as before.' }),
  }),
});

builder.mutationField('retryTurn', (t) =>
  t.field({
    type: SendMessageResult,
    description:
      'Asks the question of a turn again, as a new turn beside the old one, which stays readable. What followed the old one stays with it.',
    args: { input: t.arg({ type: RetryTurnInput, description: 'Which turn.' }) },
    resolve: (_root, { input }, { services, viewer }) =>
      services.copilot.retryTurn(viewer, {
        ...input,
        turnId: keyOf('Turn', input.turnId, ['input', 'turnId']),
      }),
  }),
);
