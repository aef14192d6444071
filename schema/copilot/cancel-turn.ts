import type { Turn as DomainTurn } from '../../src/domain/conversation/session.ts';
import { NotFoundError } from '../../src/base/errors.ts';
import { builder } from '../builder.ts';
import { existing } from '../existing.ts';
import { keyOf } from '../node-ids.ts';
import { Turn } from '../refs.ts';

const CancelTurnInput = builder.inputType('CancelTurnInput', {
  description: 'Which turn to stop.',
  fields: (t) => ({
    turnId: t.id({ description: 'Id of a Turn.' }),
    reason: t.string({
      required: false,
      description: 'Why; its first 200 characters then stand in the error of the turn.',
    }),
  }),
});

const CancelTurnPayload = builder.objectRef<{ turn: DomainTurn }>('CancelTurnPayload').implement({
  description: 'The turn has ended, or will at once.',
  fields: (t) => ({
    turn: t.expose('turn', { type: Turn, description: 'The turn as it stands now.' }),
    lastSeq: t.int({
      description: 'Number of the newest event of its session.',
      resolve: async ({ turn }, _args, { loaders }) =>
        (await existing(loaders.session.load(turn.sessionId), 'session')).lastSeq,
    }),
  }),
});

const CancelTurnResult = builder.errorUnion('CancelTurnResult', {
  description: 'What became of a request to stop.',
  types: [CancelTurnPayload, NotFoundError],
  resolveType: () => CancelTurnPayload,
});

builder.mutationField('cancelTurn', (t) =>
  t.field({
    type: CancelTurnResult,
    description: 'Stops a turn and keeps its partial text. A turn that has ended stays as it is.',
    args: { input: t.arg({ type: CancelTurnInput, description: 'Which turn.' }) },
    resolve: async (_root, { input }, { services, viewer }) => ({
      turn: await services.copilot.cancelTurn(viewer, {
        turnId: keyOf('Turn', input.turnId, ['input', 'turnId']),
        reason: input.reason,
      }),
    }),
  }),
);
