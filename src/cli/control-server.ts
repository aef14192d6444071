/** `npm run control-server`: a fake control server of the demo chip, whose values drift; runs until SIGTERM or SIGINT. */
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { StartupError } from '../errors.ts';
import { startControlServer } from '../live/fake/control-server.ts';

const USAGE = 'Usage: npm run control-server -- [--port 4100] [--seed 1]';

const whole = z.coerce.number().int().min(0);
const options = z.object({
  port: whole.max(65_535).default(4100),
  seed: whole.default(1),
});

async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { port: { type: 'string' }, seed: { type: 'string' } },
  });
  const parsed = options.safeParse(values);
  if (!parsed.success) throw new StartupError(`${z.prettifyError(parsed.error)}\n${USAGE}`);
  const ended = Promise.withResolvers<void>();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => ended.resolve());
  const server = await startControlServer({ ...parsed.data, now: () => new Date() });
  const lines = [
    `LIVE_SOURCE_URL=${server.url}/chips/{chip}`,
    `LIVE_SOURCE_URL=${server.url}/backends/{chip}/properties`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  await ended.promise;
  await server.close();
}

try {
  await run(process.argv.slice(2));
} catch (error) {
  const isUsage =
    error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
  if (!isUsage && !(error instanceof StartupError)) throw error;
  process.stderr.write(`${error.message}\n${isUsage ? `${USAGE}\n` : ''}`);
  process.exitCode = 1;
}
