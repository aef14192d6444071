import type { BuilderSession as Session } from '../../src/domain/conversation/builder-session.ts';
import {
  InvalidInputError,
  NotFoundError,
  SessionLinkedError,
  StaleArtifactsError,
  TurnInProgressError,
} from '../../src/base/errors.ts';
import { builder } from '../builder.ts';
import { keyOf } from '../node-ids.ts';
import { BuilderSession } from '../refs.ts';
import { ArtifactsInput } from './artifacts.ts';

type Payload = { session: Session };

/** The payload and the result union of a mutation that changes artifacts. */
function writeResult(name: string, description: string) {
  const payload = builder.objectRef<Payload>(`${name}Payload`).implement({
    description,
    fields: (t) => ({
      session: t.expose('session', { type: BuilderSession, description: 'The session as it stands now.' }),
    }),
  });
  return builder.errorUnion(`${name}Result`, {
    description: 'What became of a change of artifacts.',
    types: [
      payload,
      InvalidInputError,
      NotFoundError,
      TurnInProgressError,
      SessionLinkedError,
      StaleArtifactsError,
    ],
    resolveType: () => payload,
  });
}

const sessionKey = (id: string): string => keyOf('BuilderSession', id, ['input', 'sessionId']);

const UpdateArtifactsInput = builder.inputType('UpdateArtifactsInput', {
  description: 'An edit by hand.',
  fields: (t) => ({
    sessionId: t.id({ description: 'Id of a BuilderSession.' }),
    artifacts: t.field({ type: ArtifactsInput, description: 'As the user wants them.' }),
    baseRevision: t.int({ description: 'The revision that they were made from.' }),
  }),
});

const RevertArtifactInput = builder.inputType('RevertArtifactInput', {
  description: 'Where to go back to: either a revision, or the one before a turn changed anything.',
  fields: (t) => ({
    sessionId: t.id({ description: 'Id of a BuilderSession.' }),
    revision: t.int({ required: false, description: 'The revision to go back to; 0 is empty.' }),
    turnId: t.id({ required: false, description: 'Id of the Turn to undo.' }),
    baseRevision: t.int({
      required: false,
      description: 'The newest revision that the client knows; refused unless it is the newest.',
    }),
  }),
});

const ResolveArtifactHunksInput = builder.inputType('ResolveArtifactHunksInput', {
  description: 'Decisions about parts of a proposal. Parts that are not named wait on.',
  fields: (t) => ({
    sessionId: t.id({ description: 'Id of a BuilderSession.' }),
    accept: t.idList({ description: 'Ids of parts of `BuilderSession.proposal.diff` to take.' }),
    reject: t.idList({ description: 'Ids of parts to drop.' }),
  }),
});

const UpdateArtifactsResult = writeResult('UpdateArtifacts', 'The edit was stored.');
const RevertArtifactResult = writeResult(
  'RevertArtifact',
  'The artifacts are as they were, as a new revision.',
);
const ResolveArtifactHunksResult = writeResult('ResolveArtifactHunks', 'The decisions were carried out.');

builder.mutationFields((t) => ({
  updateArtifacts: t.field({
    type: UpdateArtifactsResult,
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
    type: RevertArtifactResult,
    description: 'Goes back to an earlier state of the artifacts, or undoes a turn. Nothing is lost by it.',
    args: { input: t.arg({ type: RevertArtifactInput, description: 'Where to go back to.' }) },
    resolve: async (_root, { input }, { services, viewer }) => ({
      session: await services.builder.revertArtifact(viewer, {
        ...input,
        sessionId: sessionKey(input.sessionId),
        turnId: input.turnId ? keyOf('Turn', input.turnId, ['input', 'turnId']) : null,
      }),
    }),
  }),
  resolveArtifactHunks: t.field({
    type: ResolveArtifactHunksResult,
    description: 'Takes and drops parts of what the builder proposes in review mode.',
    args: { input: t.arg({ type: ResolveArtifactHunksInput, description: 'The decisions.' }) },
    resolve: async (_root, { input }, { services, viewer }) => ({
      session: await services.builder.resolveHunks(viewer, {
        ...input,
        sessionId: sessionKey(input.sessionId),
      }),
    }),
  }),
}));
