/** `npm run doctor`: examines the installation and advises what to do. Exits with 1 if something does not work. */
import { parseArgs } from 'node:util';
import { openLabServers, openModels, openSandbox } from '../../app/answering.ts';
import { CONFIG_FOLDER } from '../../config/config-folder.ts';
import { readConfig, type Config } from '../../config/config.ts';
import { examine, type DoctorStores, type Patient } from '../doctor/examine.ts';
import { findingText, type Finding } from '../doctor/finding.ts';
import { countOf } from '../../domain/text/display-text.ts';
import { openStores } from '../../app/stores.ts';
import { createLogger } from '../../base/log.ts';
import type { ResourceStack } from '../../base/resource-stack.ts';
import { print, runCommand } from './run-command.ts';

const USAGE = 'Usage: npm run doctor -- [--json]';

/** Shares running stores; starts them for the duration of the examination otherwise. */
async function storesOf(config: Config, resources: ResourceStack): Promise<DoctorStores> {
  const { dataDir, databaseUrl, mongodbUri } = config;
  const stores = await openStores({ dataDir, databaseUrl, mongodbUri, log: createLogger('silent') });
  resources.defer(() => stores.stop());
  return stores;
}

function patientOf(config: Config, resources: ResourceStack): Patient {
  const now = () => new Date();
  return {
    config,
    configFolder: CONFIG_FOLDER,
    now,
    openStores: () => storesOf(config, resources),
    openModels: (settings) => openModels(config, settings, now, resources),
    openLabServers: (settings) => openLabServers(config, settings, createLogger('silent'), resources),
    sandbox: openSandbox(config, createLogger('silent'), resources),
  };
}

async function run(args: readonly string[], signal: AbortSignal, resources: ResourceStack): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { json: { type: 'boolean', default: false } } });
  const findings: Finding[] = [];
  let area = '';
  for await (const finding of examine(patientOf(readConfig(process.env), resources), signal)) {
    findings.push(finding);
    if (values.json) continue;
    if (finding.area !== area) print(`\n${finding.area}`);
    area = finding.area;
    print(findingText(finding));
  }
  const problems = findings.filter(({ status }) => status === 'PROBLEM').length;
  const warnings = findings.filter(({ status }) => status === 'WARNING').length;
  if (values.json) print(JSON.stringify({ ok: problems === 0, findings }, null, 2));
  else print(`\n${countOf(problems, 'problem')}, ${countOf(warnings, 'warning')}`);
  if (problems > 0) process.exitCode = 1;
}

await runCommand({ usage: USAGE, run });
