/**
 * `npm run ask`: asks a question and prints the answer as it arrives. A plain GraphQL client, and the example of one:
 * it depends on the server only through its schema.
 */
import {
  createQPilot,
  QPilotError,
  RefusedError,
  UnreachableError,
  untilAnswered,
  type Asked,
  type LiveStatus,
  type QPilot,
} from '@qpilot/client';
import { AskError } from './http.ts';
import { EVENTS, type AskEvent } from './operations.ts';
import { HelpAsked, readOptions, type AskOptions } from './options.ts';
import { createEventPrinter } from './print-event.ts';
import { projectFor } from './project.ts';
import { tokenFor } from './tokens.ts';

type Ending = Extract<AskEvent, { __typename: 'TurnFinishedEvent' }>;

const EXIT_CODES = { COMPLETED: 0, CANCELLED: 130 } as const;

async function send(qpilot: QPilot, asked: AskOptions): Promise<Asked> {
  const { question, chip, session, model, effort, steer } = asked;
  try {
    return await qpilot.ask({
      content: question,
      chipId: chip,
      sessionId: session,
      model,
      effort,
      ...(steer && { whenBusy: 'STEER' }),
    });
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
    throw new AskError(`${error.message}; start one with npm start, or give its address with --url`);
  }
}

/** Prints the session until the turn ends, or the one that it joined. */
async function watch(qpilot: QPilot, turn: Asked, { url, json, thinking }: AskOptions): Promise<Ending> {
  const terminal = { write: (text: string) => process.stdout.write(text), color: process.stdout.isTTY };
  const print = json
    ? (event: AskEvent) => terminal.write(`${JSON.stringify(event)}\n`)
    : createEventPrinter(terminal, { showsThinking: thinking });
  const { sessionId, lastSeq } = turn;
  const reportDrop = (status: LiveStatus): void => {
    if (status === 'reconnecting')
      process.stderr.write('\nThe connection was lost; trying to continue ...\n');
  };
  const events = qpilot.followEvents(EVENTS, { sessionId }, { after: lastSeq, onStatus: reportDrop });
  let last: AskEvent | null = null;
  try {
    for await (const event of untilAnswered(turn, events, statusOf)) {
      print(event);
      last = event;
    }
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
    throw new AskError(
      `the server at ${url} went away and did not come back; the conversation is stored there. Once it runs again, continue with --session ${sessionId}`,
    );
  }
  if (last?.__typename === 'TurnFinishedEvent') return last;
  throw new AskError('the conversation was closed before the answer was complete');
}

const statusOf = (event: AskEvent) => (event.__typename === 'TurnFinishedEvent' ? event.status : null);

/** The first Ctrl-C cancels the turn and prints its ending; the second exits at once. */
function cancelOnInterrupt({ turnId }: Asked, qpilot: QPilot): void {
  let isCancelling = false;
  process.on('SIGINT', () => {
    if (isCancelling) process.exit(130);
    isCancelling = true;
    qpilot.cancel(turnId).catch((error: unknown) => process.stderr.write(`${String(error)}\n`));
  });
}

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2), process.env);
  const { url } = options;
  const token = await tokenFor(url, process.env);
  const env = { env: process.env, isProgram: options.json };
  const projectId = await projectFor({ url, token }, options.project ?? undefined, env);
  const qpilot = createQPilot({ url, projectId, token });
  const turn = await send(qpilot, options);
  cancelOnInterrupt(turn, qpilot);
  const { status } = await watch(qpilot, turn, options);
  if (!options.json) process.stdout.write(`Continue with --session ${turn.sessionId}\n`);
  return status in EXIT_CODES ? EXIT_CODES[status as keyof typeof EXIT_CODES] : 1;
}

/** A refused message says by its code what kind of refusal it is. */
const messageOf = (error: AskError | QPilotError): string =>
  error instanceof RefusedError ? `${error.code}: ${error.message}` : error.message;

// The reader of the output closed it, as `| head` does; the turn continues on the server.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

try {
  process.exitCode = await main();
} catch (error) {
  if (error instanceof HelpAsked) process.stdout.write(`${error.message}\n`);
  else if (error instanceof AskError || error instanceof QPilotError) {
    process.stderr.write(`${messageOf(error)}\n`);
    process.exitCode = 1;
  } else throw error;
}
