import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { z } from 'zod';

setFlagsFromString('--expose-gc');
const collectGarbage = z.function({ input: [], output: z.unknown() }).parse(runInNewContext('gc'));

/** Memory of this process in bytes, after garbage collection. */
export type Memory = { readonly heapBytes: number; readonly residentBytes: number };

/** Collects garbage twice, since what is freed first may hold the rest, and measures. */
export async function memoryNow(): Promise<Memory> {
  for (let time = 0; time < 2; time += 1) {
    collectGarbage();
    await sleep(50); // lets finalizers and closed handles go
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heapBytes: heapUsed + external, residentBytes: rss };
}
