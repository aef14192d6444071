/**
 * `QPILOT_MONGODB_URI=mongodb://… npm run differential [-- test paths]`: runs tests, records each command that they send to the
 * embedded server, sends all of them again to a new one and to the MongoDB that the address names, and prints where the two
 * answer differently. Without an address it says so and does nothing. The databases of tests (`qpilot_test_…`) are made in
 * that MongoDB and dropped again.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMongo } from '@qpilot/embedded-stores';
import { MongoClient } from 'mongodb';
import { compare, serverOf } from './compare.ts';
import { startRecorder } from './record.ts';

/** Tests that send every kind of command that QPilot sends. */
const CORPUS = [
  'test/stores/mongo',
  'test/integration/calibration',
  'test/integration/odd-rows',
  'test/integration/chip-',
];

const print = (text: string): boolean => process.stdout.write(`${text}\n`);

const uri = process.env['QPILOT_MONGODB_URI'];
if (!uri)
  print('skipped: QPILOT_MONGODB_URI names no MongoDB to compare with, such as mongodb://127.0.0.1:27017');
else process.exitCode = await run(uri, process.argv.slice(2));

async function run(other: string, paths: readonly string[]): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'differential-'));
  const socket = (name: string): string => join(folder, `${name}.sock`);
  const [recorded, again] = await Promise.all(
    ['recorded', 'again'].map((name) => startMongo({ file: ':memory:', socketPath: socket(name) })),
  );
  if (!recorded || !again) throw new Error('two servers were started');
  const recorder = await startRecorder(socket('recorded'), socket('recorder'));
  const clients: MongoClient[] = [];
  const connect = async (address: string) => {
    const client = await MongoClient.connect(address);
    clients.push(client);
    return serverOf(client, client.startSession());
  };
  try {
    const servers = [await connect(again.uri), await connect(other)] as const;
    const code = await jest(paths.length > 0 ? paths : CORPUS, recorder.uri);
    if (code !== 0) print('some of these tests failed; what they sent is compared all the same');
    const { compared, tied, differences } = await compare(recorder.commands, ...servers);
    for (const { place, command, ours, theirs } of differences)
      print(`\n#${place} ${command}\n  embedded: ${ours}\n  other:    ${theirs}`);
    print(`\n${compared} commands compared, ${tied} cut among ties, ${differences.length} differences`);
    return differences.length === 0 && compared > 0 ? 0 : 1;
  } finally {
    await Promise.all(clients.map((client) => client.close()));
    await recorder.close();
    await Promise.all([recorded.stop(), again.stop()]);
    await rm(folder, { recursive: true, force: true });
  }
}

function jest(paths: readonly string[], address: string): Promise<number | null> {
  const child = spawn(
    process.execPath,
    [join('node_modules', 'jest', 'bin', 'jest.js'), '-w', '1', ...paths],
    {
      env: { ...process.env, MONGODB_TEST_URI: address },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  return new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
}
