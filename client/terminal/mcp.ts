#!/usr/bin/env node
/**
 * `npm run mcp`: the Model Context Protocol over standard input and output, for assistants that start a program. It passes each
 * message on to a running server, which does the work; nothing but messages is written to standard output.
 */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { AskError, type Server } from './http.ts';
import { createRelay } from './mcp-relay.ts';
import { serverUrl } from './options.ts';
import { projectFor } from './project.ts';
import { tokenFor } from './tokens.ts';

const USAGE = `Usage: npm run -s mcp -- [--url URL] [--project ID] [--no-pictures]

  --url          the server; default QPILOT_URL, else PORT (4000) of this machine
  --project      the project, by its id or name, where you have several; default QPILOT_PROJECT, else the one of the last
                 npm run login or ask at that server
  --no-pictures  charts as data alone, for models that cannot look at pictures

The key is QPILOT_TOKEN, else the token of the last npm run login at that server.`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      url: { type: 'string' },
      project: { type: 'string' },
      'no-pictures': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return void process.stderr.write(`${USAGE}\n`);
  const url = serverUrl(values.url, process.env);
  const token = await tokenFor(url, process.env);
  const project = await projectFor({ url, token }, values.project, { env: process.env, isProgram: true });
  const server: Server = { url, token, project };
  const write = async (line: string): Promise<void> => {
    if (!process.stdout.write(`${line}\n`)) await once(process.stdout, 'drain');
  };
  const relay = createRelay(server, write, { withPictures: !values['no-pictures'] });
  process.stderr.write(`QPilot at ${url}, for an assistant on standard input\n`);
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() !== '') void relay.pass(line);
  }
  await relay.close();
}

// The assistant is gone.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

try {
  await main();
} catch (error) {
  const isOfUse =
    error instanceof AskError || (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS');
  if (!isOfUse) throw error;
  process.stderr.write(`${error instanceof AskError ? error.message : `${String(error)}\n\n${USAGE}`}\n`);
  process.exitCode = 1;
}
