/** One answer of a conversation that is shared alone. */
import { sharedAnswerPage } from '../../src/domain/members/pages.ts';
import type { SharedAnswer as DomainSharedAnswer } from '../../src/domain/members/sharing.ts';
import type { SharedStep } from '../../src/services/sharing/shared-answers.ts';
import { builder } from '../builder.ts';
import { connectionOf, pageField, readPage } from '../connections.ts';
import { Block } from '../copilot/blocks.ts';
import { GroundedNumber } from '../copilot/grounded-number.ts';
import { TurnNotice } from '../copilot/turn.ts';
import { AssessmentEnum, DataSourceEnum, ToolCallStatusEnum, TurnStatusEnum } from '../enums.ts';
import { objectResult } from '../errors.ts';
import { keyOf } from '../node-ids.ts';
import { PAGE_READ } from '../read-costs.ts';
import { Chip, Freshness, Message, User } from '../refs.ts';
import { VisibilityEnum } from './sharing.ts';

const AnswerStep = builder.objectRef<SharedStep>('AnswerStep').implement({
  description: 'A tool call behind a shared answer, without its arguments and its whole result.',
  fields: (t) => ({
    callId: t.exposeString('callId', { description: 'Joins it to the numbers that it is the source of.' }),
    tool: t.exposeString('tool', { description: 'Name of the tool.' }),
    label: t.exposeString('label', { description: 'What the tool does, for people.' }),
    status: t.expose('status', { type: ToolCallStatusEnum, description: 'How it ended.' }),
    durationMs: t.exposeInt('durationMs', { nullable: true, description: 'Duration in milliseconds.' }),
    dataSource: t.expose('dataSource', {
      type: DataSourceEnum,
      nullable: true,
      description: 'Where its rows came from; null without rows.',
    }),
    preview: t.exposeString('preview', {
      nullable: true,
      description: 'One line about the result; null without one.',
    }),
    freshness: t.expose('freshness', {
      type: Freshness,
      nullable: true,
      description: 'Age of its rows; null without rows.',
    }),
  }),
});

/** Reading one takes about as long as a page of a list. */
const PART = { field: PAGE_READ, multiplier: 1 };

const SharedAnswer = builder.objectRef<DomainSharedAnswer>('SharedAnswer').implement({
  rule: 'viewer: shared',
  description:
    'A question and its answer that are shared alone, as long as their owner shares them. Nothing in it leads to the rest of the conversation; ids of its charts and tables lead nowhere.',
  fields: (t) => ({
    key: t.exposeString('key', { description: 'The last part of its link, for `sharedAnswer`.' }),
    link: t.string({
      description: 'Path of the page that shows it.',
      resolve: ({ projectId, key }) => sharedAnswerPage(projectId, key),
    }),
    visibility: t.expose('visibility', { type: VisibilityEnum, description: 'Who may read it.' }),
    sharedBy: t.field({
      type: User,
      nullable: true,
      description: "Its owner, where that is not the viewer; null for the viewer's own.",
      resolve: ({ viewerId }, _args, { loaders, viewer }) =>
        viewerId === viewer.id ? null : loaders.user.load(viewerId),
    }),
    sharedAt: t.expose('sharedAt', { type: 'DateTime', description: 'When it was shared.' }),
    chip: t.field({
      type: Chip,
      nullable: true,
      description: 'The chip that its conversation is about; null for none, or if removed since.',
      resolve: ({ chipId }, _args, { loaders }) => (chipId === null ? null : loaders.chip.load(chipId)),
    }),
    status: t.expose('status', {
      type: TurnStatusEnum,
      description: 'How its turn ended; unless that is COMPLETED, the text is only part of an answer.',
    }),
    question: t.string({ description: 'The question.', resolve: ({ question }) => question.text }),
    askedAt: t.field({
      type: 'DateTime',
      description: 'When it was asked.',
      resolve: ({ question }) => question.createdAt,
    }),
    imageCount: t.int({
      description: 'Number of pictures that were sent with the question; they are not shared.',
      resolve: async (shared, _args, { loaders }) => (await loaders.sharedContent.load(shared)).imageCount,
    }),
    added: t.stringList({
      description: 'What its owner added while it was written, in order.',
      complexity: PART,
      resolve: async (shared, _args, { loaders }) => [...(await loaders.sharedContent.load(shared)).added],
    }),
    text: t.string({
      description: 'Its text without charts and tables.',
      resolve: ({ answer }) => answer.text,
    }),
    blocks: t.field({
      type: [Block],
      description: 'Text, charts and tables in reading order.',
      complexity: PART,
      resolve: async (shared, _args, { loaders }) =>
        (await loaders.sharedContent.load(shared)).blocks.map((block) => {
          if (block.type === 'text') return block;
          // Without the tool call, as what is shown outside of conversations.
          if (block.type === 'chart') {
            const { id } = block.chart;
            return { type: 'chart', chartId: id, chart: { key: id, callId: null, spec: block.chart } };
          }
          const { id } = block.table;
          return { type: 'table', tableId: id, table: { key: id, callId: null, spec: block.table } };
        }),
    }),
    numbers: t.field({
      type: [GroundedNumber],
      description:
        'Numbers in the text with their sources, in text order; `callId` is null for calls of earlier answers.',
      complexity: { field: PAGE_READ, multiplier: 40 },
      resolve: async (shared, _args, { loaders }) => [...(await loaders.sharedContent.load(shared)).numbers],
    }),
    steps: t.field({
      type: [AnswerStep],
      description: 'The tool calls behind it, in the order in which they started.',
      complexity: PART,
      resolve: async (shared, _args, { loaders }) => [...(await loaders.sharedContent.load(shared)).steps],
    }),
    notices: t.field({
      type: [TurnNotice],
      description: 'What a reader should know about how it was produced, in order.',
      complexity: PART,
      resolve: async (shared, _args, { loaders }) => [...(await loaders.sharedContent.load(shared)).notices],
    }),
    freshness: t.field({
      type: [Freshness],
      description: 'Age of the rows behind it, one entry per data source.',
      resolve: ({ answer }) => [...answer.freshness],
    }),
    assessment: t.field({
      type: AssessmentEnum,
      nullable: true,
      description: "The model's overall judgement of what the question is about; null without one.",
      resolve: ({ answer }) => answer.assessment,
    }),
    strippedTables: t.int({
      description: "Number of the model's own tables that it leaves out for tool results.",
      resolve: ({ answer }) => answer.strippedTables,
    }),
    unverifiedTable: t.boolean({
      description: 'Whether the text contains a table by the model, which no tool result backs.',
      resolve: ({ answer }) => answer.unverifiedTable,
    }),
    model: t.string({
      nullable: true,
      description: 'The model that wrote it.',
      resolve: ({ answer }) => answer.model,
    }),
    answeredAt: t.field({
      type: 'DateTime',
      description: 'When it was stored.',
      resolve: ({ answer }) => answer.createdAt,
    }),
  }),
});

builder.objectFields(Message, (t) => ({
  visibility: t.field({
    type: VisibilityEnum,
    description:
      'Who may read the answer alone, without its conversation; PRIVATE as well for questions and answers of others.',
    resolve: async ({ id }, _args, { loaders }) =>
      (await loaders.answerShare.load(id))?.visibility ?? 'PRIVATE',
  }),
  shareLink: t.string({
    nullable: true,
    description:
      'Path of the page that shows the answer alone, for its owner to hand on; null while it is private.',
    resolve: async ({ id }, _args, { loaders, viewer }) => {
      const share = await loaders.answerShare.load(id);
      return share && sharedAnswerPage(viewer.projectId, share.key);
    },
  }),
}));

const SharedAnswerConnection = connectionOf(SharedAnswer, 'shared answers');
const page = pageField();

builder.queryFields((t) => ({
  sharedAnswer: t.field({
    rule: 'viewer: shared',
    type: SharedAnswer,
    nullable: true,
    description:
      'An answer that is shared alone; null for a link that is not valid in this project, or not any more. Nobody but admins, in the audit, sees who read it.',
    args: { key: t.arg.string({ description: 'The last part of the path in `Message.shareLink`.' }) },
    complexity: PART,
    resolve: async (_root, { key }, { services, viewer, actor }) => {
      const found = await services.sharing.answers.byKey(viewer, key);
      if (found !== null && found.viewerId !== viewer.id)
        await services.audit.viewed({ ...actor, action: 'sharedAnswer', ids: { answer: found.answer.id } });
      return found;
    },
  }),
  sharedAnswers: t.field({
    rule: 'viewer: shared',
    type: SharedAnswerConnection,
    description: 'Answers that other members share with the project, the one shared last first.',
    ...page,
    resolve: (_root, args, { services, viewer }) =>
      readPage(args, (wanted) => services.sharing.answers.page(viewer, wanted)),
  }),
}));

builder.subscriptionField('answerIsShared', (t) =>
  t.boolean({
    rule: 'viewer: shared',
    description:
      'Whether a link leads to a shared answer: true once, where it does, and false when it does not or not any more, which ends it.',
    args: { key: t.arg.string({ description: 'The last part of the path in `Message.shareLink`.' }) },
    subscribe: (_root, { key }, { services, viewer, signal }) =>
      services.sharing.answers.isShared(viewer, key, signal),
    resolve: (isShared) => isShared,
  }),
);

const ShareAnswerInput = builder.inputType('ShareAnswerInput', {
  description: 'An answer and who may read it alone.',
  fields: (t) => ({
    messageId: t.id({ description: 'Id of a Message that is an answer.' }),
    visibility: t.field({
      type: VisibilityEnum,
      description: 'Who may read it besides those who may read its conversation.',
    }),
  }),
});

builder.mutationField('shareAnswer', (t) =>
  t.field({
    rule: 'viewer: own',
    audit: 'CHANGE',
    type: objectResult('ShareAnswer', {
      field: 'answer',
      type: Message,
      about: 'The answer.',
      description: 'Who may read it alone has changed.',
      errors: ['INVALID_INPUT', 'NOT_FOUND'],
    }),
    description:
      'Shares a question and its answer alone, without the rest of the conversation, or makes them private again. Each change ends the earlier link, which is never valid again.',
    args: { input: t.arg({ type: ShareAnswerInput, description: 'The answer.' }) },
    resolve: async (_root, { input: { messageId, visibility } }, { services, viewer }) => ({
      answer: await services.sharing.answers.share(viewer, {
        messageId: keyOf('Message', messageId, ['input', 'messageId']),
        visibility,
      }),
    }),
  }),
);
