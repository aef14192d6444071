/**
 * The metrics of this process, for Prometheus. Counters and histograms are fed where the log has its lines; gauges are
 * read when somebody scrapes. Labels have few values: names that people or models choose become `other` past a bound.
 */
import type { MongoClient } from 'mongodb';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** What is counted: of the process, as a scraper sees it. */
export const registry = new Registry();
const registers = [registry];

const TURN_SECONDS = [0.1, 0.3, 1, 3, 5, 10, 20, 40, 60, 120, 300, 900];
const CALL_SECONDS = [0.01, 0.03, 0.1, 0.3, 1, 2, 4, 8, 15, 30, 60, 120];
const REQUEST_SECONDS = [0.005, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30];
const COMMAND_SECONDS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10];

const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
  new Counter({ name: `qpilot_${name}`, help, labelNames, registers });
const histogram = <Label extends string>(
  name: string,
  help: string,
  buckets: number[],
  labelNames: Label[],
) => new Histogram({ name: `qpilot_${name}`, help, buckets, labelNames, registers });
export const turns = {
  ended: counter('turns_total', 'Turns that ended', ['kind', 'status', 'model']),
  seconds: histogram('turn_seconds', 'From the start of a turn to its end', TURN_SECONDS, ['kind', 'status']),
  waited: histogram('turn_wait_seconds', 'From the message to the start of its turn', CALL_SECONDS, ['kind']),
  tokens: counter('tokens_total', 'Tokens of ended turns', ['model', 'type']),
  cost: counter('cost_usd_total', 'Cost of ended turns whose model has a price, in USD', ['model']),
};

/** Of the first run of a job; phases are turns. */
export const jobWaits = histogram(
  'job_wait_seconds',
  'From the creation of a job to its worker',
  TURN_SECONDS,
  [],
);

/** Streams and WebSockets are not requests that end. */
export const requestSeconds = histogram(
  'http_request_seconds',
  'From a request to the end of its response, streams left out',
  REQUEST_SECONDS,
  ['route', 'status'],
);

export const modelCalls = {
  ended: counter('model_calls_total', 'Requests to models; error is none for a whole response', [
    'model',
    'error',
  ]),
  seconds: histogram('model_call_seconds', 'From a request to the end of its response', CALL_SECONDS, [
    'model',
  ]),
  firstWord: histogram('model_first_word_seconds', 'From a request to the first word of text', CALL_SECONDS, [
    'model',
  ]),
};

export const toolCalls = {
  ended: counter('tool_calls_total', 'Tool calls that ended', ['tool', 'status']),
  seconds: histogram('tool_seconds', 'How long tools ran', CALL_SECONDS, ['tool']),
};

const mongoSeconds = histogram('mongodb_command_seconds', 'Commands to MongoDB', COMMAND_SECONDS, [
  'command',
  'outcome',
]);

export const auditFailures = counter(
  'audit_failures_total',
  'Records of the audit that could not be stored and are only in the log',
  [],
);

export const alerts = {
  opened: counter('alerts_opened_total', 'Alerts that rules opened', []),
  evaluations: counter('alert_evaluations_total', 'Evaluations of rules', ['outcome']),
  deliveries: counter('alert_deliveries_total', 'Attempts to send a message to a destination', [
    'kind',
    'outcome',
  ]),
};

/** Read at each scrape. Those of one app: several in a process, as in tests, do not overwrite each other's. */
export function createGauges() {
  const own = new Registry();
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ name: `qpilot_${name}`, help, labelNames, registers: [own] });
  return {
    registry: own,
    turnsRunning: gauge('turns_running', 'Turns that this process runs, phases of jobs among them'),
    turnsWaiting: gauge('turns_waiting', 'Turns of all processes that wait for room'),
    jobs: gauge('jobs', 'Jobs of all processes that have not ended', ['status']),
    postgresConnections: gauge('postgres_connections', 'Connections of the pool', ['state']),
    postgresWaiting: gauge('postgres_waiting', 'Statements that wait for a connection'),
    sandboxProcesses: gauge('sandbox_processes', 'Processes of the Python sandbox', ['state']),
    sandboxWaiting: gauge('sandbox_waiting', 'Analyses that wait for a process'),
    sandboxRefused: gauge('sandbox_refused', 'Analyses that were refused since the sandbox was started'),
    subscriptions: gauge('subscriptions', 'Open subscriptions to the events of conversations'),
    sockets: gauge('sockets', 'Open WebSockets'),
    storeUp: gauge('store_up', '1 while the store answers', ['store']),
  };
}

/** Most different values of a label that is not of a fixed list. */
const MOST_NAMES = 50;
const seen = new Set<string>();

/** A model's name as a label; `other` once {@link MOST_NAMES} are in use. */
export function modelLabel(name: string | null): string {
  if (name === null) return 'none';
  if (!seen.has(name) && seen.size >= MOST_NAMES) return 'other';
  seen.add(name);
  return name;
}

/** Observes the commands of a client that monitors them. */
export function meterMongo(client: MongoClient): void {
  const end = (command: string, outcome: 'ok' | 'failed', ms: number): void =>
    mongoSeconds.observe({ command, outcome }, ms / 1000);
  client.on('commandSucceeded', ({ commandName, duration }) => end(commandName, 'ok', duration));
  client.on('commandFailed', ({ commandName, duration }) => end(commandName, 'failed', duration));
}

let isCollecting = false;

/** Also collects what Node knows of the process: event loop delay, memory, garbage collection. Once is enough. */
export function collectProcessMetrics(): void {
  if (isCollecting) return;
  isCollecting = true;
  collectDefaultMetrics({ register: registry });
}
