import {
  BudgetExceededError,
  ConflictError,
  InvalidInputError,
  NotFoundError,
  RateLimitedError,
  SessionBusyError,
  SessionLinkedError,
  StaleArtifactsError,
} from '../../src/base/errors.ts';
import type { SentMessage } from '../../src/services/copilot/start-turn.ts';
import { builder } from '../builder.ts';
import { existing } from '../existing.ts';
import { keyOf } from '../node-ids.ts';
import { BuilderSession, Message, Turn } from '../refs.ts';
import { ArtifactsInput } from './artifacts.ts';

const SendBuilderMessageInput = builder.inputType('SendBuilderMessageInput', {
  description: 'A message to the instruction builder, with the artifacts as the user sees them.',
  fields: (t) => ({
    sessionId: t.id({
      required: false,
      description: 'None: a session is made with this message as its first.',
    }),
    expertId: t.string({ required: false, description: 'The expert that a new session is based on.' }),
    content: t.string({ description: '1 to 8,000 characters, not blank.' }),
    clientMessageId: t.string({
      description:
        'Made by the client, for example a UUID: sending again with the same id answers with the same turn.',
    }),
    artifacts: t.field({
      type: ArtifactsInput,
      description: "The user's truth: where it differs from what stands, it becomes a revision first.",
    }),
    baseRevision: t.int({
      required: false,
      description:
        'The revision that the artifacts were made from; refused unless it is the newest. None: they are taken as they are.',
    }),
    model: t.string({ required: false, description: 'Any model name; none: the default of the builder.' }),
    strict: t.boolean({
      required: false,
      description: 'From now on, refuse edits whose text stands more than once; none: as before.',
    }),
    review: t.boolean({
      required: false,
      description: 'From now on, changes of the builder are proposals first; none: as before.',
    }),
  }),
});

/** Also of a question to the builder that was asked again. */
export const SendBuilderMessagePayload = builder
  .objectRef<SentMessage>('SendBuilderMessagePayload')
  .implement({
    description: 'The message was taken and its turn will run, whoever watches.',
    fields: (t) => ({
      session: t.field({
        type: BuilderSession,
        description: 'The session, new or old.',
        // As the message left it, whatever was read of it before in this operation.
        resolve: ({ session: { id } }, _args, { loaders: { builderSession } }) =>
          existing(builderSession.clear(id).load(id), 'builder session'),
      }),
      turn: t.expose('turn', { type: Turn, description: 'The turn that answers the message.' }),
      message: t.expose('message', { type: Message, description: 'The message as stored.' }),
      lastSeq: t.exposeInt('lastSeq', {
        description: 'Subscribe with this as `afterSeq` to see the turn from its first event.',
      }),
    }),
  });

const SendBuilderMessageResult = builder.errorUnion('SendBuilderMessageResult', {
  description: 'What became of a message to the builder.',
  types: [
    SendBuilderMessagePayload,
    InvalidInputError,
    NotFoundError,
    SessionBusyError,
    SessionLinkedError,
    StaleArtifactsError,
    RateLimitedError,
    BudgetExceededError,
    ConflictError,
  ],
  resolveType: () => SendBuilderMessagePayload,
});

builder.mutationField('sendBuilderMessage', (t) =>
  t.field({
    type: SendBuilderMessageResult,
    description:
      'Sends a message to the builder and starts the turn that answers it. Returns at once; follow the turn by `builderEvents`.',
    args: { input: t.arg({ type: SendBuilderMessageInput, description: 'The message.' }) },
    resolve: (_root, { input }, { services, viewer }) =>
      services.builder.sendMessage(viewer, {
        ...input,
        sessionId: input.sessionId ? keyOf('BuilderSession', input.sessionId, ['input', 'sessionId']) : null,
      }),
  }),
);
