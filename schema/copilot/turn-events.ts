import { TurnPhaseEnum, TurnStatusEnum } from '../enums.ts';
import { existing } from '../existing.ts';
import { encodeNodeId } from '../node-ids.ts';
import { HistorySummary, Message, TurnError, Usage } from '../refs.ts';
import { eventRef, SequencedEvent } from './sequenced-event.ts';

export const TurnStartedEvent = eventRef('TurnStartedEvent').implement({
  description: 'A message was taken.',
  interfaces: [SequencedEvent],
  fields: (t) => ({
    message: t.field({
      type: Message,
      description: 'The message of the user.',
      resolve: ({ payload }, _args, { loaders }) =>
        existing(loaders.message.load(payload.messageId), 'message'),
    }),
  }),
});

export const StatusEvent = eventRef('StatusEvent').implement({
  description: 'The turn is busy with something else now.',
  interfaces: [SequencedEvent],
  fields: (t) => ({
    phase: t.field({
      type: TurnPhaseEnum,
      description: 'For programs.',
      resolve: ({ payload }) => payload.phase,
    }),
    text: t.string({ description: 'For people.', resolve: ({ payload }) => payload.text }),
    summary: t.field({
      type: HistorySummary,
      nullable: true,
      description:
        'The summary of earlier messages that was made, where that is what the turn was busy with.',
      resolve: ({ payload: { summaryId } }, _args, { loaders }) =>
        summaryId === undefined ? null : loaders.summary.load(summaryId),
    }),
  }),
});

export const TokenEvent = eventRef('TokenEvent').implement({
  description: 'More text of the answer. All of them joined are the text of the final message.',
  interfaces: [SequencedEvent],
  fields: (t) => ({
    text: t.string({ description: 'The text to append.', resolve: ({ payload }) => payload.text }),
    offset: t.int({
      description: 'Length of the answer before this text, in UTF-16 code units.',
      resolve: ({ payload }) => payload.offset,
    }),
  }),
});

export const StepResetEvent = eventRef('StepResetEvent').implement({
  description:
    "Discard the text behind the offset, and the named charts: a model call failed in mid-answer and is repeated, or charts of stored results take the place of the model's own, and all text stays.",
  interfaces: [SequencedEvent],
  fields: (t) => ({
    keepUntilOffset: t.int({
      description: 'Length of the text to keep, in UTF-16 code units.',
      resolve: ({ payload }) => payload.keepUntilOffset,
    }),
    droppedChartIds: t.idList({
      description:
        'Charts to discard: some that the model made. Charts of stored results stay, for the tools did run.',
      resolve: ({ payload }) => (payload.droppedChartIds ?? []).map((id) => encodeNodeId('Chart', id)),
    }),
    reason: t.string({ description: 'For people.', resolve: ({ payload }) => payload.reason }),
  }),
});

export const UsageEvent = eventRef('UsageEvent').implement({
  description: 'Tokens of the turn so far.',
  interfaces: [SequencedEvent],
  fields: (t) => ({
    usage: t.field({
      type: Usage,
      description: 'Summed over its model calls.',
      resolve: ({ payload }) => payload.usage,
    }),
    budgetLeftTokens: t.int({
      nullable: true,
      description: 'Tokens left of the budget; null when there is none.',
      resolve: ({ payload }) => payload.budgetLeftTokens,
    }),
  }),
});

export const TurnFinishedEvent = eventRef('TurnFinishedEvent').implement({
  description: 'The turn ended. There is exactly one of these a turn, and it is its last event.',
  interfaces: [SequencedEvent],
  fields: (t) => ({
    status: t.field({
      type: TurnStatusEnum,
      description: 'How it ended.',
      resolve: ({ payload }) => payload.status,
    }),
    message: t.field({
      type: Message,
      nullable: true,
      description: 'The answer as stored; null when there is none.',
      resolve: ({ payload: { messageId } }, _args, { loaders }) =>
        messageId === null ? null : loaders.message.load(messageId),
    }),
    usage: t.field({
      type: Usage,
      nullable: true,
      description: 'Tokens.',
      resolve: ({ payload }) => payload.usage,
    }),
    rounds: t.int({ description: 'Model calls.', resolve: ({ payload }) => payload.rounds }),
    error: t.field({
      type: TurnError,
      nullable: true,
      description: 'Why it did not complete.',
      resolve: ({ payload }) => payload.error,
    }),
  }),
});
