/** `npm run tools`: prints each tool of the copilot with its tokens and an example result from the demo chip. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { MongoClient } from 'mongodb';
import { createToolRegistry } from '../../agent/tool-registry.ts';
import { proposeJob } from '../../agent/tools/propose-job.ts';
import { chatTools, openSandbox } from '../../app/answering.ts';
import { readConfig, type Config } from '../../config/config.ts';
import { startMongo } from '@qpilot/embedded-stores';
import { startControlServer } from '../../import/demo/control-server/control-server.ts';
import { createLiveSource } from '../../sources/live/live-source.ts';
import { createLogger } from '../../base/log.ts';
import type { ResourceStack } from '../../base/resource-stack.ts';
import { readSettings } from '../../config/settings.ts';
import { forgetfulDrafts, openDemoBench, UNLIMITED } from '../tool-table/demo-bench.ts';
import { openDemoTable } from '../tool-table/demo-table.ts';
import {
  rowText,
  TABLE_HEADING,
  toolTable,
  type ToolRow,
  type ToolTableDeps,
} from '../tool-table/tool-table.ts';
import { print, runCommand } from './run-command.ts';

const USAGE = 'Usage: npm run tools -- [--json]';

type Table = { readonly deps: ToolTableDeps; readonly prompt: string };

/** The demo in its own in-memory database with a drifting control server; no other store is touched. */
async function openTable(config: Config, resources: ResourceStack, signal: AbortSignal): Promise<Table> {
  const log = createLogger('silent');
  const now = () => new Date();
  const { limits } = await readSettings(config.settingsFile);
  const folder = await mkdtemp(join(tmpdir(), 'qpilot-tools-'));
  resources.defer(() => rm(folder, { recursive: true, force: true }));
  const mongo = await startMongo({ file: ':memory:', socketPath: join(folder, 'sockets', 'mongo.sock') });
  resources.defer(() => mongo.stop());
  const client = await MongoClient.connect(mongo.uri);
  resources.defer(() => client.close());
  const control = await startControlServer({ port: 0, seed: 1, now });
  resources.defer(() => control.close());
  const sandbox = openSandbox(config, log, resources);
  // The first start takes longer than a call may wait.
  await sandbox.availability();
  const live = createLiveSource({ url: `${control.url}/chips/{chip}`, limiter: UNLIMITED, now, log });
  const { context, source, prompt } = await openDemoBench({
    db: client.db('qdash'),
    sandbox,
    live,
    datasets: await openDemoTable(folder, signal),
    now,
    signal,
  });
  const { toolSeconds, toolResultCharacters: resultCharacters } = limits.turn;
  const deps = {
    tools: createToolRegistry([...chatTools(live), proposeJob(forgetfulDrafts(now))], () =>
      sandbox.packages(),
    ),
    context,
    source,
    limits: { toolTimeoutMs: toolSeconds * 1000, resultCharacters },
    signal,
  };
  return { deps, prompt };
}

async function run(args: readonly string[], signal: AbortSignal, resources: ResourceStack): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { json: { type: 'boolean', default: false } } });
  const { deps, prompt } = await openTable(readConfig(process.env), resources, signal);
  if (!values.json) print(TABLE_HEADING);
  const rows: ToolRow[] = [];
  for await (const row of toolTable(deps)) {
    rows.push(row);
    if (!values.json) print(`${rowText(row)}\n`);
  }
  const tokens = {
    prompt: countTokens(prompt),
    tools: countTokens(JSON.stringify(deps.tools.schemas)),
  };
  if (values.json) print(JSON.stringify({ tokens, tools: rows }, null, 2));
  else {
    print(
      `Each request carries ${tokens.tools} tokens for ${rows.length} tools and ${tokens.prompt} for the prompt, ${tokens.tools + tokens.prompt} in all (gpt-4.1 tokenizer); npm test keeps the sum below 6,000.`,
    );
  }
}

await runCommand({ usage: USAGE, run });
