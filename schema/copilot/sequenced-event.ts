import type { SessionEvent, SessionEventType } from '../../src/domain/conversation/session-event.ts';
import { builder } from '../builder.ts';
import { encodeNodeId } from '../node-ids.ts';
import { Turn } from '../refs.ts';

type EventOf<Type extends SessionEventType> = Extract<SessionEvent, { type: Type }>;

/** A member of the union of events; its GraphQL name is the event's own type. */
export const eventRef = <Type extends SessionEventType>(type: Type) => builder.objectRef<EventOf<Type>>(type);

/** Resolves a field to the part of an event's payload of that name. */
export const payload =
  <Name extends string>(name: Name) =>
  <Value>(event: { readonly payload: { readonly [Key in Name]: Value } }): Value =>
    event.payload[name];

/** What all events have. */
export const SequencedEvent = builder.interfaceRef<SessionEvent>('SequencedEvent').implement({
  rule: 'viewer: shared',
  description: 'An event of a session. It is stored before anybody sees it, and everybody sees the same.',
  resolveType: ({ type }) => type,
  fields: (t) => ({
    seq: t.exposeInt('seq', {
      description: 'Counts from 1 within the session, without gaps. Ignore numbers seen before.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was stored.' }),
    turnId: t.id({
      description: 'Id of its Turn, for clients that need nothing else of it.',
      resolve: ({ turnId }) => encodeNodeId('Turn', turnId),
    }),
    turn: t.field({
      type: Turn,
      nullable: true,
      description: 'Its turn in its current state; null when the turn was deleted since.',
      resolve: ({ turnId }, _args, { loaders }) => loaders.turn.load(turnId),
    }),
  }),
});

/** The cursor of a subscription to events. */
export const afterSeqArg = () =>
  builder.args((arg) => ({
    afterSeq: arg.int({
      required: false,
      defaultValue: 0,
      description: 'Number of the last event that the client has; 0 starts at the beginning.',
    }),
  }));
