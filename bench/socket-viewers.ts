import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { encodeNodeId } from '../schema/node-ids.ts';
import { viewersReport } from './viewer-messages.ts';
import type { WatchCommand } from './viewer-messages.ts';
import type { OpenViewers, Viewers } from './viewers.ts';

/** A process that watches streams over graphql-ws. One watch at a time. */
export type ViewersProcess = {
  /** Resolves when every viewer is connected. */
  watch(command: Omit<WatchCommand, 'type'>): Promise<Viewers>;
  close(): Promise<void>;
};

/** Starts the process; the caller closes it. */
export function startViewersProcess(): ViewersProcess {
  const child = fork(fileURLToPath(new URL('./socket-viewers-process.ts', import.meta.url)));
  return {
    watch: (command) => watch(child, { type: 'watch', ...command }),
    async close() {
      if (child.exitCode !== null) return;
      const exited = once(child, 'exit');
      child.kill();
      await exited;
    },
  };
}

async function watch(child: ChildProcess, command: WatchCommand): Promise<Viewers> {
  const connected = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<Awaited<Viewers['ended']>>();
  const fail = (error: Error): void => {
    connected.reject(error);
    ended.reject(error);
  };
  const onExit = (code: number | null): void => fail(new Error(`the viewers ended with code ${code}`));
  const onMessage = (message: unknown): void => {
    const report = viewersReport.parse(message);
    if (report.type === 'connected') connected.resolve();
    else if (report.type === 'failed') fail(new Error(report.message));
    else ended.resolve(report.receipts);
  };
  child.on('message', onMessage).once('exit', onExit);
  const done = ended.promise.finally(() => child.off('message', onMessage).off('exit', onExit));
  done.catch(() => undefined); // those who await the viewers get the error, connected or not
  child.send(command);
  await connected.promise;
  return { ended: done };
}

const QUERY = `subscription ($sessionId: ID!, $afterSeq: Int) {
  copilotEvents(sessionId: $sessionId, afterSeq: $afterSeq) {
    __typename ... on SequencedEvent { seq } ... on TokenEvent { text offset } ... on TurnFinishedEvent { status } } }`;

/** Viewers over graphql-ws of the QPilot server at `url`. */
export function socketViewers(viewers: ViewersProcess, url: string): OpenViewers {
  return (places, each) =>
    viewers.watch({
      url,
      query: QUERY,
      streams: places.map(({ sessionId, afterSeq }) => ({
        id: sessionId,
        variables: { sessionId: encodeNodeId('CopilotSession', sessionId), afterSeq },
      })),
      each,
    });
}
