import { builder } from '../builder.ts';
import { objectResult, type ResultErrors } from '../errors.ts';
import { keyOf } from '../node-ids.ts';
import { BuilderSession } from '../refs.ts';
import { ArtifactsInput } from './artifacts.ts';

const WRITE_ERRORS = ['INVALID_INPUT', 'NOT_FOUND', 'TURN_IN_PROGRESS', 'SESSION_LINKED'] as const;

const writeResult = (mutation: string, description: string, errors: ResultErrors) =>
  objectResult(mutation, {
    field: 'session',
    type: BuilderSession,
    about: 'The session with its current artifacts.',
    description,
    errors,
  });

const sessionKey = (id: string): string => keyOf('BuilderSession', id, ['input', 'sessionId']);

const UpdateArtifactsInput = builder.inputType('UpdateArtifactsInput', {
  description: 'An edit by hand.',
  fields: (t) => ({
    sessionId: t.id({ description: 'Id of a BuilderSession.' }),
    artifacts: t.field({ type: ArtifactsInput, description: 'The edited artifacts.' }),
    baseRevision: t.int({ description: 'The revision that the edit is based on.' }),
  }),
});

const RevertArtifactInput = builder.inputType('RevertArtifactInput', {
  description: 'What to go back to: a revision, or the artifacts without what a turn changed.',
  fields: (t) => ({
    sessionId: t.id({ description: 'Id of a BuilderSession.' }),
    revision: t.int({ required: false, description: 'The revision to go back to; 0 is empty.' }),
    turnId: t.id({
      required: false,
      description:
        'Id of the Turn to undo. What was changed since stays; where it lies in the same place, `UndoOverlapError` says so, until each overlap is named in `keep` or `discard`.',
    }),
    baseRevision: t.int({
      required: false,
      description: 'The newest revision known to the client; refused if there is a newer one.',
    }),
    keep: t.idList({
      required: false,
      description: 'Ids of parts of `UndoOverlapError.overlaps` that stay as they are.',
    }),
    discard: t.idList({
      required: false,
      description:
        'Ids of parts of `UndoOverlapError.overlaps` that are undone with the later change in them.',
    }),
  }),
});

const ResolveArtifactHunksInput = builder.inputType('ResolveArtifactHunksInput', {
  description: 'Decisions about parts of a proposal. Other parts stay pending.',
  fields: (t) => ({
    sessionId: t.id({ description: 'Id of a BuilderSession.' }),
    accept: t.idList({ description: 'Ids of parts of `BuilderSession.proposal.diff` to accept.' }),
    reject: t.idList({ description: 'Ids of parts to reject.' }),
  }),
});

builder.mutationFields((t) => ({
  updateArtifacts: t.field({
    rule: 'editor: own',
    audit: 'CHANGE',
    type: writeResult('UpdateArtifacts', 'The edit was stored.', [...WRITE_ERRORS, 'STALE_ARTIFACTS']),
    description: 'Stores an edit of the artifacts by hand, without a message.',
    args: { input: t.arg({ type: UpdateArtifactsInput, description: 'The edit.' }) },
    resolve: async (_root, { input }, { services, viewer }) => ({
      session: await services.builder.updateArtifacts(viewer, {
        ...input,
        sessionId: sessionKey(input.sessionId),
      }),
    }),
  }),
  revertArtifact: t.field({
    rule: 'editor: own',
    audit: 'CHANGE',
    type: writeResult('RevertArtifact', 'The earlier state is now the newest revision.', [
      ...WRITE_ERRORS,
      'STALE_ARTIFACTS',
      'UNDO_OVERLAP',
      'CONFLICT',
    ]),
    description:
      'Goes back to an earlier state of the artifacts, or takes back what one turn changed and keeps everything later. All revisions are kept.',
    args: { input: t.arg({ type: RevertArtifactInput, description: 'What to go back to.' }) },
    resolve: async (_root, { input }, { services, viewer }) => ({
      session: await services.builder.revertArtifact(viewer, {
        ...input,
        sessionId: sessionKey(input.sessionId),
        turnId: input.turnId ? keyOf('Turn', input.turnId, ['input', 'turnId']) : null,
      }),
    }),
  }),
  resolveArtifactHunks: t.field({
    rule: 'editor: own',
    audit: 'CHANGE',
    type: writeResult('ResolveArtifactHunks', 'The decisions were applied.', WRITE_ERRORS),
    description: 'Accepts and rejects parts of what the builder proposed in review mode.',
    args: { input: t.arg({ type: ResolveArtifactHunksInput, description: 'The decisions.' }) },
    resolve: async (_root, { input }, { services, viewer }) => ({
      session: await services.builder.resolveHunks(viewer, {
        ...input,
        sessionId: sessionKey(input.sessionId),
      }),
    }),
  }),
}));
