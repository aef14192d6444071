/** From a request to a reply: finds the command, decodes its arguments, and turns refusals into error documents. */
import { COMMANDS, type CommandName } from './allow-list.ts';
import { aggregate } from './commands/aggregate.ts';
import { create, drop, dropDatabase, listCollections, listDatabases } from './commands/collections.ts';
import { type Command, type CommandContext, type CommandRequest, timeLimitOf } from './commands/command.ts';
import { deleteCommand } from './commands/delete.ts';
import { explain } from './commands/explain.ts';
import { findAndModify } from './commands/find-and-modify.ts';
import { count } from './commands/count.ts';
import { distinct } from './commands/distinct.ts';
import { find } from './commands/find.ts';
import { createIndexes, dropIndexes, listIndexes } from './commands/indexes.ts';
import { insert } from './commands/insert.ts';
import {
  buildInfo,
  endSessions,
  getMore,
  getParameter,
  hello,
  killCursors,
  ping,
  serverStatus,
} from './commands/server.ts';
import { update } from './commands/update.ts';
import { isDiskFull } from '../disk-full.ts';
import { MongoError } from './errors.ts';
import { type Steps } from './steps.ts';
import { decode, type Doc } from './query/values.ts';
import { checkBson } from './store/bson-elements.ts';
import { isFatal, type Reply, type Request } from './wire.ts';

const HANDLERS: Readonly<Record<CommandName, Command>> = {
  aggregate,
  buildInfo,
  buildinfo: buildInfo,
  count,
  create,
  createIndexes,
  delete: deleteCommand,
  distinct,
  drop,
  dropDatabase,
  dropIndexes,
  endSessions,
  explain,
  find,
  findAndModify,
  getMore,
  getParameter,
  hello,
  insert,
  isMaster: hello,
  ismaster: hello,
  killCursors,
  listCollections,
  listDatabases,
  listIndexes,
  ping,
  serverStatus,
  update,
};

/** Receives errors that are bugs; the client gets InternalError (1). */
export type ReportBug = (error: unknown, command: string) => void;

/** Answers a request. Throws only errors that make the connection unusable. */
export function* dispatch(request: Request, context: CommandContext, reportBug: ReportBug): Steps<Reply> {
  let name = '';
  try {
    const body = decodeBody(request);
    name = Object.keys(body)[0] ?? '';
    const database = request.database ?? body['$db'];
    if (!isCommand(name)) throw new MongoError('CommandNotFound', `no such command: '${name}'`);
    if (typeof database !== 'string') throw new MongoError(40571, 'OP_MSG requests require a $db argument');
    const documents = request.sequences.get('documents') ?? [];
    return yield* run(HANDLERS[name], { body, database, documents }, context);
  } catch (error) {
    if (error instanceof MongoError) return errorReply(error);
    if (isFatal(error)) throw error;
    if (isDiskFull(error)) {
      return errorReply(new MongoError('OutOfDiskSpace', 'the disk of the embedded MongoDB is full'));
    }
    reportBug(error, name);
    const message = error instanceof Error ? error.message : String(error);
    return errorReply(
      new MongoError('InternalError', `${name} failed inside the embedded server: ${message}`),
    );
  }
}

/** Runs a command within its time limit; each step begins where the one before paused. */
function* run(handle: Command, request: CommandRequest, context: CommandContext): Steps<Reply> {
  const endsAtMs = performance.now() + timeLimitOf(request.body);
  const step = <T>(work: () => T): T => context.store.before(endsAtMs, work);
  const work = step(() => handle(request, context));
  if (!isInSteps(work)) return work;
  try {
    for (;;) {
      const { done, value } = step(() => work.next());
      if (done) return value;
      yield value;
    }
  } finally {
    // Nobody waits any longer: what the command holds is given back.
    work.return({});
  }
}

const isInSteps = (work: Reply | Steps<Reply>): work is Steps<Reply> => Symbol.iterator in work;

function decodeBody(request: Request): Doc {
  checkBson(request.body);
  const body = decode(request.body);
  for (const [name, documents] of request.sequences) {
    if (name === 'documents') continue;
    body[name] = documents.map((document) => {
      checkBson(document);
      return decode(document);
    });
  }
  return body;
}

function isCommand(name: string): name is CommandName {
  return (COMMANDS as readonly string[]).includes(name);
}

function errorReply({ message, code, codeName, details }: MongoError): Reply {
  return { ok: 0, errmsg: message, code, codeName, ...details };
}
