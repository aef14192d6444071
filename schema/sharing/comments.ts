/** Comments on answers and jobs. */
import type { Comment as DomainComment } from '../../src/domain/members/sharing.ts';
import { InvalidInputError } from '../../src/base/errors.ts';
import { mayDelete } from '../../src/services/sharing/comments.ts';
import { builder } from '../builder.ts';
import { objectResult, resultOf } from '../errors.ts';
import { decodeNodeId, keyOf } from '../node-ids.ts';
import { Comment, CopilotSession, Job, Message, User } from '../refs.ts';
import { ViewerRef } from '../viewer.ts';

builder.node(Comment, {
  rule: 'viewer: shared',
  description: 'What a member says about an answer or a job. No model ever sees it.',
  id: { resolve: ({ id }) => id },
  loadWithoutCache: (id, { loaders }) => loaders.comment.load(id),
  fields: (t) => ({
    author: t.field({
      type: User,
      description: 'Who wrote it.',
      resolve: ({ authorId }, _args, { loaders }) => loaders.user.load(authorId),
    }),
    text: t.exposeString('text', { description: 'Plain text; members are named as `@Name`.' }),
    mentions: t.field({
      type: [User],
      description: 'Members whom it names.',
      resolve: ({ mentions }, _args, { loaders }) =>
        Promise.all(mentions.map((userId) => loaders.user.load(userId))),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was written.' }),
    mayDelete: t.boolean({
      description: 'Whether the viewer may delete it: its author and admins may.',
      resolve: (comment, _args, { viewer }) => mayDelete(viewer, comment),
    }),
    message: t.field({
      type: Message,
      nullable: true,
      description: 'The answer that it is on; null for a comment on a job.',
      resolve: ({ messageId }, _args, { loaders }) =>
        messageId === null ? null : loaders.message.load(messageId),
    }),
    session: t.field({
      type: CopilotSession,
      nullable: true,
      description: 'The conversation that it is in; null for a comment in a job.',
      resolve: async ({ sessionId }, _args, { loaders }) => {
        const session = await loaders.session.load(sessionId);
        return session?.kind === 'COPILOT' ? session : null;
      },
    }),
    job: t.field({
      type: Job,
      nullable: true,
      description: 'The job that it is in; null for a comment in a conversation.',
      resolve: ({ sessionId }, _args, { loaders }) => loaders.jobOfSession.load(sessionId),
    }),
  }),
});

builder.objectField(Message, 'comments', (t) =>
  t.field({
    type: [Comment],
    description: 'What members say about the answer, oldest first; empty for a question.',
    resolve: async ({ id }, _args, { loaders }) => [...(await loaders.commentsOfMessage.load(id))],
  }),
);

builder.objectField(CopilotSession, 'comments', (t) =>
  t.field({
    type: [Comment],
    description: 'What members say about its answers, oldest first.',
    resolve: async ({ id }, _args, { loaders }) => [...(await loaders.commentsOfSession.load(id))],
  }),
);

builder.objectField(Job, 'comments', (t) =>
  t.field({
    type: [Comment],
    description: 'What members say about it and its answers, oldest first.',
    resolve: async ({ sessionId }, _args, { loaders }) => [
      ...(await loaders.commentsOfSession.load(sessionId)),
    ],
  }),
);

builder.objectField(ViewerRef, 'mentions', (t) =>
  t.field({
    type: [Comment],
    description: 'The newest comments that name the viewer, in what the viewer may read, newest first.',
    args: { first: t.arg.int({ required: false, defaultValue: 20, description: 'Number, 1 to 100.' }) },
    complexity: ({ first }) => ({ field: 1, multiplier: first ?? 20 }),
    resolve: async (viewer, { first }, { services }) => [
      ...(await services.comments.mentions(viewer, first ?? 20)),
    ],
  }),
);

const AddCommentInput = builder.inputType('AddCommentInput', {
  description: 'A comment.',
  fields: (t) => ({
    subjectId: t.id({ description: 'Id of a Message that is an answer, or of a Job.' }),
    text: t.string({ description: '1 to 2,000 characters, not blank.' }),
    mentions: t.idList({
      required: false,
      description:
        'Members whom it names, by `Member.userId`; at most 20. Others may only be named in what is shared.',
    }),
  }),
});

const DeleteCommentInput = builder.inputType('DeleteCommentInput', {
  description: 'The comment to delete.',
  fields: (t) => ({ commentId: t.id({ description: 'Id of a Comment.' }) }),
});

const DeleteCommentPayload = builder
  .objectRef<{ readonly deletedCommentId: string }>('DeleteCommentPayload')
  .implement({
    description: 'The comment is gone.',
    fields: (t) => ({
      deletedCommentId: t.exposeID('deletedCommentId', { description: 'Id of the former Comment.' }),
    }),
  });

function subjectOf(id: string): { readonly type: 'Message' | 'Job'; readonly id: string } {
  const { typename, id: key } = decodeNodeId(id);
  if (typename === 'Message' || typename === 'Job') return { type: typename, id: key };
  throw InvalidInputError.at(
    ['input', 'subjectId'],
    `this is the id of a ${typename}; give that of an answer or a Job`,
  );
}

builder.mutationFields((t) => ({
  addComment: t.field({
    rule: 'viewer: shared',
    audit: 'SUBMIT',
    type: objectResult('AddComment', {
      field: 'comment',
      type: Comment,
      about: 'The comment.',
      description: 'The comment was stored.',
      errors: ['INVALID_INPUT', 'NOT_FOUND', 'RATE_LIMITED', 'FORBIDDEN'],
    }),
    description: 'Comments on an answer or a job that the viewer may read; at most 20 comments a minute.',
    args: { input: t.arg({ type: AddCommentInput, description: 'The comment.' }) },
    resolve: async (_root, { input: { subjectId, text, mentions } }, { services, viewer }) => ({
      comment: await services.comments.add(viewer, {
        subject: subjectOf(subjectId),
        text,
        mentions: mentions ?? [],
      }),
    }),
  }),
  deleteComment: t.field({
    rule: 'viewer: shared',
    audit: 'DELETE',
    type: resultOf(DeleteCommentPayload, ['INVALID_INPUT', 'FORBIDDEN']),
    description: 'Deletes a comment, as its author or as an admin. Deleting again changes nothing.',
    args: { input: t.arg({ type: DeleteCommentInput, description: 'The comment.' }) },
    resolve: async (_root, { input: { commentId } }, { services, viewer }) => {
      await services.comments.remove(viewer, keyOf('Comment', commentId, ['input', 'commentId']));
      return { deletedCommentId: commentId };
    },
  }),
}));

const CommentsUpdate = builder.objectRef<readonly DomainComment[]>('CommentsUpdate').implement({
  description: 'The comments of a conversation or job.',
  fields: (t) => ({
    comments: t.field({
      type: [Comment],
      description: 'All of them, oldest first.',
      resolve: (comments) => [...comments],
    }),
  }),
});

builder.subscriptionField('commentsUpdated', (t) =>
  t.field({
    rule: 'viewer: shared',
    type: CommentsUpdate,
    description: 'The comments of a conversation or job: as they are now, and again after each change.',
    args: { id: t.arg.id({ description: 'Id of a CopilotSession, or of a Job.' }) },
    subscribe: async (_root, { id }, { services, viewer, signal, endUnless }) => {
      const { typename, id: key } = decodeNodeId(id);
      const assertReadable =
        typename === 'Job'
          ? () => services.jobs.assertReadable(viewer, key)
          : () => services.copilot.assertReadable(viewer, keyOf('CopilotSession', id));
      await assertReadable();
      endUnless(assertReadable);
      const [job] = typename === 'Job' ? await services.jobs.byIds(viewer, [key]) : [];
      return services.comments.follow(viewer, job?.sessionId ?? key, signal);
    },
    resolve: (comments) => comments,
  }),
);
