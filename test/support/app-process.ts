/**
 * The whole program in a process of its own, to be killed at the worst moment: settings are in its environment, how often it
 * looks for work, in milliseconds, is the argument. Prints its address.
 */
import { startApp } from '../../src/app/app.ts';
import { createLogger } from '../../src/base/log.ts';
import { readConfig } from '../../src/config/config.ts';

const [pauseMs = 0, leaseMs = 60_000] = process.argv.slice(2).map(Number);
const app = await startApp(readConfig(process.env), {
  alertTimes: { pauseMs, leaseMs },
  log: createLogger('silent'),
});
process.once('SIGTERM', () => void app.stop());
process.stdout.write(`${app.url}\n`);
