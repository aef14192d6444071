import type { Artifacts as State } from '../../src/domain/artifacts/artifacts.ts';
import type {
  ArtifactRevision as Revision,
  RevisionAuthor,
} from '../../src/domain/conversation/builder-session.ts';
import { builder } from '../builder.ts';
import { enumOf } from '../enums.ts';
import { Turn } from '../refs.ts';

const RevisionAuthorEnum = enumOf<RevisionAuthor>('RevisionAuthor', 'Who made a revision.', {
  USER: 'The user, by hand.',
  AI: 'The builder, or the user by taking what it proposed.',
  REVERT: 'The user, going back to an earlier one.',
});

export const Artifacts = builder.objectRef<State>('Artifacts').implement({
  description: 'What a builder session writes; null is what nobody has written yet.',
  fields: (t) => ({
    instructions: t.exposeString('instructions', {
      nullable: true,
      description: 'What the job is told, as Markdown.',
    }),
    config: t.expose('config', {
      type: 'JSON',
      nullable: true,
      description: 'Model and tools of the job, the whole edited view.',
    }),
    description: t.exposeString('description', {
      nullable: true,
      description: 'The line that names the job in lists.',
    }),
  }),
});

export const ArtifactsInput = builder.inputType('ArtifactsInput', {
  description: 'Artifacts as the user sees them. Null is empty; what is left out stays as it is.',
  fields: (t) => ({
    instructions: t.string({ required: false, description: 'Markdown, at most 200,000 bytes in UTF-8.' }),
    config: t.field({
      type: 'JSON',
      required: false,
      description: 'The whole edited view, an object of at most 65,536 characters as JSON.',
    }),
    description: t.string({ required: false, description: 'One line, at most 2,000 characters.' }),
  }),
});

export const ArtifactRevision = builder.objectRef<Revision>('ArtifactRevision').implement({
  description: 'The artifacts after one change. It never changes.',
  fields: (t) => ({
    revision: t.exposeInt('revision', { description: 'Counts from 1 within the session.' }),
    author: t.expose('author', { type: RevisionAuthorEnum, description: 'Who made it.' }),
    turn: t.field({
      type: Turn,
      nullable: true,
      description: 'The turn that made it; null for the user.',
      resolve: ({ turnId }, _args, { loaders }) => (turnId === null ? null : loaders.turn.load(turnId)),
    }),
    callId: t.exposeString('callId', {
      nullable: true,
      description: 'The tool call that made it; null for the user.',
    }),
    artifacts: t.expose('artifacts', { type: Artifacts, description: 'The artifacts after it.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
  }),
});
