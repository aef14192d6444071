/** The example that front-end developers start from, as a process of its own. */
import { spawn } from 'node:child_process';
import { afterEach, expect, test } from '@jest/globals';
import { completed, text } from '../support/activities.ts';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { until } from '@qpilot/test-support';

let app: TestApp;
let network: TcpProxy;
afterEach(async () => {
  await network.close();
  await app.stop();
});

/** Runs the example until it ends; `printed` is what it has said so far. */
function follow(url: string, ...args: readonly string[]) {
  const child = spawn(process.execPath, ['examples/follow.ts', ...args], {
    env: { ...process.env, QPILOT_URL: url },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (piece: string) => (printed += piece));
  }
  const code = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { printed: () => printed, code };
}

test('prints an answer once, whole and in order, though its connection is cut in the middle', async () => {
  const isCut = Promise.withResolvers<void>();
  app = await createTestApp({
    answerTurn: async ({ emit }) => {
      emit(text('Before. '));
      await isCut.promise;
      emit(text('Meanwhile. '));
      emit(text('After.'));
      return completed;
    },
  });
  network = await startTcpProxy(app.url);
  const example = follow(network.url, 'How is it?');
  await until(() => example.printed().includes('Before.'));
  network.cut();
  network.mend();
  isCut.resolve();
  expect(await example.code).toBe(0);
  expect(example.printed()).toBe('Before. Meanwhile. After.\nCOMPLETED\n');
});

test('says what the server refuses, and ends', async () => {
  app = await createTestApp();
  network = await startTcpProxy(app.url);
  const example = follow(network.url, '');
  expect(await example.code).not.toBe(0);
  expect(example.printed()).toMatch(/content/);
});
