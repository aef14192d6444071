import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { bareEnvironment } from '../support/bare-environment.ts';
import { createTestDatabase, createTestMongo } from '../support/databases.ts';
import { chipDocument, entityDocument, parameter, t1Result } from '../support/qdash-database.ts';

let env: Record<string, string>;
let drop: () => Promise<unknown>;
beforeAll(async () => {
  const [postgres, mongo] = await Promise.all([createTestDatabase(), createTestMongo()]);
  drop = () => Promise.all([postgres.drop(), mongo.drop()]);
  env = {
    ...bareEnvironment,
    DATA_DIR: tmpdir(),
    DATABASE_URL: postgres.url,
    MONGODB_URI: mongo.uri,
    MONGODB_DB: mongo.dbName,
  };
  const client = await MongoClient.connect(mongo.uri);
  const db = client.db(mongo.dbName);
  await db.collection('project').insertOne({ project_id: 'p1', name: 'One', owner_username: 'rin' });
  await db.collection('chip').insertOne(chipDocument('C1'));
  await db.collection('qubit').insertOne(entityDocument('C1', '0', { t1: parameter(40) }));
  await db
    .collection('task_result_history')
    .insertOne(t1Result('C1', '0', '2026-02-24T00:00:00Z', 40, { task_id: 'task-1' }));
  await client.close();
});
afterAll(() => drop());

const run = (...args: readonly string[]) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, ['src/operations/cli/prompt.ts', ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });

describe('npm run prompt', () => {
  test('prints each section with what it costs, those of a task result among them', async () => {
    const { code, stdout } = await run('--task', 'task-1', '--question', 'レビューしてください');
    expect(code).toBe(0);
    const sections = [...stdout.matchAll(/^── ([a-z-]+)(?: \S+)? \(\d+ tokens\)$/gmu)].map(([, id]) => id);
    expect(sections).toEqual(
      expect.arrayContaining(['role', 'task-knowledge', 'task-result', 'history', 'review']),
    );
    expect(stdout).toContain('Task result task-1: CheckT1 of Q00 on C1.');
    expect(stdout).toContain('Answer in Japanese');
    expect(stdout).toMatch(/^\d+ tokens in \d+ sections, \d+ tokens for \d+ tools, 0 images /mu);
  });

  test.each([
    [['--task', 'none'], 1, 'project p1 has no task result none'],
    [['--model', 'gpt-0'], 1, '--model gpt-0 is not configured; configured models: gpt-4.1,'],
    [['--colour', 'red'], 2, 'Usage: npm run prompt'],
  ])('says what is wrong with %j', async (args, code, words) => {
    const ended = await run(...args);
    expect([ended.code, ended.stderr]).toEqual([code, expect.stringContaining(words)]);
  });
});
