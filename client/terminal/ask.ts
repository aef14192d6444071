/**
 * `npm run ask`: asks a question and prints the answer as it arrives. A plain GraphQL client, and the example of one:
 * it depends on the server only through its schema.
 */
import { randomUUID } from 'node:crypto';
import type {
  AskMutation,
  AskMutationVariables,
  CancelAskMutation,
  CancelAskMutationVariables,
} from '../gql/graphql.ts';
import { followSession, type AskEvent } from './follow.ts';
import { AskError, execute, type Server } from './http.ts';
import { ASK, CANCEL } from './operations.ts';
import { HelpAsked, readOptions, type AskOptions } from './options.ts';
import { createEventPrinter } from './print-event.ts';
import { tokenFor } from './tokens.ts';

type Turn = {
  readonly turnId: string;
  /** The turn that it may join, which then answers it. */
  readonly joinsId: string | null;
  readonly sessionId: string;
  readonly lastSeq: number;
};
type Ending = Extract<AskEvent, { __typename: 'TurnFinishedEvent' }>;

const EXIT_CODES = { COMPLETED: 0, CANCELLED: 130 } as const;

async function send(server: Server, asked: AskOptions): Promise<Turn> {
  const { question, chip, session, model, effort, steer } = asked;
  const { sendMessage } = await execute<AskMutation, AskMutationVariables>(server, ASK, {
    input: {
      content: question,
      clientMessageId: randomUUID(),
      chipId: chip,
      sessionId: session,
      model,
      effort,
      ...(steer && { whenBusy: 'STEER' }),
    },
  });
  if (sendMessage.__typename !== 'SendMessagePayload') {
    throw new AskError('code' in sendMessage ? `${sendMessage.code}: ${sendMessage.message}` : 'not taken');
  }
  const { turn, lastSeq } = sendMessage;
  return { turnId: turn.id, joinsId: turn.joins?.id ?? null, sessionId: sendMessage.session.id, lastSeq };
}

/** Prints the session until the turn ends, or the one that it joined. */
async function watch(server: Server, turn: Turn, { json, thinking }: AskOptions): Promise<Ending> {
  const terminal = { write: (text: string) => process.stdout.write(text), color: process.stdout.isTTY };
  const print = json
    ? (event: AskEvent) => terminal.write(`${JSON.stringify(event)}\n`)
    : createEventPrinter(terminal, { showsThinking: thinking });
  let answering = turn.turnId;
  const start = { sessionId: turn.sessionId, afterSeq: turn.lastSeq };
  const reportDrop = () => process.stderr.write('\nThe connection was lost; trying to continue ...\n');
  for await (const event of followSession(server, start, reportDrop)) {
    print(event);
    if (event.__typename !== 'TurnFinishedEvent' || event.turnId !== answering) continue;
    if (event.status !== 'JOINED' || turn.joinsId === null) return event;
    answering = turn.joinsId;
  }
  throw new AskError('the conversation was closed before the answer was complete');
}

/** The first Ctrl-C cancels the turn and prints its ending; the second exits at once. */
function cancelOnInterrupt({ turnId }: Turn, server: Server): void {
  let isCancelling = false;
  process.on('SIGINT', () => {
    if (isCancelling) process.exit(130);
    isCancelling = true;
    execute<CancelAskMutation, CancelAskMutationVariables>(server, CANCEL, { input: { turnId } }).catch(
      (error: unknown) => process.stderr.write(`${String(error)}\n`),
    );
  });
}

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2), process.env);
  const { url, project } = options;
  const server = { url, project, token: await tokenFor(url, process.env) };
  const turn = await send(server, options);
  cancelOnInterrupt(turn, server);
  const { status } = await watch(server, turn, options);
  if (!options.json) process.stdout.write(`Continue with --session ${turn.sessionId}\n`);
  return status in EXIT_CODES ? EXIT_CODES[status as keyof typeof EXIT_CODES] : 1;
}

// The reader of the output closed it, as `| head` does; the turn continues on the server.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

try {
  process.exitCode = await main();
} catch (error) {
  if (error instanceof HelpAsked) process.stdout.write(`${error.message}\n`);
  else if (error instanceof AskError) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  } else throw error;
}
