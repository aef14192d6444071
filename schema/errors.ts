/** The types of expected errors, and the result unions of mutations that name them by their codes. */
import type { ObjectRef } from '@pothos/core';
import {
  BudgetExceededError,
  ConflictError,
  ForbiddenError,
  InvalidInputError,
  NotFoundError,
  RateLimitedError,
  SessionBusyError,
  SessionLinkedError,
  StaleArtifactsError,
  TurnInProgressError,
  type InputIssue,
  type UserError,
} from '../src/base/errors.ts';
import { UndoOverlapError } from '../src/services/builder/builder-edits.ts';
import { builder } from './builder.ts';
import { ArtifactDiff } from './builder-session/diff.ts';
import { UserErrorCodeEnum } from './enums.ts';
import { existing } from './existing.ts';
import { BuilderSession, Turn } from './refs.ts';

const UserErrorInterface = builder.interfaceRef<UserError>('UserError').implement({
  description:
    'An expected outcome other than success. Select it in every mutation result, so that members added later are handled.',
  fields: (t) => ({
    code: t.expose('code', { type: UserErrorCodeEnum, description: 'For programs.' }),
    message: t.exposeString('message', {
      description: 'For people: what is wrong, where, and what would be right.',
    }),
  }),
});

const InputIssueRef = builder.objectRef<InputIssue>('InputIssue').implement({
  description: 'One problem with an input.',
  fields: (t) => ({
    path: t.stringList({
      description: 'Path of the argument, for example `["input", "content"]`.',
      resolve: (issue) => [...issue.path],
    }),
    message: t.exposeString('message', { description: 'What would be right.' }),
  }),
});

const interfaces = [UserErrorInterface];

builder.objectType(InvalidInputError, {
  name: 'InvalidInputError',
  interfaces,
  description: 'The input cannot be used as it is; nothing was changed.',
  fields: (t) => ({
    issues: t.field({
      type: [InputIssueRef],
      description: 'Every issue found.',
      resolve: (error) => [...error.issues],
    }),
  }),
});

builder.objectType(NotFoundError, {
  name: 'NotFoundError',
  interfaces,
  description:
    'The requested object does not exist in the project of the request. Objects of other users are reported in the same way.',
});

builder.objectType(SessionBusyError, {
  rule: 'viewer: own',
  name: 'SessionBusyError',
  interfaces,
  description: 'The session already runs a turn: wait for it, cancel it, or send with another `whenBusy`.',
  fields: (t) => ({
    turn: t.field({
      type: Turn,
      description: 'The turn that blocks the request.',
      resolve: ({ turnId }, _args, { loaders }) => existing(loaders.turn.load(turnId), 'turn'),
    }),
  }),
});

builder.objectType(RateLimitedError, {
  name: 'RateLimitedError',
  interfaces,
  description: 'Too many requests; nothing was changed.',
  fields: (t) => ({
    retryAfterMs: t.exposeInt('retryAfterMs', {
      description: 'The same request may succeed after this many milliseconds.',
    }),
  }),
});

builder.objectType(BudgetExceededError, {
  name: 'BudgetExceededError',
  interfaces,
  description:
    'A budget is used up: of the tokens of the session, or of tokens, cost or turns of the day. The message says of what, how much, and until when.',
});

builder.objectType(ConflictError, {
  name: 'ConflictError',
  interfaces,
  description: 'The same key was used with other content before, or another change came first.',
});

builder.objectType(StaleArtifactsError, {
  rule: 'viewer: own',
  name: 'StaleArtifactsError',
  interfaces,
  description: 'The artifacts have changed since the given revision; this request changed nothing.',
  fields: (t) => ({
    session: t.field({
      type: BuilderSession,
      description: 'The session with its current artifacts.',
      resolve: ({ sessionId }, _args, { loaders }) =>
        existing(loaders.builderSession.load(sessionId), 'builder session'),
    }),
  }),
});

builder.objectType(UndoOverlapError, {
  rule: 'viewer: own',
  name: 'UndoOverlapError',
  interfaces,
  description:
    'Later changes lie in the same places as those of the turn; nothing was undone. Ask, then name each overlap in `keep` or `discard`.',
  fields: (t) => ({
    overlaps: t.expose('overlaps', {
      type: ArtifactDiff,
      description: 'From the current artifacts to what undoing would leave in these places, part by part.',
    }),
    session: t.field({
      type: BuilderSession,
      description: 'The session.',
      resolve: ({ sessionId }, _args, { loaders }) =>
        existing(loaders.builderSession.load(sessionId), 'builder session'),
    }),
  }),
});

builder.objectType(SessionLinkedError, {
  rule: 'viewer: own',
  name: 'SessionLinkedError',
  interfaces,
  description: 'A job was created with the builder session: `reopenBuilderSession` makes it editable again.',
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
  rule: 'viewer: own',
  name: 'TurnInProgressError',
  interfaces,
  description: 'A turn is writing the artifacts: wait until it ends, or cancel it.',
  fields: (t) => ({
    turn: t.field({
      type: Turn,
      description: 'The turn that blocks the request.',
      resolve: ({ turnId }, _args, { loaders }) => existing(loaders.turn.load(turnId), 'turn'),
    }),
  }),
});

builder.objectType(ForbiddenError, {
  name: 'ForbiddenError',
  interfaces,
  description: 'The role of the viewer does not allow it; nothing was changed.',
});

/** The error type of each code. */
export const ERROR_TYPES = {
  INVALID_INPUT: InvalidInputError,
  NOT_FOUND: NotFoundError,
  SESSION_BUSY: SessionBusyError,
  RATE_LIMITED: RateLimitedError,
  BUDGET_EXCEEDED: BudgetExceededError,
  CONFLICT: ConflictError,
  STALE_ARTIFACTS: StaleArtifactsError,
  UNDO_OVERLAP: UndoOverlapError,
  SESSION_LINKED: SessionLinkedError,
  TURN_IN_PROGRESS: TurnInProgressError,
  FORBIDDEN: ForbiddenError,
} as const;

/** Codes of the errors that a mutation may return. */
export type ResultErrors = readonly (keyof typeof ERROR_TYPES)[];

type Types = typeof builder.$inferSchemaTypes;

/** The result union of a mutation: `XPayload` and these errors become `XResult`. */
export function resultOf<Payload>(payload: ObjectRef<Types, Payload>, errors: ResultErrors) {
  const mutation = payload.name.replace(/Payload$/, '');
  return builder.errorUnion(`${mutation}Result`, {
    description: `Outcome of \`${mutation[0]?.toLowerCase()}${mutation.slice(1)}\`: its payload, or the error that prevented it.`,
    types: [payload, ...errors.map((code) => ERROR_TYPES[code])],
    resolveType: () => payload,
  });
}

/** The result union of a mutation whose payload is one object under the name `field`. */
export function objectResult<Field extends string, Shape>(
  mutation: string,
  payload: {
    readonly field: Field;
    readonly type: ObjectRef<Types, Shape>;
    /** Of the field. */
    readonly about: string;
    /** Of the payload. */
    readonly description: string;
    readonly errors: ResultErrors;
  },
) {
  const { field, type, about, description, errors } = payload;
  const ref = builder.objectRef<{ readonly [Name in Field]: Shape }>(`${mutation}Payload`).implement({
    description,
    fields: (t) => ({
      [field]: t.field({ type, description: about, resolve: (parent) => parent[field] as never }),
    }),
  });
  return resultOf(ref, errors);
}
