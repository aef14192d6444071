/** `npm run turns`: what the newest turns did, how they ended and what they cost. Prints no words of people or models. */
import { parseArgs } from 'node:util';
import { validate as isUuid } from 'uuid';
import { decodeNodeId } from '../../../schema/node-ids.ts';
import { createLogger } from '../../base/log.ts';
import type { ResourceStack } from '../../base/resource-stack.ts';
import { readConfig } from '../../config/config.ts';
import { openStores } from '../../app/stores.ts';
import type { Turn } from '../../domain/conversation/session.ts';
import type { ModelCallSummary } from '../../domain/conversation/step-record.ts';
import { countOf } from '../../domain/text/display-text.ts';
import { openDatabase } from '../../stores/pg/database.ts';
import { findModelCalls, findTurnLog } from '../../stores/pg/turn-log.ts';
import { print, runCommand, UsageError } from './run-command.ts';

const USAGE = `Usage: npm run turns -- [--last N] [--hours H] [--failed] [--session ID] [--calls] [--json]
  Lists the newest turns of everybody, newest first: 20, or the last N, of the last H hours, those that failed, or those
  of a conversation. --calls adds a line for each request to a model.`;

const MOST = 1_000;

async function run(args: readonly string[], signal: AbortSignal, resources: ResourceStack): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      last: { type: 'string', default: '20' },
      hours: { type: 'string' },
      failed: { type: 'boolean', default: false },
      session: { type: 'string' },
      calls: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const most = numberOf('--last', values.last, MOST);
  const hours = values.hours === undefined ? null : numberOf('--hours', values.hours, 1e6);
  const { dataDir, databaseUrl, mongodbUri } = readConfig(process.env);
  const log = createLogger('silent');
  const stores = await openStores({ dataDir, databaseUrl, mongodbUri, log, signal });
  resources.defer(() => stores.stop());
  const database = openDatabase(stores.postgresUrl, { log });
  resources.defer(() => database.close());
  const turns = await findTurnLog(database.db, {
    viewer: null,
    since: hours === null ? null : new Date(Date.now() - hours * 3_600_000),
    sessionId: values.session === undefined ? null : sessionKeyOf(values.session),
    failedOnly: values.failed,
    most,
  });
  const calls = await findModelCalls(
    database.db,
    turns.map(({ id }) => id),
  );
  const found = turns.map((turn, index) => ({ turn, calls: calls[index] ?? [] }));
  if (values.json) print(JSON.stringify(found.map(factsOf), null, 2));
  else if (found.length === 0) print('no such turns');
  else for (const each of found) linesOf(each, values.calls).forEach(print);
}

function numberOf(option: string, text: string, most: number): number {
  const value = Number(text);
  if (value > 0 && value <= most) return value;
  throw new UsageError(`${option} is ${text}; give a number above 0 and up to ${most}`);
}

/** The API uses encoded ids, the log plain ones. */
const sessionKeyOf = (given: string): string => (isUuid(given) ? given : decodeNodeId(given).id);

type Found = { readonly turn: Turn; readonly calls: readonly ModelCallSummary[] };

const factsOf = ({ turn, calls }: Found) => ({
  turnId: turn.id,
  sessionId: turn.sessionId,
  status: turn.status,
  error: turn.error?.code ?? null,
  createdAt: turn.createdAt,
  startedAt: turn.startedAt,
  finishedAt: turn.finishedAt,
  rounds: turn.rounds,
  usage: turn.usage,
  modelCalls: calls,
});

function linesOf({ turn, calls }: Found, withCalls: boolean): readonly string[] {
  const { id, status, error, usage, createdAt, startedAt, finishedAt } = turn;
  const parts = [
    `${createdAt.toISOString().slice(0, 19)}Z`,
    error === null ? status : `${status} ${error.code}`,
    usage?.model ?? calls.at(-1)?.model ?? turn.model ?? 'no model',
    countOf(calls.length, 'model call'),
    countOf(
      calls.reduce((sum, { toolCalls }) => sum + toolCalls, 0),
      'tool call',
    ),
    usage === null ? 'no tokens' : tokensOf(usage),
    usage?.costUsd == null ? 'no price' : `$${usage.costUsd.toFixed(4)}`,
    startedAt === null ? 'waits' : `waited ${seconds(createdAt, startedAt)}`,
    ...(startedAt !== null && finishedAt !== null ? [`took ${seconds(startedAt, finishedAt)}`] : []),
    id,
  ];
  return [parts.join('  '), ...(withCalls ? calls.map(lineOfCall) : [])];
}

const lineOfCall = ({
  number,
  purpose,
  model,
  reason,
  usage,
  error,
  toolCalls,
  durationMs,
}: ModelCallSummary) =>
  [
    `    ${number}. ${purpose.toLowerCase()} by ${model}`,
    error === null ? (reason ?? 'broke off') : `failed: ${error}`,
    countOf(toolCalls, 'tool call'),
    usage === null ? 'tokens not counted' : tokensOf(usage),
    `${(durationMs / 1000).toFixed(1)} s`,
  ].join('  ');

const tokensOf = (usage: {
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
}): string => `${usage.inputTokens} (${usage.cachedTokens} cached) + ${usage.outputTokens} tokens`;

const seconds = (from: Date, to: Date): string => `${((to.getTime() - from.getTime()) / 1000).toFixed(1)} s`;

await runCommand({ usage: USAGE, run });
