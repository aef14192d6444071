import { ThinkingKindEnum, TurnPhaseEnum, TurnStatusEnum } from '../enums.ts';
import { existing } from '../existing.ts';
import { encodeNodeId } from '../node-ids.ts';
import { HistorySummary, Message, TurnError, Usage } from '../refs.ts';
import { eventRef, payload, SequencedEvent } from './sequenced-event.ts';

const interfaces = [SequencedEvent];

export const TurnStartedEvent = eventRef('TurnStartedEvent').implement({
  rule: 'viewer: shared',
  description: 'A message was accepted.',
  interfaces,
  fields: (t) => ({
    message: t.field({
      type: Message,
      description: 'The message of the user.',
      resolve: ({ payload: { messageId } }, _args, { loaders }) =>
        existing(loaders.message.load(messageId), 'message'),
    }),
  }),
});

export const MessageJoinedEvent = eventRef('MessageJoinedEvent').implement({
  rule: 'viewer: shared',
  description:
    'Another message of the user became part of the turn, sent with STEER. The text before it was written without it.',
  interfaces,
  fields: (t) => ({
    message: t.field({
      type: Message,
      description: 'The message of the user.',
      resolve: ({ payload: { messageId } }, _args, { loaders }) =>
        existing(loaders.message.load(messageId), 'message'),
    }),
  }),
});

export const StatusEvent = eventRef('StatusEvent').implement({
  rule: 'viewer: shared',
  description: 'The turn entered another phase.',
  interfaces,
  fields: (t) => ({
    phase: t.field({ type: TurnPhaseEnum, description: 'For programs.', resolve: payload('phase') }),
    text: t.string({ description: 'For people.', resolve: payload('text') }),
    summary: t.field({
      type: HistorySummary,
      nullable: true,
      description: 'The new summary of earlier messages, if the phase produced one.',
      resolve: ({ payload: { summaryId } }, _args, { loaders }) =>
        summaryId === undefined ? null : loaders.summary.load(summaryId),
    }),
  }),
});

export const TokenEvent = eventRef('TokenEvent').implement({
  rule: 'viewer: shared',
  description: 'More text of the answer. Joined together they are the text of the final message.',
  interfaces,
  fields: (t) => ({
    text: t.string({ description: 'The text to append.', resolve: payload('text') }),
    offset: t.int({
      description: 'Length of the answer before this text, in UTF-16 code units.',
      resolve: payload('offset'),
    }),
  }),
});

export const ThinkingEvent = eventRef('ThinkingEvent').implement({
  rule: 'viewer: shared',
  description:
    'More of what the model thinks, where it shows that. It is never part of the answer; show it folded.',
  interfaces,
  fields: (t) => ({
    thought: t.int({
      description:
        'Counts the thoughts of the turn, from 1. A new one begins after the model said or did something.',
      resolve: payload('thought'),
    }),
    kind: t.field({
      type: ThinkingKindEnum,
      description: 'Whose words these are.',
      resolve: payload('kind'),
    }),
    text: t.string({ description: 'The text to append to the thought.', resolve: payload('text') }),
    offset: t.int({
      description: 'Length of the thought before this text, in UTF-16 code units.',
      resolve: payload('offset'),
    }),
    thoughtMs: t.int({
      nullable: true,
      description: 'How long the thought took, on its last event; null on the others.',
      resolve: payload('durationMs'),
    }),
  }),
});

export const StepResetEvent = eventRef('StepResetEvent').implement({
  rule: 'viewer: shared',
  description:
    "Discard the text after the offset and the named charts. Either a model call failed midway and is repeated, or charts of stored results replace the model's own, in which case all text stays.",
  interfaces,
  fields: (t) => ({
    keepUntilOffset: t.int({
      description: 'Length of the text to keep, in UTF-16 code units.',
      resolve: payload('keepUntilOffset'),
    }),
    droppedChartIds: t.idList({
      description: 'Ids of the model-made charts to discard. Charts of tool results stay.',
      resolve: ({ payload: { droppedChartIds } }) =>
        (droppedChartIds ?? []).map((id) => encodeNodeId('Chart', id)),
    }),
    reason: t.string({ description: 'For people.', resolve: payload('reason') }),
  }),
});

export const UsageEvent = eventRef('UsageEvent').implement({
  rule: 'viewer: shared',
  description: 'Tokens of the turn so far.',
  interfaces,
  fields: (t) => ({
    usage: t.field({ type: Usage, description: 'Sum over its model calls.', resolve: payload('usage') }),
    budgetLeftTokens: t.int({
      nullable: true,
      description: 'Tokens left in the budget; null without a budget.',
      resolve: payload('budgetLeftTokens'),
    }),
  }),
});

export const TurnFinishedEvent = eventRef('TurnFinishedEvent').implement({
  rule: 'viewer: shared',
  description: 'The turn ended. Every turn has exactly one of these, as its last event.',
  interfaces,
  fields: (t) => ({
    turnStatus: t.field({
      type: TurnStatusEnum,
      description: 'How the turn ended.',
      resolve: payload('status'),
    }),
    status: t.field({
      type: TurnStatusEnum,
      description: 'How the turn ended.',
      deprecationReason: 'Use `turnStatus`; removed in 0.4',
      resolve: payload('status'),
    }),
    message: t.field({
      type: Message,
      nullable: true,
      description: 'The answer as stored; null without one.',
      resolve: ({ payload: { messageId } }, _args, { loaders }) =>
        messageId === null ? null : loaders.message.load(messageId),
    }),
    usage: t.field({
      type: Usage,
      nullable: true,
      description: 'Tokens; null if no model was called.',
      resolve: payload('usage'),
    }),
    rounds: t.int({ description: 'Number of model calls.', resolve: payload('rounds') }),
    error: t.field({
      type: TurnError,
      nullable: true,
      description: 'Why it did not complete; null if it did.',
      resolve: payload('error'),
    }),
  }),
});
