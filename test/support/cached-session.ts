/** Conversations over a real device with a provider that counts cached input. */
import { MongoClient } from 'mongodb';
import { openCalibrationWriter } from '../../src/import/calibration-writer.ts';
import { importIbmFiles } from '../../src/import/import-ibm-files.ts';
import { startCachingServer, type CachingServer } from './caching-provider.ts';
import { createTestApp, type TestApp } from './create-test-app.ts';
import { createTestMongo } from './databases.ts';
import { post, sse } from './graphql-client.ts';
import { accessTo } from './model-access.ts';
import { sharedPath } from './shared-data.ts';
import { argumentsOf } from './tool-bench.ts';
import type { Said, WireKind } from './wire-bodies.ts';

const SEND = `mutation ($input: SendMessageInput!) { sendMessage(input: $input) { __typename
  ... on SendMessagePayload { session { id } lastSeq } ... on UserError { message } } }`;
const EVENTS = `subscription ($sessionId: ID!, $afterSeq: Int!) {
  copilotEvents(sessionId: $sessionId, afterSeq: $afterSeq) { __typename
    ... on TurnFinishedEvent { status error { code message } message { text }
      usage { inputTokens outputTokens cachedTokens totalTokens chargedTokens costUsd } } } }`;

/** How a turn ended. */
export type FinishedTurn = {
  readonly status: string;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly message: { readonly text: string } | null;
  readonly usage: {
    readonly totalTokens: number;
    readonly chargedTokens: number;
    readonly costUsd: number | null;
  };
};

/** What a turn's model does: its calls round by round, then an answer in words. */
export type Script = readonly (readonly (readonly [tool: string, given: object])[])[];

export type CachedSession = {
  readonly server: CachingServer;
  readonly app: TestApp;
  /** Plays one turn. */
  play(content: string, script: Script): Promise<FinishedTurn>;
  close(): Promise<void>;
};

const ANSWER =
  'The median is as stated; three qubits stand out, and all of it was measured on the same day. '.repeat(3);

/** The days after the newest snapshot of the device. */
const START = new Date('2025-02-26T20:00:00Z');
const MINUTE = 60_000;

/** A session about the 127 qubits of brisbane, answered through `kind`; each turn begins five minutes after the last. */
export async function openCachedSession(
  kind: WireKind,
  { env = {} }: { readonly env?: Readonly<Record<string, string>> } = {},
): Promise<CachedSession> {
  const mongo = await createTestMongo({ large: true });
  const client = await MongoClient.connect(mongo.uri);
  const paths = ['props', 'conf'].map((part) => sharedPath(`data/ibm-backends/${part}_brisbane.json`));
  const writer = await openCalibrationWriter(client.db(mongo.dbName));
  await importIbmFiles(writer, { paths, chipId: null, project: 'demo', print: () => {} });
  await client.close();
  let said: (readonly Said[])[] = [];
  const server = await startCachingServer(kind, () => said.shift() ?? [{ text: ANSWER }]);
  let turns = 0;
  const app = await createTestApp({
    env: { ...accessTo(kind, server), MONGODB_URI: mongo.uri, MONGODB_DB: mongo.dbName, ...env },
    now: () => new Date(START.getTime() + 5 * turns * MINUTE),
  });
  let sessionId: string | null = null;
  return {
    server,
    app,
    async play(content, script) {
      turns += 1;
      said = [
        ...script.map((round, at): readonly Said[] => [
          { thought: `Round ${at + 1} needs ${round.map(([tool]) => tool).join(' and ')}.` },
          ...round.map(([tool, given], place): Said => ({
            call: [`call_a1b2c3d4${turns}x${at}x${place}`, tool, JSON.stringify(argumentsOf(tool, given))],
          })),
        ]),
        [{ thought: 'That is enough to answer.' }, { text: ANSWER }],
      ];
      const about = sessionId === null ? { chipId: 'brisbane' } : { sessionId };
      const input = { content, clientMessageId: crypto.randomUUID(), ...about };
      const { data, errors } = await post(app.url, SEND, { variables: { input } });
      const sent = data?.['sendMessage'] as { session?: { id: string }; lastSeq: number } | undefined;
      if (sent?.session === undefined) throw new Error(JSON.stringify([data, errors]));
      sessionId = sent.session.id;
      for await (const next of sse(app.url, EVENTS, { sessionId, afterSeq: sent.lastSeq })) {
        const event = next.data?.['copilotEvents'] as { readonly __typename: string };
        if (event.__typename === 'TurnFinishedEvent') return event as unknown as FinishedTurn;
      }
      throw new Error('the turn did not end');
    },
    async close() {
      await app.stop();
      await server.close();
      await mongo.drop();
    },
  };
}

/** Ten rounds of calls with plausible results. */
export const TEN_ROUNDS: Script = [
  [
    ['get_chip_summary', {}],
    ['list_available_parameters', {}],
  ],
  [['rank_qubits', { metric_name: 't1', order: 'worst', count: 10 }]],
  [['rank_qubits', { metric_name: 't2_echo', order: 'worst', count: 10 }]],
  [
    ['find_outliers', { metric_name: 't1' }],
    ['find_outliers', { metric_name: 't2_echo' }],
  ],
  [
    ['get_qubit_params', { qid: '95' }],
    ['get_qubit_params', { qid: '119' }],
  ],
  [['compare_qubits', { qids: ['95', '119', '3'], param_names: ['t1', 't2_echo'] }]],
  [['get_coupling_params', { qubit_id: '95' }]],
  [['get_chip_topology', {}]],
  [
    ['get_calibration_notes', {}],
    ['get_lab_context', {}],
  ],
  [['rank_qubits', { metric_name: 'readout_frequency', order: 'worst', count: 10 }]],
];
