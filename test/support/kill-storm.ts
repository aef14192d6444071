import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { RunnerTimes } from '../../src/agent/runner/runner.ts';
import { z } from 'zod';
import { ended, startChat } from './chat.ts';
import type { Chat } from './chat.ts';
import type { StormReport } from './fault-storm.ts';
import { endLeases } from './leases.ts';
import { faultsOf, readLog, subscribe } from './transcripts.ts';
import { until } from '@qpilot/test-support';

/** Leases are long: nobody but the killed is late with them, whatever the machine. */
export const killTimes: Partial<RunnerTimes> = { leaseMs: 600_000, sweepMs: 250 };

/** How many processes are killed, how many of them live at once, and how many turns each runs. */
export type Kills = { readonly kills: number; readonly atOnce: number; readonly sessions: number };

/**
 * Kills processes in the middle of their turns while each turn is followed through another server by two subscribers;
 * the other server closes the turns and serves the rest.
 */
export async function killStorm(url: string, { kills, atOnce, sessions }: Kills): Promise<StormReport> {
  const survivor = await startChat(url, { times: killTimes });
  const reports: StormReport[] = [];
  try {
    for (let killed = 0; killed < kills; killed += atOnce) {
      const batch = Array.from({ length: Math.min(atOnce, kills - killed) }, (_, index) =>
        killOne(url, survivor, sessions, 5 + ((killed + index) % 30)),
      );
      reports.push(...(await Promise.all(batch)));
    }
  } finally {
    await survivor.stop();
  }
  return {
    wrong: reports.flatMap(({ wrong }) => wrong),
    events: reports.reduce((sum, { events }) => sum + events, 0),
    turns: reports.reduce((sum, { turns }) => sum + turns, 0),
  };
}

const startedTurns = z.array(z.object({ sessionId: z.string(), turnId: z.string() }));

/** Starts a process, kills it once its turns have said a little, and compares. */
async function killOne(
  url: string,
  survivor: Chat,
  sessions: number,
  afterEvents: number,
): Promise<StormReport> {
  const script = fileURLToPath(new URL('./chat-process.ts', import.meta.url));
  const child = spawn(process.execPath, [script, url, String(sessions)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    const turns = startedTurns.parse(JSON.parse(line));
    const readers = turns.flatMap(({ sessionId }) => [
      subscribe(() => survivor, sessionId),
      subscribe(() => survivor, sessionId),
    ]);
    await until(() => readers.every(({ lastSeq }) => lastSeq >= afterEvents), {
      what: 'the turns to talk',
    });
    child.kill('SIGKILL');
    await once(child, 'exit');
    await endLeases(
      survivor,
      turns.map(({ sessionId }) => sessionId),
    );
    const wrong: string[] = [];
    let events = 0;
    for (const { sessionId, turnId } of turns) {
      const turn = await ended(survivor, { id: turnId });
      if (turn.status !== 'INTERRUPTED') wrong.push(`turn ${turnId} ended as ${turn.status}`);
      const log = await readLog(survivor, sessionId);
      events += log.length;
      wrong.push(...(await faultsOf(survivor, log)));
      const expected = log.map((event) => JSON.stringify(event)).join('\n');
      for (const reader of readers.filter((one) => one.sessionId === sessionId)) {
        await until(() => reader.lastSeq >= log.length, { what: 'a subscriber to catch up' });
        await reader.stop();
        if (reader.seen.join('\n') !== expected) wrong.push(`a subscriber of turn ${turnId} saw another log`);
      }
    }
    return { wrong, events, turns: turns.length };
  } finally {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  }
}
