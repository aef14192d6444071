import type { SessionEvent, SessionEventType } from '../../src/domain/conversation/session-event.ts';
import { builder } from '../builder.ts';
import { encodeNodeId } from '../node-ids.ts';
import { Turn } from '../refs.ts';

type EventOf<Type extends SessionEventType> = Extract<SessionEvent, { type: Type }>;

/** A member of the union of events; its GraphQL name is the event's own type. */
export const eventRef = <Type extends SessionEventType>(type: Type) => builder.objectRef<EventOf<Type>>(type);

/** What all events have. */
export const SequencedEvent = builder.interfaceRef<SessionEvent>('SequencedEvent').implement({
  description:
    'An event of a session. Stored before anybody sees it, and the same for everybody who sees it.',
  resolveType: ({ type }) => type,
  fields: (t) => ({
    seq: t.exposeInt('seq', {
      description: 'Counts from 1 within the session, without gaps. Drop those seen before.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was stored.' }),
    turnId: t.id({
      description: 'Id of the Turn that it belongs to, for clients that need no more of it.',
      resolve: ({ turnId }) => encodeNodeId('Turn', turnId),
    }),
    turn: t.field({
      type: Turn,
      nullable: true,
      description: 'The turn that it belongs to, as it stands now.',
      resolve: ({ turnId }, _args, { loaders }) => loaders.turn.load(turnId),
    }),
  }),
});
