import { mkdtemp, mkdir, readFile, readdir, rm, symlink, writeFile, appendFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { withEnding, withPhase, withTodoDone } from '../../src/workspace/job-plan.ts';
import { workspacePath } from '../../src/workspace/workspace-path.ts';
import { openWorkspace, type Workspace } from '../../src/workspace/workspace.ts';

describe('a path in a workspace', () => {
  test.each([
    ['/etc/passwd', 'absolute'],
    ['~/.ssh/id_rsa', 'absolute'],
    ['C:/Windows/system.ini', 'absolute'],
    ['../other-job/files/report.md', '..'],
    ['data/../../x', '..'],
    ['data/./x', 'holds .'],
    ['a\0.md', 'NUL'],
    ['data\\x.csv', 'backslash'],
    ['.hidden', 'dot'],
    ['data//x', 'empty part'],
    ['', 'empty part'],
    ['.', 'holds .'],
    ['./', 'empty part'],
    ['..', '..'],
    ['data/', 'empty part'],
    ['ａ\uFF0Fx', 'character other than'],
    ['../\u0000', 'NUL'],
    ['CON', 'device'],
    ['data/nul.txt', 'device'],
    ['report.md ', 'space'],
    ['report.', 'dot'],
    ['a\u202Etxt.md', 'character other than'],
    ['report:stream', 'character other than'],
    ['what?.md', 'character other than'],
    [`${'a'.repeat(81)}.md`, 'more than 80'],
    ['a/b/c/d/e/f/g.md', 'folders deep'],
  ])('%j is refused, with what would be right', (given, why) => {
    expect(() => workspacePath(given)).toThrow(why);
    expect(() => workspacePath(given)).toThrow('such as report.md');
  });

  test('is one spelling of what means the same', () => {
    expect(workspacePath('./data/Messung für Q07 (T1).csv')).toBe('data/Messung für Q07 (T1).csv');
    expect(workspacePath('cafe\u0301.md')).toBe('café.md');
  });
});

describe('a workspace', () => {
  let folder = '';
  let workspace: Workspace;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'qpilot-workspace-'));
    workspace = await openWorkspace(join(folder, 'job'), { maxBytes: 20_000 });
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  const inFiles = (name: string): string => join(folder, 'job/files', name);

  test('gives back what was written, and lists it', async () => {
    await workspace.write('data/t1.csv', 'qid,t1\n0,71.2\n', 'first rows');
    expect(await workspace.readText('./data/t1.csv')).toBe('qid,t1\n0,71.2\n');
    expect(await workspace.list()).toMatchObject([{ path: 'data/t1.csv', sizeBytes: 14 }]);
    await expect(workspace.read('t1.csv')).rejects.toThrow('it has data/t1.csv');
  });

  test('follows no link, neither to a file nor through a folder, and replaces none', async () => {
    const outside = join(folder, 'outside');
    await mkdir(outside);
    await writeFile(join(outside, 'secret.txt'), 'secret');
    await symlink(join(outside, 'secret.txt'), inFiles('notes.md'));
    await symlink(outside, inFiles('data'));
    await symlink(join(outside, 'new.txt'), inFiles('dangling.md'));
    await expect(workspace.read('notes.md')).rejects.toThrow('is a link');
    await expect(workspace.read('data/secret.txt')).rejects.toThrow('no folder');
    for (const path of ['notes.md', 'data/new.txt', 'dangling.md']) {
      await expect(workspace.write(path, 'x', 'try')).rejects.toThrow(/link|no folder/);
    }
    expect(await workspace.list()).toEqual([]);
    expect(await readdir(outside)).toEqual(['secret.txt']);
    expect(await readFile(join(outside, 'secret.txt'), 'utf8')).toBe('secret');
  });

  test('refuses names that some file systems take for one', async () => {
    await workspace.write('Report.md', 'a', 'first');
    await expect(workspace.write('report.md', 'b', 'second')).rejects.toThrow('by case only');
    await expect(workspace.write('INSTRUCTIONS.md', 'x', 'try')).rejects.toThrow('by QPilot alone');
    await expect(workspace.write('plan.md', 'x', 'try')).rejects.toThrow('by QPilot alone');
    await workspace.write('data/t1.csv', 'a', 'third');
    await workspace.write('straße.md', 'b', 'fourth');
    for (const path of ['Data/t2.csv', 'DATA', 'data/T1.csv', 'REPORT.md/x.csv']) {
      await expect(workspace.write(path, 'b', 'try')).rejects.toThrow('by case only');
    }
    await expect(workspace.write('STRASSE.md', 'b', 'try')).rejects.toThrow('by case only');
  });

  test('has no file where a folder is, no folder where a file is, and no version of what was refused', async () => {
    await workspace.write('data/t1.csv', 'a', 'first');
    const before = await workspace.versions.list();
    await expect(workspace.write('data', 'b', 'try')).rejects.toThrow('is a folder');
    await expect(workspace.write('data/t1.csv/x', 'b', 'try')).rejects.toThrow('no folder');
    await expect(workspace.read('data')).rejects.toThrow('is not a file');
    expect(await workspace.versions.list()).toEqual(before);
  });

  test('takes the longest names that it allows, in any script', async () => {
    const path = `${'測'.repeat(80)}/${'t'.repeat(77)}.md`;
    await workspace.write(path, 'a', 'first');
    expect(await workspace.readText(path)).toBe('a');
  });

  test('does changes that come at once one after another', async () => {
    const pages = Array.from({ length: 12 }, (_, at) => ({
      url: `https://example.org/${at}`,
      title: `Page ${at}`,
      readAt: '2026-05-01T00:00:00.000Z',
    }));
    const source = (at: number) => ({ kind: 'RECORD', source: `task-${at}`, title: 'T1', at: null }) as const;
    await Promise.all(
      pages.map(async (page, at) => {
        await workspace.addPages([page]);
        await workspace.cite(source(at));
        await workspace.write(`new/${at}.md`, String(at), 'at once');
      }),
    );
    const numbers = (each: readonly { readonly number: number }[]) =>
      each.map(({ number }) => number).toSorted((a, b) => a - b);
    const all = pages.map((_, at) => at + 1);
    expect((await workspace.pages()).length).toBe(pages.length);
    expect(numbers(await workspace.citations())).toEqual(all);
    expect(numbers(await workspace.versions.list())).toEqual(all);
  });

  test('refuses a write past its quota before a byte of it is on disk, history counted', async () => {
    await workspace.write('a.txt', 'x'.repeat(8_000), 'first');
    await expect(workspace.write('b.txt', 'y'.repeat(3_000), 'second')).rejects.toThrow('may have 0.02 MB');
    expect(await readdir(join(folder, 'job/files'))).toEqual(['a.txt']);
    expect((await workspace.versions.list()).map(({ path }) => path)).toEqual(['a.txt']);
    await workspace.write('c.txt', 'z'.repeat(1_000), 'third');
  });

  test('keeps what text files held before, each change once', async () => {
    await workspace.write('report.md', 'one\n', 'began');
    await workspace.write('report.md', 'one\n', 'the same again');
    await workspace.write('report.md', 'two\n', 'went on');
    await workspace.write('plot.png', Buffer.from([0x89, 0, 1]), 'a picture');
    const versions = await workspace.versions.list();
    expect(versions.map(({ number, path, what }) => [number, path, what])).toEqual([
      [1, 'report.md', 'began'],
      [2, 'report.md', 'went on'],
      [3, 'plot.png', 'a picture'],
    ]);
    expect(await Promise.all(versions.map((each) => workspace.versions.text(each)))).toEqual([
      'one\n',
      'two\n',
      null,
    ]);
  });

  test('is what it was for the worker that takes the job over, half a line in its history included', async () => {
    await workspace.writeInstructions('Find the drift.');
    await workspace.savePlan(
      withTodoDone(withPhase(await workspace.plan(), 1, 'look', ['a', 'b']), 1, 'seen'),
    );
    const cited = await workspace.cite({ kind: 'RECORD', source: 'task-1', title: 'T1 of Q07', at: null });
    await appendFile(join(folder, 'job/versions/versions.jsonl'), '\n{"number": 3, "pa');
    await writeFile(inFiles('.unfinished-1'), 'torn');

    const next = await openWorkspace(join(folder, 'job'), { maxBytes: 20_000 });
    expect(await next.plan()).toEqual(await workspace.plan());
    expect(await next.readText('plan.md')).toContain('- [x] 1. a — seen\n- [ ] 2. b');
    expect(await next.cite({ kind: 'RECORD', source: 'task-1', title: 'again', at: null })).toEqual(cited);
    expect((await next.list()).map(({ path }) => path)).toEqual(['instructions.md', 'plan.md']);
    expect(await readdir(join(folder, 'job/files'))).not.toContain('.unfinished-1');
    await next.write('report.md', 'done', 'report');
    expect((await next.versions.list()).at(-1)).toMatchObject({ number: 3, path: 'report.md' });
  });
});

describe('a plan', () => {
  const planned = withPhase({ phases: [], ending: null }, 1, 'look', ['a', 'b']);

  test('goes on to the next phase, and ends as finished, only when no to-do is open', () => {
    expect(() => withPhase(planned, 3, 'again', ['c'])).toThrow('1. a; 2. b');
    const finished = { how: 'FINISHED', report: 'report.md', summary: 'done' } as const;
    expect(() => withEnding(planned, finished)).toThrow('before you finish the job');
    const done = withTodoDone(withTodoDone(planned, 2, 'y'), 1, 'x');
    expect(withPhase(done, 3, 'again', ['c']).phases[1]?.todos).toEqual([{ id: 3, text: 'c', result: null }]);
    expect(() => withPhase(withEnding(done, finished), 3, 'more', ['d'])).toThrow('has ended already');
  });

  test('takes the later word of a planning phase that lost its worker', () => {
    const again = withPhase(planned, 1, 'look closer', ['c']);
    expect(again.phases).toEqual([
      { plannedIn: 1, goal: 'look closer', todos: [{ id: 1, text: 'c', result: null }] },
    ]);
  });

  test('completes each to-do once', () => {
    expect(() => withTodoDone(withTodoDone(planned, 1, 'x'), 1, 'y')).toThrow('open are 2');
    expect(() => withTodoDone(planned, 7, 'y')).toThrow('open are 1, 2');
  });

  test('may ask for a review with to-dos open', () => {
    const asked = withEnding(planned, { how: 'REVIEW', report: null, question: 'Which cool-down?' });
    expect(asked.ending?.how).toBe('REVIEW');
  });
});
