/**
 * The smallest client that loses nothing: it asks, prints the answer as it arrives, and resumes after a
 * dropped connection.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from 'graphql-ws';
import type { ExampleAskMutation, ExampleEventsSubscription } from '../gql/graphql.ts';

const ASK = /* GraphQL */ `
  mutation ExampleAsk($input: SendMessageInput!) {
    sendMessage(input: $input) {
      ... on SendMessagePayload {
        session {
          id
        }
        lastSeq
      }
      ... on UserError {
        message
      }
    }
  }
`;
const EVENTS = /* GraphQL */ `
  subscription ExampleEvents($sessionId: ID!, $afterSeq: Int) {
    copilotEvents(sessionId: $sessionId, afterSeq: $afterSeq) {
      ... on SequencedEvent {
        seq
      }
      ... on TokenEvent {
        text
      }
      ... on TurnFinishedEvent {
        turnStatus
      }
    }
  }
`;

const url = process.env['QPILOT_URL'] ?? 'http://127.0.0.1:4000';
const input = {
  content: process.argv[2] ?? 'How healthy is the chip?',
  chipId: process.argv[3] ?? null,
  clientMessageId: crypto.randomUUID(), // the same id again is the same message, so a retry is safe
};

const response = await fetch(`${url}/graphql`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ query: ASK, variables: { input } }),
});
const { data, errors } = (await response.json()) as { data?: ExampleAskMutation; errors?: unknown };
if (!data) throw new Error(JSON.stringify(errors));
if (!('session' in data.sendMessage)) throw new Error(data.sendMessage.message);

const sessionId = data.sendMessage.session.id;
let afterSeq = data.sendMessage.lastSeq;
let status: string | undefined;
while (status === undefined) {
  const client = createClient({ url: `${url.replace('http', 'ws')}/graphql`, retryAttempts: 0 });
  try {
    const variables = { sessionId, afterSeq };
    for await (const { data: next } of client.iterate<ExampleEventsSubscription>({
      query: EVENTS,
      variables,
    })) {
      const event = next?.copilotEvents;
      if (!event) continue;
      afterSeq = event.seq; // where to go on
      if ('text' in event) process.stdout.write(event.text);
      if ('turnStatus' in event) status = event.turnStatus;
      if (status !== undefined) break;
    }
  } catch (error) {
    if (Array.isArray(error)) throw new Error(JSON.stringify(error)); // refused, so trying again would not help
    await pause(500); // the socket dropped; the turn goes on without it, and the log keeps what happens
  } finally {
    await client.dispose();
  }
}
process.stdout.write(`\n${status}\n`);
process.exitCode = status === 'COMPLETED' ? 0 : 1;
