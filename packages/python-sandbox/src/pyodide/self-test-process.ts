/**
 * A contained process that plays the worst case: analysed code that broke out of its realm and calls Node itself. Each
 * attempt must fail. The supervisor checks the canaries itself besides.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import { containedConfig, writeLine } from './contained-io.ts';
import { hardenProcess, remainingDangers } from './harden.ts';
import type { JobConfig } from './job-process.ts';
import { openJobRealm } from './job-realm.ts';
import type { Attempts, Canaries } from '../wall-test.ts';

/** Configuration of a self-test process: what to try to reach. */
export type SelfTestConfig = JobConfig &
  Canaries & {
    /** Analyses by the name of what they try; each must end in an error. */
    readonly pythonAttempts: Readonly<Record<string, string>>;
  };

const CONNECT_TIMEOUT_MS = 1_000;

const BROKEN = '{"error":null,"output":"the interpreter broke"}';

const config = containedConfig<SelfTestConfig>();
const realm = await openJobRealm(config);
hardenProcess();
realm.seal();

const attempts: Attempts = {
  'read outside files': attempt(() => readFileSync(config.canaryPath, 'utf8')),
  'list folders': attempt(() => readdirSync('/').join(' ')),
  'write files': attempt(() => writeFileSync(config.markerPath, 'written by a contained process')),
  'start programs': attempt(() => execFileSync('/bin/sh', ['-c', `echo > '${config.markerPath}'`])),
  'start threads': attempt(() => new Worker('0', { eval: true }).unref()),
  'make code of strings': attempt(() => Reflect.construct(Function, ['return 1'])),
  'see the environment': {
    failed: Object.keys(process.env).length === 0,
    detail: Object.keys(process.env).join(' '),
  },
  'reach other processes': { failed: remainingDangers().length === 0, detail: remainingDangers().join(' ') },
  connect: await attemptToConnect(config.port),
};
const options = JSON.stringify({
  seed: '',
  outputChars: 4096,
  chartBytes: 4096,
  replyBytes: config.replyBytes,
});
for (const [name, code] of Object.entries(config.pythonAttempts)) {
  // An interpreter that broke would make the attempts after it void, so it counts as a failure of the test.
  const answer = JSON.parse(realm.run(code, '{}', options) ?? BROKEN) as {
    error: string | null;
    output: string;
  };
  attempts[name] = { failed: answer.error !== null, detail: answer.error ?? answer.output };
}
writeLine(JSON.stringify(attempts));
process.exit(0);

function attempt(action: () => unknown): Attempts[string] {
  try {
    return { failed: false, detail: String(action()).slice(0, 200) };
  } catch (error) {
    return { failed: true, detail: error instanceof Error ? error.message.slice(0, 200) : String(error) };
  }
}

async function attemptToConnect(port: number): Promise<Attempts[string]> {
  const { promise, resolve } = Promise.withResolvers<Attempts[string]>();
  try {
    const socket = connect({ port, host: '127.0.0.1', timeout: CONNECT_TIMEOUT_MS });
    socket.once('connect', () => resolve({ failed: false, detail: 'connected to the loopback interface' }));
    socket.once('timeout', () => resolve({ failed: true, detail: 'timed out' }));
    socket.once('error', (error) => resolve({ failed: true, detail: error.message }));
  } catch (error) {
    resolve({ failed: true, detail: String(error) });
  }
  return await promise;
}
