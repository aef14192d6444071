import {
  BudgetExceededError,
  ConflictError,
  InvalidInputError,
  NotFoundError,
  RateLimitedError,
  SessionBusyError,
  type InputIssue,
  type UserError,
} from '../src/base/errors.ts';
import { builder } from './builder.ts';
import { UserErrorCodeEnum } from './enums.ts';
import { existing } from './existing.ts';
import { Turn } from './refs.ts';

/** What all error members of result unions have in common, so that a client stays right when a member is added. */
export const UserErrorInterface = builder.interfaceRef<UserError>('UserError').implement({
  description: 'An expected outcome that is not success. Select it in every mutation result.',
  fields: (t) => ({
    code: t.expose('code', { type: UserErrorCodeEnum, description: 'For programs.' }),
    message: t.exposeString('message', {
      description: 'For people: what was wrong, where, and what would be right.',
    }),
  }),
});

const InputIssueRef = builder.objectRef<InputIssue>('InputIssue').implement({
  description: 'One thing wrong with an input.',
  fields: (t) => ({
    path: t.stringList({
      description: 'Leads to the argument, for example `["input", "content"]`.',
      resolve: (issue) => [...issue.path],
    }),
    message: t.exposeString('message', { description: 'What would be right.' }),
  }),
});

builder.objectType(InvalidInputError, {
  name: 'InvalidInputError',
  interfaces: [UserErrorInterface],
  description: 'The input cannot be used as it is; nothing was changed.',
  fields: (t) => ({
    issues: t.field({
      type: [InputIssueRef],
      description: 'Every issue that was found.',
      resolve: (error) => [...error.issues],
    }),
  }),
});

builder.objectType(NotFoundError, {
  name: 'NotFoundError',
  interfaces: [UserErrorInterface],
  description:
    'There is no such thing in the project of the request. Foreign things answer exactly like unknown ones.',
});

builder.objectType(SessionBusyError, {
  name: 'SessionBusyError',
  interfaces: [UserErrorInterface],
  description: 'The session already runs a turn: wait, cancel it, or send with another `whenBusy`.',
  fields: (t) => ({
    turn: t.field({
      type: Turn,
      description: 'The turn that is in the way.',
      resolve: (error, _args, { loaders }) => existing(loaders.turn.load(error.turnId), 'turn'),
    }),
  }),
});

builder.objectType(RateLimitedError, {
  name: 'RateLimitedError',
  interfaces: [UserErrorInterface],
  description: 'Too many requests; nothing was changed.',
  fields: (t) => ({
    retryAfterMs: t.exposeInt('retryAfterMs', {
      description: 'The same request may succeed after this many milliseconds.',
    }),
  }),
});

builder.objectType(BudgetExceededError, {
  name: 'BudgetExceededError',
  interfaces: [UserErrorInterface],
  description: 'The token budget of the session or of the day is used up.',
});

builder.objectType(ConflictError, {
  name: 'ConflictError',
  interfaces: [UserErrorInterface],
  description:
    'Something else came first: the same key was used for other content, or what was to be changed has changed.',
});
