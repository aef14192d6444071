import type { BuilderSession as Session } from '../../src/domain/conversation/builder-session.ts';
import { InvalidInputError, NotFoundError } from '../../src/base/errors.ts';
import { builder } from '../builder.ts';
import { encodeNodeId, keyOf } from '../node-ids.ts';
import { BuilderSession } from '../refs.ts';

const ReopenBuilderSessionInput = builder.inputType('ReopenBuilderSessionInput', {
  description: 'Which session to go on with.',
  fields: (t) => ({ sessionId: t.id({ description: 'Id of a BuilderSession.' }) }),
});

const ReopenBuilderSessionPayload = builder
  .objectRef<{ session: Session }>('ReopenBuilderSessionPayload')
  .implement({
    description: 'The session is open.',
    fields: (t) => ({
      session: t.expose('session', { type: BuilderSession, description: 'As it stands now.' }),
    }),
  });

const ReopenBuilderSessionResult = builder.errorUnion('ReopenBuilderSessionResult', {
  description: 'What became of a request to reopen.',
  types: [ReopenBuilderSessionPayload, InvalidInputError, NotFoundError],
  resolveType: () => ReopenBuilderSessionPayload,
});

const PurgeOrphanBuilderSessionsInput = builder.inputType('PurgeOrphanBuilderSessionsInput', {
  description: "Which of the viewer's sessions to remove: those without a job that nobody touched.",
  fields: (t) => ({
    olderThanHours: t.float({
      required: false,
      defaultValue: 24,
      description: 'Hours without a message or an edit, at least 24.',
    }),
    dryRun: t.boolean({
      required: false,
      defaultValue: false,
      description: 'Only say which would be removed.',
    }),
  }),
});

const PurgeOrphanBuilderSessionsPayload = builder
  .objectRef<{ ids: readonly string[] }>('PurgeOrphanBuilderSessionsPayload')
  .implement({
    description: 'What was removed, or would be.',
    fields: (t) => ({
      count: t.int({ description: 'How many.', resolve: ({ ids }) => ids.length }),
      sessionIds: t.idList({
        description: 'Ids of BuilderSessions.',
        resolve: ({ ids }) => ids.map((id) => encodeNodeId('BuilderSession', id)),
      }),
    }),
  });

const PurgeOrphanBuilderSessionsResult = builder.errorUnion('PurgeOrphanBuilderSessionsResult', {
  description: 'What became of a request to tidy up.',
  types: [PurgeOrphanBuilderSessionsPayload, InvalidInputError],
  resolveType: () => PurgeOrphanBuilderSessionsPayload,
});

builder.mutationFields((t) => ({
  reopenBuilderSession: t.field({
    type: ReopenBuilderSessionResult,
    description:
      'Lets the artifacts of a session be changed again that a job was made with, for another job. The job keeps what it has.',
    args: { input: t.arg({ type: ReopenBuilderSessionInput, description: 'Which session.' }) },
    resolve: async (_root, { input }, { services, viewer }) => ({
      session: await services.builder.reopen(
        viewer,
        keyOf('BuilderSession', input.sessionId, ['input', 'sessionId']),
      ),
    }),
  }),
  purgeOrphanBuilderSessions: t.field({
    type: PurgeOrphanBuilderSessionsResult,
    description:
      'Removes abandoned builder sessions with all that is in them. The server does so by itself, too.',
    args: { input: t.arg({ type: PurgeOrphanBuilderSessionsInput, description: 'Which sessions.' }) },
    resolve: async (_root, { input }, { services, viewer }) => {
      const { olderThanHours, dryRun } = input;
      const wanted = { olderThanHours: olderThanHours ?? 24, dryRun: dryRun ?? false };
      return { ids: await services.builder.purgeOrphans(viewer, wanted) };
    },
  }),
}));
