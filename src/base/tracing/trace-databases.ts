import type { LogEvent } from 'kysely';
import type { CommandStartedEvent, MongoClient } from 'mongodb';
import type { Span, Tracing } from './tracing.ts';

/** Housekeeping commands, not traced. */
const QUIET_COMMANDS = new Set(['hello', 'ping', 'endSessions', 'buildInfo']);

/** Creates a span for each command inside a trace; the client needs `monitorCommands`. */
export function traceMongo(client: MongoClient, tracing: Tracing): void {
  const open = new Map<string, Span>();
  const keyOf = (event: { readonly address: string; readonly requestId: number }) =>
    `${event.address} ${event.requestId}`;
  const end = (event: { readonly address: string; readonly requestId: number }, failure?: string): void => {
    const span = open.get(keyOf(event));
    open.delete(keyOf(event));
    if (failure !== undefined) span?.fail(failure);
    span?.end();
  };
  client.on('commandStarted', (event) => {
    if (QUIET_COMMANDS.has(event.commandName)) return;
    const span = tracing.begin(mongoName(event), { kind: 'client', attributes: mongoAttributes(event) });
    if (span !== null) open.set(keyOf(event), span);
  });
  client.on('commandSucceeded', (event) => end(event));
  client.on('commandFailed', (event) => end(event, event.failure.name));
}

const collectionOf = ({ command, commandName }: CommandStartedEvent): string | undefined => {
  const named: unknown = (command as Readonly<Record<string, unknown>>)[commandName];
  return typeof named === 'string' ? named : undefined;
};

const mongoName = (event: CommandStartedEvent): string =>
  [event.commandName, collectionOf(event)].filter((word) => word !== undefined).join(' ');

const mongoAttributes = (event: CommandStartedEvent) => ({
  'db.system.name': 'mongodb',
  'db.namespace': event.databaseName,
  'db.operation.name': event.commandName,
  'db.collection.name': collectionOf(event),
});

/** A Kysely logger that creates a span for each statement inside a trace, without its text. */
export const tracedStatements =
  (tracing: Tracing) =>
  (event: LogEvent): void => {
    const operation =
      /^(?:\s|\/\*(?:(?!\*\/).)*\*\/)*(\w+)/u.exec(event.query.sql)?.[1]?.toUpperCase() ?? 'SQL';
    const table = /\b(?:from|into|update)\s+"?(\w+)"?/i.exec(event.query.sql)?.[1];
    const span = tracing.begin([operation, table].filter((word) => word !== undefined).join(' '), {
      kind: 'client',
      startedMsAgo: event.queryDurationMillis,
      attributes: {
        'db.system.name': 'postgresql',
        'db.operation.name': operation,
        'db.collection.name': table,
      },
    });
    if (event.level === 'error') span?.fail('the statement failed');
    span?.end();
  };
