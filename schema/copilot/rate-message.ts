import type { RatingKind, Message as DomainMessage } from '../../src/domain/conversation/session.ts';
import { InvalidInputError, NotFoundError } from '../../src/base/errors.ts';
import { builder } from '../builder.ts';
import { enumOf } from '../enums.ts';
import { keyOf } from '../node-ids.ts';
import { Message, MessageRating } from '../refs.ts';

const RatingKindEnum = enumOf<RatingKind>('MessageRatingKind', 'What was right or wrong about an answer.', {
  CORRECT: 'Nothing was wrong.',
  WRONG_NUMBERS: 'Its numbers are wrong; `disputeMessage` has them checked.',
  OUTDATED: 'It stands on values that are too old.',
  INCOMPLETE: 'Something that was asked for is missing.',
  UNCLEAR: 'It is hard to understand.',
  OTHER: 'Something else; the comment says what.',
});

MessageRating.implement({
  description: 'What the viewer thinks of an answer. No model is ever shown it.',
  fields: (t) => ({
    rating: t.exposeInt('rating', { description: '1 (bad) to 5 (good).' }),
    kind: t.expose('kind', { type: RatingKindEnum, nullable: true, description: 'What it is about.' }),
    comment: t.exposeString('comment', { nullable: true, description: 'Why, in the words of the viewer.' }),
    correctedAnswer: t.exposeString('correctedAnswer', {
      nullable: true,
      description: 'What would have been right.',
    }),
    ratedAt: t.expose('ratedAt', { type: 'DateTime', description: 'When it was given last.' }),
  }),
});

const RateMessageInput = builder.inputType('RateMessageInput', {
  description: 'What the viewer thinks of an answer; it takes the place of an earlier rating.',
  fields: (t) => ({
    messageId: t.id({ description: 'Id of a Message that is an answer.' }),
    rating: t.int({ description: '1 (bad) to 5 (good).' }),
    kind: t.field({ type: RatingKindEnum, required: false, description: 'What it is about.' }),
    comment: t.string({ required: false, description: 'Why, at most 8,000 characters.' }),
    correctedAnswer: t.string({
      required: false,
      description: 'What would have been right, at most 8,000 characters.',
    }),
  }),
});

const RateMessagePayload = builder.objectRef<{ answer: DomainMessage }>('RateMessagePayload').implement({
  description: 'The rating was stored.',
  fields: (t) => ({
    answer: t.expose('answer', { type: Message, description: 'The answer with its rating.' }),
  }),
});

const RateMessageResult = builder.errorUnion('RateMessageResult', {
  description: 'What became of a rating.',
  types: [RateMessagePayload, InvalidInputError, NotFoundError],
  resolveType: () => RateMessagePayload,
});

builder.mutationField('rateMessage', (t) =>
  t.field({
    type: RateMessageResult,
    description: 'Rates an answer for the people who run QPilot. It changes no later answer.',
    args: { input: t.arg({ type: RateMessageInput, description: 'Which answer, and how good it is.' }) },
    resolve: async (_root, { input }, { services, viewer }) => ({
      answer: await services.copilot.rateMessage(viewer, {
        ...input,
        messageId: keyOf('Message', input.messageId, ['input', 'messageId']),
      }),
    }),
  }),
);
