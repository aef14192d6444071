/** Which project an address is of that names none. */
import { describe, expect, test } from '@jest/globals';
import { findIn, resolveOldLink, type Find } from '../../client/app/old-links.ts';
import type { Me } from '../../client/lib/auth/auth.ts';
import { projectIn, sameIn } from '../../client/lib/graphql/project.ts';

const projectsOf = (...ids: readonly string[]) =>
  ids.map((projectId) => ({ projectId, name: projectId, role: 'viewer' }));
const meIn = (ids: readonly string[], usual: string | null = null): Me => ({
  mode: 'none',
  person: null,
  projects: projectsOf(...ids),
  usual,
});
/** Is in these; elsewhere it is refused, or null. */
const thingIn =
  (...ids: readonly string[]): Find =>
  async (projectId) => {
    if (ids.includes(projectId)) return { thing: { id: '1' } };
    if (projectId.length % 2 === 0) throw new Error('NOT_FOUND');
    return { thing: null, other: { __typename: 'NotFoundError', code: 'NOT_FOUND', message: '' } };
  };
const opened = async (
  me: Me,
  thing: Find | null,
  last: string | null,
): Promise<string | readonly string[]> => {
  const link = await resolveOldLink(me, thing, last);
  return 'among' in link ? link.among.map(({ projectId }) => projectId) : link.projectId;
};

describe('an address that names no project', () => {
  test.each<[string, Me, Find | null, string | null, string | readonly string[]]>([
    ['is of the only project', meIn(['a']), thingIn(), null, 'a'],
    ['of none in particular is of the last one', meIn(['a', 'b']), null, 'b', 'b'],
    ['is asked for where no last one is known', meIn(['a', 'b']), null, null, ['a', 'b']],
    ['is asked for where the last one is theirs no more', meIn(['a', 'b']), null, 'gone', ['a', 'b']],
    ['is of the usual one of the server before it is asked for', meIn(['a', 'b'], 'b'), null, null, 'b'],
    ['is of the only one that has it', meIn(['a', 'b', 'cc']), thingIn('cc'), 'a', 'cc'],
    ['is of the last one if that has it, too', meIn(['a', 'b', 'cc']), thingIn('a', 'cc'), 'a', 'a'],
    ['is chosen among those that have it', meIn(['a', 'b', 'cc']), thingIn('b', 'cc'), 'a', ['b', 'cc']],
    ['is of the last one if none has it', meIn(['a', 'b']), thingIn(), 'a', 'a'],
    ['is found among more than are asked at once', meIn('abcdefghij'.split('')), thingIn('j'), 'a', 'j'],
  ])('%s', async (_name, me, thing, last, expected) => {
    expect(await opened(me, thing, last)).toEqual(expected);
  });

  test.each([
    '/chips/C1',
    '/chips/C1/qubits/7?parameter=t1#x',
    '/chips/C1/couplings/4-1',
    '/compare?a=x&b=C1',
    '/copilot/Q1?turn=T',
    '/jobs/J1',
    '/jobs/new?from=J1',
    '/boards/B1?wall',
    '/records/r-1',
    '/answers/k',
    '/shared/k',
  ])('%s shows something that a project may have', (address) => {
    expect(findIn(address)).not.toBeNull();
  });

  test.each(['/', '/chips', '/jobs/new', '/alerts?rule=x', '/settings/audit', '/boards', '/chips/%E0%A4%A'])(
    '%s is in every project',
    (address) => {
      expect(findIn(address)).toBeNull();
    },
  );
});

describe('an address of a project', () => {
  test.each([
    ['/projects/demo', 'demo', ''],
    ['/projects/demo/chips/projects/x', 'demo', '/chips/projects/x'],
    [`/projects/${encodeURIComponent('量子/ラボ.2 %')}/chips`, '量子/ラボ.2 %', '/chips'],
  ])('%s names it', (pathname, projectId, path) => {
    expect(projectIn(pathname)).toMatchObject({ projectId, path });
    expect(sameIn(projectId, path)).toContain(pathname.split('/').slice(0, 3).join('/'));
  });

  test.each(['/', '/projects', '/projects/', '/chips/projects/demo', '/projects/%E0%A4%A/chips'])(
    '%s names none',
    (pathname) => {
      expect(projectIn(pathname)).toBeNull();
    },
  );

  test.each([
    ['/chips/C1/qubits/3', '/projects/b/chips'],
    ['/alerts', '/projects/b/alerts'],
    ['/answers/key', '/projects/b/chips'],
    ['/boards/id', '/projects/b/boards'],
    ['', '/projects/b/chips'],
  ])('%s is left for the same page of another, where that has it', (path, expected) => {
    expect(sameIn('b', path)).toBe(expected);
  });
});
