/** The datasources of this server, by their settings and the addresses of the environment. */
import { readFile, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { InvalidInputError, StartupError } from '../../base/errors.ts';
import type { Datasource } from './datasource.ts';
import { createMongoSource, type MongoSource } from './mongo-source.ts';
import { createSqlSource, type SqlSource } from './sql-source.ts';

/** As the settings file has it; `uri` names the variable that holds the address. */
export type DatasourceSettings = Datasource & {
  readonly uri: string;
  /** Ids of the projects whose jobs may read it; undefined: the project's, while there is one only. */
  readonly projects?: 'all' | readonly string[] | undefined;
};

/** The datasources that jobs of a project may read; to it, others do not exist. */
export type DatasourcesOf = (projectId: string) => Promise<Datasources>;

/** Datasources and how they are reached; callers pass ids, and get readers that keep the address to themselves. */
export type Datasources = {
  /** In the order of the settings. */
  readonly all: readonly Datasource[];
  /** Null for an id that is not, or no longer, one of that type. */
  sql(id: string): SqlSource | null;
  mongodb(id: string): MongoSource | null;
  /** Text of a CSV file; null for an unknown id. @throws InvalidInputError where it cannot be read. */
  dataset(id: string): Promise<string | null>;
};

const SCHEMES = {
  sql: ['postgres:', 'postgresql:'],
  mongodb: ['mongodb:', 'mongodb+srv:'],
  dataset: ['file:'],
} as const;

const MAX_DATASET_BYTES = 20 * 1024 * 1024;

/**
 * @param uris addresses by the name of their variable
 * @throws StartupError naming a datasource if its variable is unset or is not an address of its type.
 */
export function createDatasources(
  settings: readonly DatasourceSettings[],
  uris: Readonly<Record<string, string>>,
): Datasources {
  const found = new Map(settings.map((source) => [source.id, { source, uri: uriOf(source, uris) }]));
  const find = (id: string, type: Datasource['type']) => {
    const known = found.get(id);
    return known?.source.type === type ? known : null;
  };
  return {
    all: settings.map(({ id, name, type, readOnly }) => ({ id, name, type, readOnly })),
    sql(id) {
      const known = find(id, 'sql');
      return known && createSqlSource(known.source.name, known.uri);
    },
    mongodb(id) {
      const known = find(id, 'mongodb');
      return known && createMongoSource(known.source.name, known.uri);
    },
    async dataset(id) {
      const known = find(id, 'dataset');
      return known && readDataset(known.source.name, known.uri);
    },
  };
}

/**
 * The datasources of each project. What belongs to a project is decided anew for each call, since a first import or a second
 * project changes it.
 * @throws StartupError as {@link createDatasources}
 */
export function datasourcesOfProjects(
  settings: readonly DatasourceSettings[],
  uris: Readonly<Record<string, string>>,
  listProjects: () => Promise<readonly unknown[]>,
): DatasourcesOf {
  createDatasources(settings, uris); // checks all addresses at the start
  return async (projectId) => {
    const isOnly =
      settings.some(({ projects }) => projects === undefined) && (await listProjects()).length <= 1;
    const open = settings.filter(
      ({ projects = isOnly ? 'all' : [] }) => projects === 'all' || projects.includes(projectId),
    );
    return createDatasources(open, uris);
  };
}

/**
 * What to write for datasources that no job can read, since the installation has several projects and they name none; null
 * where all is well.
 */
export function unboundDatasources(
  settings: readonly DatasourceSettings[],
  projectIds: readonly string[],
): { readonly message: string; readonly advice: string } | null {
  const unbound = settings.filter(({ projects }) => projects === undefined).map(({ id }) => id);
  if (unbound.length === 0 || projectIds.length <= 1) return null;
  return {
    message: `no job can read ${unbound.length === 1 ? 'the datasource' : 'the datasources'} ${unbound.join(', ')}: there are ${projectIds.length} projects, and it is not said whose they are`,
    advice: `under datasources of config/qpilot.yaml, give each of them projects: [${projectIds[0]}] or projects: all`,
  };
}

function uriOf({ id, type, uri }: DatasourceSettings, uris: Readonly<Record<string, string>>): string {
  const address = uris[uri];
  if (address === undefined) {
    throw new StartupError(
      `datasource ${id}: ${uri} is not set; set it to the address, or remove the datasource`,
    );
  }
  const schemes: readonly string[] = SCHEMES[type];
  if (!schemes.some((scheme) => address.startsWith(`${scheme}//`))) {
    throw new StartupError(
      `datasource ${id}: the address in ${uri} must begin with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`,
    );
  }
  return address;
}

async function readDataset(name: string, uri: string): Promise<string> {
  try {
    const file = fileURLToPath(uri);
    const { size } = await stat(file);
    if (size <= MAX_DATASET_BYTES) return await readFile(file, 'utf8');
  } catch {
    // Whatever keeps it from being read, its words name the path on the server.
    throw InvalidInputError.at(['datasource'], `${name} cannot be read`);
  }
  throw InvalidInputError.at(['datasource'], `${name} is larger than 20 MB`);
}
