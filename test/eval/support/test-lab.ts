import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLab, type Lab } from '../lab.ts';
import { withResources, type ResourceStack } from '../../../src/base/resource-stack.ts';
import { createTestDatabase, createTestMongo } from '../../support/databases.ts';
import { hasSharedData, sharedPath } from '../../support/shared-data.ts';

/** The lab of the eval, on databases of one test file. */
export type TestLab = Lab;

/** Opens it, with real devices where the shared inputs are there; `env` is for the models. */
export function openTestLab(
  env: Readonly<Record<string, string>> = {},
  tokens = 1_000_000,
): Promise<TestLab> {
  return withResources((resources) => openParts(env, tokens, resources));
}

async function openParts(
  env: Readonly<Record<string, string>>,
  tokens: number,
  resources: ResourceStack,
): Promise<TestLab> {
  const [database, mongo, dataDir] = await Promise.all([
    createTestDatabase(),
    createTestMongo({ large: true }),
    mkdtemp(join(tmpdir(), 'qpilot-eval-')),
  ]);
  resources.defer(async () => {
    await Promise.all([database.drop(), mongo.drop(), rm(dataDir, { recursive: true, force: true })]);
  });
  const lab = await openLab({
    place: { mongoUri: mongo.uri, mongoDb: mongo.dbName, databaseUrl: database.url, dataDir },
    env: { NODE_ENV: 'test', ...env },
    devicesFolder: hasSharedData ? sharedPath('data/ibm-backends') : null,
    tokens,
    signal: new AbortController().signal,
  });
  resources.defer(() => lab.close());
  const parts = resources.move();
  return { ...lab, close: () => parts.closeAll() };
}
