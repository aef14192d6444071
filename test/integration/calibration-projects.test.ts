import { afterEach, describe, expect, test } from '@jest/globals';
import { chipDocument, openQdashDatabase, viewer } from '../support/qdash-database.ts';
import type { QdashDatabase } from '../support/qdash-database.ts';

let qdash: QdashDatabase;
afterEach(() => qdash.close());

const open = async (projectIds: readonly string[], configured: string | null = null) => {
  qdash = await openQdashDatabase(configured);
  if (projectIds.length > 0) {
    const rows = projectIds.map((project_id) => ({
      project_id,
      name: project_id.toUpperCase(),
      owner_username: 'rin',
    }));
    await qdash.db.collection('project').insertMany(rows);
  }
  return qdash.services;
};

describe('the project of a request', () => {
  test('is the only one, unless another is configured or asked for', async () => {
    const { projects } = await open(['p1']);
    expect(await projects.resolve(null)).toEqual({ projectId: 'p1', name: 'P1' });
    expect(await projects.list()).toEqual([{ projectId: 'p1', name: 'P1' }]);
    await expect(projects.resolve('p9')).rejects.toThrow('you have no project p9; yours: p1');
  });

  test('must be named where there are several and none is configured', async () => {
    const { projects } = await open(['p1', 'p2']);
    await expect(projects.resolve(null)).rejects.toThrow(
      'x-project-id: you have several projects; name one of p1, p2',
    );
    expect(await projects.resolve('p2')).toMatchObject({ projectId: 'p2' });
  });

  test('is the configured one where none is asked for, even before anything was imported into it', async () => {
    const { projects } = await open(['p1', 'p2'], 'lab');
    expect(await projects.resolve(null)).toEqual({ projectId: 'lab', name: 'lab' });
    expect(await projects.resolve('p2')).toMatchObject({ projectId: 'p2' });
  });

  test('of an empty database is the one that an import would make, and it has no chips', async () => {
    const { projects, chips } = await open([]);
    expect(await projects.resolve(null)).toEqual({ projectId: 'demo', name: 'demo' });
    expect([await chips.list(viewer), await chips.defaultChip(viewer)]).toEqual([[], null]);
    await expect(chips.get(viewer, 'any')).rejects.toThrow(
      'there is no chip any in project p1; chips here: none',
    );
  });
});

describe('chips of a project', () => {
  test('are listed newest installation first, and the default is the newest in use', async () => {
    const { chips } = await open(['p1']);
    await qdash.db
      .collection('chip')
      .insertMany([
        chipDocument('old', { installed_at: new Date('2024-01-01T00:00:00Z') }),
        chipDocument('away', { installed_at: new Date('2026-02-01T00:00:00Z'), activity_status: 'inactive' }),
        chipDocument('new', { installed_at: '2026-01-01T00:00:00+00:00' }),
        chipDocument('undated', { installed_at: null }),
      ]);
    expect((await chips.list(viewer)).map(({ chipId }) => chipId)).toEqual(['away', 'new', 'old', 'undated']);
    expect(await chips.defaultChip(viewer)).toMatchObject({ chipId: 'new', isActive: true });
  });
});
