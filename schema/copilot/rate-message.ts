import type { RatingKind } from '../../src/domain/conversation/session.ts';
import { builder } from '../builder.ts';
import { enumOf } from '../enums.ts';
import { objectResult } from '../errors.ts';
import { keyOf } from '../node-ids.ts';
import { Message, MessageRating } from '../refs.ts';

const RatingKindEnum = enumOf<RatingKind>('MessageRatingKind', 'What is right or wrong about an answer.', {
  CORRECT: 'Nothing is wrong.',
  WRONG_NUMBERS: 'Its numbers are wrong; `disputeMessage` has them checked.',
  OUTDATED: 'It uses values that are too old.',
  INCOMPLETE: 'Part of the question is unanswered.',
  UNCLEAR: 'It is hard to understand.',
  OTHER: 'Something else; see the comment.',
});

MessageRating.implement({
  description: "The viewer's rating of an answer. No model ever sees it.",
  fields: (t) => ({
    rating: t.exposeInt('rating', { description: '1 (bad) to 5 (good).' }),
    kind: t.expose('kind', {
      type: RatingKindEnum,
      nullable: true,
      description: 'What the rating is about.',
    }),
    comment: t.exposeString('comment', {
      nullable: true,
      description: "Why, in the viewer's words; null without a comment.",
    }),
    correctedAnswer: t.exposeString('correctedAnswer', {
      nullable: true,
      description: 'What would have been right; null without a correction.',
    }),
    ratedAt: t.expose('ratedAt', { type: 'DateTime', description: 'When the viewer last rated the answer.' }),
  }),
});

const RateMessageInput = builder.inputType('RateMessageInput', {
  description: 'A rating of an answer; it replaces an earlier one.',
  fields: (t) => ({
    messageId: t.id({ description: 'Id of a Message that is an answer.' }),
    rating: t.int({ description: '1 (bad) to 5 (good).' }),
    kind: t.field({ type: RatingKindEnum, required: false, description: 'What the rating is about.' }),
    comment: t.string({ required: false, description: 'Why, at most 8,000 characters.' }),
    correctedAnswer: t.string({
      required: false,
      description: 'What would have been right, at most 8,000 characters.',
    }),
  }),
});

builder.mutationField('rateMessage', (t) =>
  t.field({
    rule: 'viewer: own',
    audit: 'CHANGE',
    type: objectResult('RateMessage', {
      field: 'answer',
      type: Message,
      about: 'The answer with its rating.',
      description: 'The rating was stored.',
      errors: ['INVALID_INPUT', 'NOT_FOUND'],
    }),
    description: 'Rates an answer, for the operators of QPilot. It does not influence later answers.',
    args: { input: t.arg({ type: RateMessageInput, description: 'The answer and its rating.' }) },
    resolve: async (_root, { input }, { services, viewer }) => ({
      answer: await services.copilot.rateMessage(viewer, {
        ...input,
        messageId: keyOf('Message', input.messageId, ['input', 'messageId']),
      }),
    }),
  }),
);
