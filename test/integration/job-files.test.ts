import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Viewer } from '../../src/domain/conversation/session.ts';
import { jobFileUrl } from '../../src/domain/jobs/job-file.ts';
import type { Job } from '../../src/domain/jobs/job.ts';
import { createLogger } from '../../src/base/log.ts';
import { createProjects } from '../../src/services/calibration/chips.ts';
import { createAccess, LOCAL_CALLER } from '../../src/services/members/access.ts';
import { respondWithJobFile } from '../../src/server/job-files.ts';
import { createJobFiles, type JobFiles } from '../../src/services/jobs/job-files.ts';
import { openWorkspace, workspaceFolder } from '../../src/workspace/workspace.ts';

const JOB = '0190a6c4-1f00-7000-8000-000000000001';
const FOREIGN = '0190a6c4-1f00-7000-8000-000000000002';
const viewer: Viewer = {
  id: 'local',
  name: 'local',
  projectId: 'demo',
  role: 'owner' as const,
  isOperator: true,
};

let folder: string;
let server: Server;
let files: JobFiles;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'qpilot-job-files-'));
  for (const id of [JOB, FOREIGN]) {
    const workspace = await openWorkspace(workspaceFolder(folder, id), { maxBytes: 1_000_000 });
    await workspace.write('report.md', '# Report\n', 'report');
    await workspace.write('data/T1 für Q07.csv', 'qid,t1\n', 'data');
    await workspace.write('page.html', '<script>alert(1)</script>', 'page');
  }
  await writeFile(join(folder, 'secret.txt'), 'secret');
  await symlink(join(folder, 'secret.txt'), join(folder, JOB, 'files/link.txt'));
  files = createJobFiles({
    folder,
    // Only the id matters here: whose a job is, the rows of jobs say.
    jobs: {
      byIds: async ({ projectId }, ids) =>
        ids.map((id) => (id === JOB && projectId === 'demo' ? ({ id } as Job) : null)),
    },
  });
  const projects = createProjects({ projects: async () => [{ projectId: 'other', name: 'other' }] }, 'demo');
  const access = createAccess({ projects, members: { projectsOf: async () => [] } });
  const identify = async () => LOCAL_CALLER;
  const deps = {
    services: { access, jobFiles: files },
    identify,
    rule: 'viewer: own' as const,
    log: createLogger('silent'),
  };
  server = createServer((request, response) => void respondWithJobFile(deps, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

const get = (path: string, method = 'GET') =>
  fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, { method });
const urlOf = (path: string, jobId = JOB, projectId = 'demo') => jobFileUrl({ projectId, jobId, path });

test('lists what a job made, and nothing for a job of others', async () => {
  expect((await files.list(viewer, JOB)).map(({ path }) => path)).toEqual([
    'data/T1 für Q07.csv',
    'page.html',
    'report.md',
  ]);
  expect(await files.list(viewer, FOREIGN)).toEqual([]);
  expect(await files.list({ ...viewer, projectId: 'other' }, JOB)).toEqual([]);
});

test.each([
  ['report.md', 'text/markdown; charset=utf-8', 'report.md'],
  ['data/T1 für Q07.csv', 'text/csv; charset=utf-8', 'T1%20f%C3%BCr%20Q07.csv'],
  ['page.html', 'application/octet-stream', 'page.html'],
])('sends %s as a download that no browser runs', async (path, type, name) => {
  const response = await get(urlOf(path));
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe(type);
  expect(response.headers.get('content-disposition')).toBe(`attachment; filename*=UTF-8''${name}`);
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  expect(response.headers.get('content-security-policy')).toContain('sandbox');
});

test.each([
  ['a file that is not there', urlOf('none.md')],
  ['a job of others', urlOf('report.md', FOREIGN)],
  ['the same job from another project', urlOf('report.md', JOB, 'other')],
  ['a project that is not there', urlOf('report.md', JOB, 'nowhere')],
  ['a path out of the workspace', `/job-files/demo/${JOB}/..%2F..%2F..%2Fsecret.txt`],
  ['the state of the job', `/job-files/demo/${JOB}/..%2Fstate%2Fplan.json`],
  ['an absolute path', `/job-files/demo/${JOB}/%2Fetc%2Fpasswd`],
  ['a link', urlOf('link.txt')],
  ['a broken escape', `/job-files/demo/${JOB}/%E0%A4%A`],
])('answers %s like a file that is not there', async (_what, path) => {
  const [response, unknown] = await Promise.all([get(path), get(urlOf('none.md'))]);
  expect(response.status).toBe(404);
  expect(await response.text()).toBe(await unknown.text());
});

test('takes no writes', async () => {
  expect((await get(urlOf('report.md'), 'POST')).status).toBe(405);
});
