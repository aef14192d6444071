import { SessionLinkedError, StaleArtifactsError, TurnInProgressError } from '../../src/base/errors.ts';
import { builder } from '../builder.ts';
import { UserErrorInterface } from '../errors.ts';
import { existing } from '../existing.ts';
import { BuilderSession, Turn } from '../refs.ts';

builder.objectType(StaleArtifactsError, {
  name: 'StaleArtifactsError',
  interfaces: [UserErrorInterface],
  description:
    'The artifacts changed since the revision that was named; nothing was changed by this request.',
  fields: (t) => ({
    session: t.field({
      type: BuilderSession,
      description: 'The session with its artifacts as they stand now.',
      resolve: ({ sessionId }, _args, { loaders }) =>
        existing(loaders.builderSession.load(sessionId), 'builder session'),
    }),
  }),
});

builder.objectType(SessionLinkedError, {
  name: 'SessionLinkedError',
  interfaces: [UserErrorInterface],
  description: 'A job was made with the builder session: `reopenBuilderSession` lets it be changed again.',
  fields: (t) => ({
    session: t.field({
      type: BuilderSession,
      description: 'The session.',
      resolve: ({ sessionId }, _args, { loaders }) =>
        existing(loaders.builderSession.load(sessionId), 'builder session'),
    }),
  }),
});

builder.objectType(TurnInProgressError, {
  name: 'TurnInProgressError',
  interfaces: [UserErrorInterface],
  description: 'A turn is writing the artifacts: wait until it ends, or cancel it.',
  fields: (t) => ({
    turn: t.field({
      type: Turn,
      description: 'The turn that is in the way.',
      resolve: ({ turnId }, _args, { loaders }) => existing(loaders.turn.load(turnId), 'turn'),
    }),
  }),
});
