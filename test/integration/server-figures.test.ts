import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { figureUrl } from '../../src/domain/records/figure.ts';
import type { RunningServer } from '../../src/server/http.ts';
import { createFigures } from '../../src/services/calibration/figures.ts';
import { createFigureFiles } from '../../src/stores/figure-files.ts';
import { post, send } from '../support/graphql-client.ts';
import { chipDocument, openQdashDatabase, t1Result } from '../support/qdash-database.ts';
import type { QdashDatabase } from '../support/qdash-database.ts';
import { startTestServer } from '../support/start-test-server.ts';

const PNG = '\x89PNG\r\n\x1a\n the rest';
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const CONTAINER = '/app/calib_data';
const DAY = '2026-02-24T02:00:00Z';

let folder: string;
let qdash: QdashDatabase;
let server: RunningServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'qpilot-figures-'));
  const calib = join(folder, 'calib');
  await mkdir(join(calib, 'run 1'), { recursive: true });
  await mkdir(join(folder, 'calib-of-others'));
  await writeFile(join(calib, 'run 1/t1_raw.png'), PNG, 'latin1');
  await writeFile(join(calib, 'named.png'), SVG);
  await writeFile(join(calib, 'photo.dat'), '\xff\xd8\xff rest', 'latin1');
  await writeFile(join(folder, 'secret.png'), PNG, 'latin1');
  await writeFile(join(folder, 'calib-of-others/fig.png'), PNG, 'latin1');
  await symlink(join(folder, 'secret.png'), join(calib, 'link.png'));
  await symlink(folder, join(calib, 'up'));
  await symlink('run 1/t1_raw.png', join(calib, 'inner.png'));

  qdash = await openQdashDatabase();
  const { db, services } = qdash;
  await db.collection('project').insertMany([
    { project_id: 'p1', name: 'One', owner_username: 'rin' },
    { project_id: 'p2', name: 'Two', owner_username: 'rin' },
  ]);
  await db.collection('chip').insertOne(chipDocument('C1'));
  const paths = Object.values(FIGURES).map(([path]) => path.replace('$CALIB', calib));
  await db
    .collection('task_result_history')
    .insertMany([
      t1Result('C1', '0', DAY, 40, { task_id: 'mine', figure_path: paths }),
      t1Result('C1', '0', DAY, 40, { task_id: 'theirs', project_id: 'p2', figure_path: paths }),
      t1Result('C1', '0', DAY, 40, { task_id: 'old' }),
    ]);
  const figures = createFigures({ taskResults: services.taskResults, files: createFigureFiles(calib) });
  server = await startTestServer({ ...services, figures });
});
afterAll(async () => {
  await server.close();
  await qdash.close();
  await rm(folder, { recursive: true });
});

/** Stored path and what it is answered with. */
const FIGURES: Readonly<Record<string, readonly [path: string, status: number, type?: string]>> = {
  'a path of the container': [`${CONTAINER}/run 1/t1_raw.png`, 200, 'image/png'],
  'a path of this machine inside the folder': ['$CALIB/run 1/t1_raw.png', 200, 'image/png'],
  'a link that stays inside': [`${CONTAINER}/inner.png`, 200, 'image/png'],
  'a JPEG by another name': [`${CONTAINER}/photo.dat`, 200, 'image/jpeg'],
  'an SVG by the name of a PNG': [`${CONTAINER}/named.png`, 415],
  'a folder': [`${CONTAINER}/run 1`, 415],
  'a file that is not there': [`${CONTAINER}/gone.png`, 404],
  'a name with a NUL': [`${CONTAINER}/a\0.png`, 404],
  'a path that climbs out': [`${CONTAINER}/../secret.png`, 403],
  'a relative path that climbs out': ['../secret.png', 403],
  'a path that climbs out of this machine’s folder': ['$CALIB/../secret.png', 403],
  'a folder whose name begins alike': ['$CALIB-of-others/fig.png', 403],
  'a container folder whose name begins alike': [`${CONTAINER}-of-others/fig.png`, 403],
  'a link to a file outside': [`${CONTAINER}/link.png`, 403],
  'a path through a link to a folder outside': [`${CONTAINER}/up/secret.png`, 403],
  'a path of the system': ['/etc/hostname', 403],
  'a path outside that does not exist': ['/nowhere/at/all.png', 403],
};
const NAMES = Object.keys(FIGURES);

const get = (figure: { projectId?: string; taskId?: string; index: number }, method = 'GET') =>
  send(server.url + figureUrl({ projectId: 'p1', taskId: 'mine', ...figure }), { method });

describe('L2: the file of a figure', () => {
  test.each(NAMES.map((name, index) => [name, index] as const))('%s', async (name, index) => {
    const [, status, type] = FIGURES[name]!;
    const answer = await get({ index });
    expect(answer.status).toBe(status);
    if (type) expect(answer.headers['content-type']).toBe(type);
    else expect(answer.body).not.toContain(folder);
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
  });
});

test('a figure is only there for the project of its result', async () => {
  const unknown = await get({ taskId: 'never', index: 0 });
  expect(unknown.status).toBe(404);
  for (const figure of [
    { taskId: 'theirs', index: 0 },
    { projectId: 'p2', index: 0 },
    { projectId: 'p9', index: 0 },
    { index: NAMES.length },
  ]) {
    expect(await get(figure)).toMatchObject({ status: 404, body: unknown.body });
  }
  expect(await get({ projectId: 'p2', taskId: 'theirs', index: 0 })).toMatchObject({ status: 200 });
});

test('figures are read by GET and HEAD, from pages of this server only', async () => {
  expect(await get({ index: 0 }, 'HEAD')).toMatchObject({ status: 200, body: '' });
  expect(await get({ index: 0 }, 'POST')).toMatchObject({ status: 405 });
  const url = server.url + figureUrl({ projectId: 'p1', taskId: 'mine', index: 0 });
  const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' };
  expect(await send(url, { headers })).toMatchObject({ status: 403 });
});

test('GraphQL lists figures with labels and addresses that can be opened', async () => {
  const { data } = await post(
    server.url,
    '{ mine: taskResult(taskId: "mine") { figures { label url } } old: taskResult(taskId: "old") { figures { url } } }',
    { headers: { 'x-project-id': 'p1' } },
  );
  const { mine, old } = data as Record<string, { figures: { label: string; url: string }[] }>;
  expect(old!.figures).toEqual([]);
  expect(mine!.figures).toHaveLength(NAMES.length);
  expect(mine!.figures[0]!.label).toBe('raw');
  expect(await send(server.url + mine!.figures[0]!.url, {})).toMatchObject({ status: 200 });
});

test('without a folder of calibration files there are no figures', async () => {
  const figures = createFigures({ taskResults: qdash.services.taskResults, files: null });
  const viewer = { id: 'local', name: 'local', projectId: 'p1', role: 'owner' as const, isOperator: true };
  const [result] = await qdash.services.taskResults.getMany(viewer, ['mine']);
  expect(figures.list(result!)).toEqual([]);
  expect(await figures.read(viewer, { taskId: 'mine', index: 0 })).toEqual({ kind: 'MISSING' });
});
