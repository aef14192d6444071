/** The process: reads the configuration, starts the app, prints its address, and stops it on a signal. */
import { startApp, type App } from './app/app.ts';
import { openClient } from './server/client-build/open-client.ts';
import { openDocs } from './server/docs-build/open-docs.ts';
import { readConfig } from './config/config.ts';
import { StartupError } from './base/errors.ts';
import { createLogger } from './base/log.ts';

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** The lines printed after a start. */
function introduce(app: App): string {
  const where = { own: 'embedded', shared: 'embedded, run by another process', configured: 'yours' };
  const model = app.hasModelProvider
    ? app.defaultModel
    : `${app.defaultModel} (no model is configured; see ${app.url}/docs/operating#models)`;
  return [
    '',
    `  QPilot is ready: ${app.url}`,
    '',
    `  GraphiQL   ${app.url}/graphql`,
    `  Docs       ${app.url}/docs/`,
    `  Ask        npm run ask -- "How healthy is the chip?"${app.url.endsWith(':4000') ? '' : ` --url ${app.url}`}`,
    `  Model      ${model}`,
    ...(app.operationsUrl === null ? [] : [`  Metrics    ${app.operationsUrl}/metrics`]),
    `  Stores     MongoDB ${where[app.stores.mongo]}, PostgreSQL ${where[app.stores.postgres]}`,
    ...(app.ownerLink === null
      ? []
      : [
          '',
          '  Nobody has an account yet. Whoever opens this address within a day becomes the owner:',
          `  ${app.ownerLink}`,
          '',
        ]),
    ...(app.wroteDemo ? ['  Demo       chip demo-64 with 60 days of history was made'] : []),
    '',
    '  Ctrl-C stops it.',
    '',
  ].join('\n');
}

const USAGE = `Usage: npm start

Starts QPilot with the databases, the API and the web client, and a demo chip where there is no data yet. Ctrl-C stops it.
It takes its settings from the environment and from config/qpilot.yaml (docs/operating.md). The most used ones:

  PORT           port of the API and the web client (4000)
  DATA_DIR       folder of the embedded databases (data)
  MONGODB_URI    a QDash MongoDB to read instead of the embedded one
  DATABASE_URL   a PostgreSQL to use instead of the embedded one
  COPILOT_MODEL  the model that answers, of a provider whose key is set (OPENAI_API_KEY, ANTHROPIC_API_KEY, ...)
  LOG_LEVEL      fatal, error, warn, info, debug, trace or silent (info)`;

async function run(): Promise<void> {
  if (process.argv.slice(2).some((arg) => arg === '--help' || arg === '-h')) return print(USAGE);
  const config = readConfig(process.env);
  const ended = Promise.withResolvers<undefined>();
  const starting = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      // A second signal does not wait for answers in progress.
      if (starting.signal.aborted) process.exit(1);
      starting.abort();
      ended.resolve(undefined);
    });
  }
  const log = createLogger(config.logLevel);
  const client = openClient(log);
  const docs = openDocs(log);
  for (const each of [client, docs]) starting.signal.addEventListener('abort', () => each.close());
  const app = await startApp(config, {
    log,
    client,
    docs,
    signal: starting.signal,
  }).catch((error: unknown) => {
    if (starting.signal.aborted) return null;
    throw error;
  });
  if (app === null) return;
  print(introduce(app));
  if (client.state().kind === 'building') {
    print('  The web client is being built, once for this version; its pages come in some ten seconds.\n');
  }
  const warmingUp = app.warmUp();
  await ended.promise;
  await app.stop();
  await warmingUp;
}

try {
  await run();
} catch (error) {
  if (!(error instanceof StartupError)) throw error;
  process.stderr.write(`QPilot cannot start: ${error.message}\n`);
  process.exitCode = 1;
}
