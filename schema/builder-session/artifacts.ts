import type { Artifacts as State } from '../../src/domain/artifacts/artifacts.ts';
import type {
  ArtifactRevision as Revision,
  RevisionAuthor,
} from '../../src/domain/conversation/builder-session.ts';
import { builder } from '../builder.ts';
import { enumOf } from '../enums.ts';
import { Turn } from '../refs.ts';

const RevisionAuthorEnum = enumOf<RevisionAuthor>('RevisionAuthor', 'Who created a revision.', {
  USER: 'The user, by hand.',
  AI: 'The builder, or the user by accepting its proposal.',
  REVERT: 'The user, by going back to an earlier revision or undoing a turn.',
});

export const Artifacts = builder.objectRef<State>('Artifacts').implement({
  description: 'What a builder session writes; null for parts not yet written.',
  fields: (t) => ({
    instructions: t.exposeString('instructions', {
      nullable: true,
      description: 'Instructions for the job, as Markdown.',
    }),
    config: t.expose('config', {
      type: 'JSON',
      nullable: true,
      description: 'Model and tools of the job, as a whole configuration.',
    }),
    description: t.exposeString('description', {
      nullable: true,
      description: 'The line that names the job in lists.',
    }),
  }),
});

export const ArtifactsInput = builder.inputType('ArtifactsInput', {
  description: 'Artifacts as the user sees them. Null empties a part; an omitted part stays as it is.',
  fields: (t) => ({
    instructions: t.string({ required: false, description: 'Markdown, at most 200,000 bytes in UTF-8.' }),
    config: t.field({
      type: 'JSON',
      required: false,
      description: 'The whole configuration, an object of at most 65,536 bytes as JSON.',
    }),
    description: t.string({ required: false, description: 'One line, at most 2,000 characters.' }),
  }),
});

export const ArtifactRevision = builder.objectRef<Revision>('ArtifactRevision').implement({
  rule: 'viewer: own',
  description: 'The artifacts after one change. Immutable.',
  fields: (t) => ({
    revision: t.exposeInt('revision', { description: 'Counts from 1 within the session.' }),
    author: t.expose('author', { type: RevisionAuthorEnum, description: 'Who created it.' }),
    turn: t.field({
      type: Turn,
      nullable: true,
      description: 'The turn that created it; null for the user.',
      resolve: ({ turnId }, _args, { loaders }) => (turnId === null ? null : loaders.turn.load(turnId)),
    }),
    callId: t.exposeString('callId', {
      nullable: true,
      description: 'The tool call that created it; null for the user.',
    }),
    undoneTurn: t.field({
      type: Turn,
      nullable: true,
      description: 'The turn that it undid as a whole; null for all others.',
      resolve: ({ undoneTurnId }, _args, { loaders }) =>
        undoneTurnId === null ? null : loaders.turn.load(undoneTurnId),
    }),
    restoredRevision: t.exposeInt('restoredRevision', {
      nullable: true,
      description: 'The earlier revision that it restored; null for all others.',
    }),
    artifacts: t.expose('artifacts', { type: Artifacts, description: 'The artifacts after it.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
  }),
});
