import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { WarmProcess } from '../engine.ts';
import { attemptsSchema, tryWalls, unfinished } from '../wall-test.ts';
import type { Attempts, Canaries } from '../wall-test.ts';
import { wallReport } from '../walls.ts';
import type { SelfTestReport } from '../walls.ts';

const replySchema = z.object({ output: z.string(), error: z.string().nullable() });

/** Runs the attempts as an analysis in a process that is like any other, so that nothing of the container differs. */
export async function testNativeWalls(start: () => WarmProcess, timeoutMs: number): Promise<SelfTestReport> {
  const walls = await tryWalls(
    (canaries) => attempt(start(), canaries, timeoutMs),
    () => true,
  ).catch((error: unknown) => unfinished(error instanceof Error ? error.message : String(error)));
  return wallReport('native', true, walls);
}

async function attempt(warm: WarmProcess, canaries: Canaries, timeoutMs: number): Promise<Attempts> {
  const timer = setTimeout(() => warm.kill(), timeoutMs);
  try {
    await warm.ready;
    const code = await readFile(new URL('./attempts.py', import.meta.url), 'utf8');
    const reply = replySchema.parse(
      JSON.parse(await warm.run({ code, dataJson: JSON.stringify(canaries) }, () => {})),
    );
    if (reply.error !== null) throw new Error(reply.error);
    return attemptsSchema.parse(JSON.parse(reply.output));
  } finally {
    clearTimeout(timer);
    warm.kill();
  }
}
