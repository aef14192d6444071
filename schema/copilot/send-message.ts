import {
  BudgetExceededError,
  ConflictError,
  InvalidInputError,
  NotFoundError,
  RateLimitedError,
  SessionBusyError,
  SessionLinkedError,
} from '../../src/base/errors.ts';
import type { SentMessage, WhenBusy } from '../../src/services/copilot/start-turn.ts';
import { SendBuilderMessagePayload } from '../builder-session/send-message.ts';
import { builder } from '../builder.ts';
import { enumOf } from '../enums.ts';
import { keyOf } from '../node-ids.ts';
import { CopilotSession, Message, Turn } from '../refs.ts';

const WhenBusyEnum = enumOf<WhenBusy>('WhenBusy', 'What a message meets when its session is busy.', {
  REJECT: 'It is refused with SessionBusyError.',
  QUEUE: 'It waits in line.',
  SUPERSEDE: 'The running turn is cancelled and it goes first.',
});

const ImageInput = builder.inputType('ImageInput', {
  description: 'A picture that comes with a message.',
  fields: (t) => ({
    file: t.field({
      type: 'File',
      description:
        'PNG, JPEG or WebP by its content, at most 5 MiB and 8,000 pixels on a side; sent as a form, as in `createUpload`.',
    }),
  }),
});

const SendMessageInput = builder.inputType('SendMessageInput', {
  description: 'A message to the copilot.',
  fields: (t) => ({
    sessionId: t.id({
      required: false,
      description: 'None: a session is made with this message as its first.',
    }),
    chipId: t.string({ required: false, description: 'The chip that a new session is about.' }),
    qid: t.string({ required: false, description: 'The qubit that a new session is about.' }),
    taskId: t.string({ required: false, description: 'The task result that a new session is about.' }),
    content: t.string({ description: '1 to 8,000 characters, not blank.' }),
    clientMessageId: t.string({
      description:
        'Made by the client, for example a UUID: sending again with the same id answers with the same turn.',
    }),
    model: t.string({ required: false, description: 'A name of `copilotConfig.models`; none: the default.' }),
    whenBusy: t.field({
      type: WhenBusyEnum,
      required: false,
      defaultValue: 'REJECT',
      description: 'What to do when the session is busy.',
    }),
    images: t.field({
      type: [ImageInput],
      required: false,
      description:
        'Pictures for the model to look at, at most `copilotConfig.maxImages`; only for models that can (`supportsImages`).',
    }),
    uploadIds: t.idList({
      required: false,
      description: 'Uploaded tables that the session may use from now on, at most 10; see `createUpload`.',
    }),
  }),
});

const SendMessagePayload = builder.objectRef<SentMessage>('SendMessagePayload').implement({
  description: 'The message was taken and its turn will run, whoever watches.',
  fields: (t) => ({
    session: t.expose('session', { type: CopilotSession, description: 'The session, new or old.' }),
    turn: t.expose('turn', { type: Turn, description: 'The turn that answers the message.' }),
    message: t.expose('message', { type: Message, description: 'The message as stored.' }),
    lastSeq: t.exposeInt('lastSeq', {
      description: 'Subscribe with this as `afterSeq` to see the turn from its first event.',
    }),
  }),
});

/** Outcome of every mutation that starts a turn by what a turn id, or a session of the copilot, names. */
export const SendMessageResult = builder.errorUnion('SendMessageResult', {
  description:
    'What became of a message. A question to the instruction builder that is asked again gives `SendBuilderMessagePayload`.',
  types: [
    SendMessagePayload,
    SendBuilderMessagePayload,
    InvalidInputError,
    NotFoundError,
    SessionBusyError,
    RateLimitedError,
    BudgetExceededError,
    ConflictError,
    SessionLinkedError,
  ],
  // Errors know their own types, so only what was taken comes here.
  resolveType: (sent) =>
    'turn' in sent && sent.session.kind === 'BUILDER' ? SendBuilderMessagePayload : SendMessagePayload,
});

builder.mutationField('sendMessage', (t) =>
  t.field({
    type: SendMessageResult,
    description:
      'Sends a message and starts the turn that answers it. Returns at once; follow the turn by `copilotEvents`.',
    args: { input: t.arg({ type: SendMessageInput, description: 'The message.' }) },
    resolve: (_root, { input }, { services, viewer }) => {
      const sessionId = input.sessionId
        ? keyOf('CopilotSession', input.sessionId, ['input', 'sessionId'])
        : null;
      const uploadIds = input.uploadIds?.map((id) => keyOf('Upload', id, ['input', 'uploadIds']));
      return services.copilot.sendMessage(viewer, {
        ...input,
        sessionId,
        uploadIds,
        images: input.images?.map(({ file }) => file),
      });
    },
  }),
);
