import { FRAGMENTS } from './fragments.ts';
import type { EventsSubscription, EventsSubscriptionVariables } from './gql/graphql.ts';
import { operation } from './operation.ts';

const FOLLOW = /* GraphQL */ `
  subscription Events($sessionId: ID!, $afterSeq: Int) {
    copilotEvents(sessionId: $sessionId, afterSeq: $afterSeq) {
      ...CopilotEvent
    }
  }
`;

/** All that happens in a conversation. */
export const EVENTS = operation<EventsSubscription, EventsSubscriptionVariables>(FOLLOW + FRAGMENTS);

/** An event of a conversation. */
export type SessionEvent = EventsSubscription['copilotEvents'];
