/**
 * The examination behind `npm run doctor`. Strictly read-only: nothing is written to any database, and providers are
 * only asked for their lists of models.
 */
import { StartupError } from '../../base/errors.ts';
import type { Config } from '../../config/config.ts';
import type { PythonSandbox } from '@qpilot/python-sandbox';
import { shortKeyWarnings } from '../../config/providers.ts';
import { readSettings, type Settings } from '../../config/settings.ts';
import { configFileFindings } from './config-files.ts';
import { dataFolderFindings, figureFolderFindings } from './data-folder.ts';
import type { LabServers } from '../../sources/mcp/lab-servers.ts';
import { findingsOf, type Finding } from './finding.ts';
import { labServerFindings } from './lab-servers.ts';
import { modelFindings, type DoctorModels } from './models.ts';
import { mongoFindings } from './mongo.ts';
import { postgresFindings } from './postgres.ts';
import { sandboxFindings } from './sandbox.ts';
import { storageFindings } from './storage.ts';

/** Addresses of both stores. */
export type DoctorStores = { readonly postgresUrl: string; readonly mongoUri: string };

/** What to examine. A StartupError thrown by the functions becomes a finding. */
export type Patient = {
  readonly config: Config;
  /** Folder of the configuration files other than settings. */
  readonly configFolder: string;
  readonly openStores: () => Promise<DoctorStores>;
  readonly openModels: (settings: Settings) => Promise<DoctorModels>;
  readonly openLabServers: (settings: Settings) => LabServers;
  readonly sandbox: Pick<PythonSandbox, 'selfTests' | 'availability'>;
  readonly now: () => Date;
};

/** Yields findings one by one; a part that fails to open does not stop the others. */
export async function* examine(patient: Patient, signal: AbortSignal): AsyncGenerator<Finding, void> {
  const { config, sandbox, now } = patient;
  const parts: readonly (() => Promise<readonly Finding[]>)[] = [
    () => dataFolderFindings(config.dataDir),
    () => storesFindings(patient, now()),
    () => settingsFindings(patient, signal),
    () => configFileFindings(patient.configFolder),
    () => sandboxFindings(sandbox),
    () => figureFolderFindings(config.calibDataPath),
  ];
  for (const look of parts) {
    signal.throwIfAborted();
    yield* await look();
  }
}

async function storesFindings({ config, openStores }: Patient, now: Date): Promise<readonly Finding[]> {
  const opened = await openStores().catch(asFinding('embedded stores'));
  if ('message' in opened) return [opened];
  const { mongodbDb: database, project } = config;
  const settings = await readSettings(config.settingsFile).catch(asFinding('settings'));
  const datasources = 'message' in settings ? [] : settings.datasources;
  const [mongo, postgres] = await Promise.all([
    mongoFindings({ uri: opened.mongoUri, database, project, datasources }, now),
    postgresFindings(opened.postgresUrl, config.databaseConnections),
  ]);
  if ('message' in settings) return [...mongo, ...postgres]; // reported with the settings
  const storage = await storageFindings(opened.postgresUrl, config.dataDir, settings.retention);
  return [...mongo, ...postgres, ...storage];
}

async function settingsFindings(
  { config, openModels, openLabServers }: Patient,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  try {
    const settings = await readSettings(config.settingsFile);
    const live = config.liveSourceUrl === null ? 'not set: answers use stored values only' : 'set';
    return [
      limitsFinding(settings),
      calendarFinding(config.timeZone),
      findingsOf('live source').ok(`LIVE_SOURCE_URL is ${live}`),
      ...shortKeyWarnings(config.providers).map((message) =>
        findingsOf('models').warning(message, 'use a longer key, also for a server that accepts any'),
      ),
      ...(await modelFindings(await openModels(settings), signal)),
      ...(await labServerFindings(openLabServers(settings))),
    ];
  } catch (error) {
    return [asFinding('settings')(error)];
  }
}

function limitsFinding({ limits }: Settings): Finding {
  const { turn } = limits;
  const number = (count: number): string => count.toLocaleString('en');
  return findingsOf('limits').ok(
    `a turn: ${number(turn.tokens)} tokens, ${turn.rounds} rounds, ${turn.turnSeconds} s; a session: ${number(limits.sessionTokens)} tokens; a user: ${number(limits.userTokensPerDay)} tokens a day, a project ${number(limits.projectTokensPerDay)}; a user: ${limits.messagesPerMinute} messages a minute, ${limits.turnsPerUser} turns at once (${limits.turnsAtOnce} of all users; more wait in line)`,
  );
}

/** QDash keeps its time zone in its own environment, so no database has it. */
function calendarFinding(timeZone: string): Finding {
  const hint =
    timeZone === 'UTC' ? '; for the calendar of the lab set QPILOT_TIME_ZONE to the time zone of QDash' : '';
  return findingsOf('calendar').ok(`days are counted in ${timeZone}${hint}`);
}

/** A StartupError becomes a finding; anything else is a bug. */
function asFinding(area: string): (error: unknown) => Finding {
  return (error) => {
    if (!(error instanceof StartupError)) throw error;
    return findingsOf(area).problem(error.message, 'fix this, then run npm run doctor again');
  };
}
