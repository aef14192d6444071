import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from 'graphql-ws';
import type { AskEventsSubscription, AskEventsSubscriptionVariables } from '../gql/graphql.ts';
import { AskError, messageOf, type OperationErrors, type Server } from './http.ts';
import { EVENTS } from './operations.ts';

/** An event of a session, as this client asks for it. */
export type AskEvent = AskEventsSubscription['copilotEvents'];

/** How long a server may be away before this client gives up. */
const PATIENCE_MS = 60_000;
const PAUSE_MS = 500;

/**
 * Events of a session after `afterSeq`, each once, over as many sockets as it takes: when one drops, for example
 * because the server is restarted, the next continues after the last event that was seen. Ends only with its consumer.
 * @throws AskError when the server refuses the subscription or stays away.
 */
export async function* followSession(
  { url, token, project }: Server,
  start: { readonly sessionId: string; readonly afterSeq: number },
  onDrop: () => void,
): AsyncGenerator<AskEvent> {
  let { afterSeq } = start;
  let giveUpAt = Infinity;
  for (;;) {
    const client = createClient({
      url: `${url.replace(/^http/, 'ws')}/graphql`,
      retryAttempts: 0,
      connectionParams: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(project !== null && { projectId: project }),
      },
    });
    try {
      const variables: AskEventsSubscriptionVariables = { sessionId: start.sessionId, afterSeq };
      for await (const { data, errors } of client.iterate<AskEventsSubscription>({
        query: EVENTS,
        variables,
      })) {
        if (errors) throw new AskError(messageOf(errors));
        if (!data || data.copilotEvents.seq <= afterSeq) continue;
        giveUpAt = Infinity;
        afterSeq = data.copilotEvents.seq;
        yield data.copilotEvents;
      }
    } catch (error) {
      if (error instanceof AskError) throw error;
      if (Array.isArray(error)) throw new AskError(messageOf(error as OperationErrors));
      if (performance.now() > giveUpAt) {
        throw new AskError(
          `the server at ${url} went away and did not come back; the conversation is stored there. Once it runs again, continue with --session ${start.sessionId}`,
        );
      }
      if (giveUpAt === Infinity) {
        giveUpAt = performance.now() + PATIENCE_MS;
        onDrop();
      }
    } finally {
      await client.dispose();
    }
    await sleep(PAUSE_MS);
  }
}
