/**
 * `npm run control-server`: a fake control server for the demo chip with drifting values; runs until SIGTERM or
 * SIGINT.
 */
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { startControlServer } from '../../import/demo/control-server/control-server.ts';
import { print, runCommand, UsageError } from './run-command.ts';

const USAGE = 'Usage: npm run control-server -- [--port 4100] [--seed 1]';

const whole = z.coerce.number().int().min(0);
const options = z.object({
  port: whole.max(65_535).default(4100),
  seed: whole.default(1),
});

async function run(args: readonly string[], signal: AbortSignal): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { port: { type: 'string' }, seed: { type: 'string' } },
  });
  const parsed = options.safeParse(values);
  if (!parsed.success) throw new UsageError(z.prettifyError(parsed.error));
  const ended = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => ended.resolve());
  const server = await startControlServer({ ...parsed.data, now: () => new Date() });
  print(`LIVE_SOURCE_URL=${server.url}/chips/{chip}`);
  print(`LIVE_SOURCE_URL=${server.url}/backends/{chip}/properties`);
  await ended.promise;
  await server.close();
}

await runCommand({ usage: USAGE, run });
