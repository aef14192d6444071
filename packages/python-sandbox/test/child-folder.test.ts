import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { DEFAULT_LIMITS } from '../src/limits.ts';
import { ensureChildFolder } from '../src/pyodide/child-folder.ts';
import { createPyodideEngine } from '../src/pyodide/engine.ts';
import { removeUnusedFolders } from '../src/pyodide/folder-use.ts';
import { ensureSnapshot } from '../src/pyodide/snapshot-cache.ts';
import { isIntactSnapshot, packSnapshot } from '../src/pyodide/snapshot-file.ts';

let cacheDir = '';
beforeEach(async () => (cacheDir = await mkdtemp(join(tmpdir(), 'qpilot-child-folder-'))));
afterEach(() => rm(cacheDir, { recursive: true }));

/** Paths of all that lies below a folder. */
const below = async (folder: string) => (await readdir(folder, { recursive: true })).toSorted();

describe('the folder that Pyodide processes read', () => {
  test('has copies that are mended where they differ from what was installed, by two servers at once as well', async () => {
    const both = await Promise.all([1, 2].map(() => ensureChildFolder(cacheDir, 'a')));
    const [{ path, assets }] = both as [Awaited<ReturnType<typeof ensureChildFolder>>];
    expect(both[1]!.path).toBe(path);
    const names = await below(path);
    const [program, asset] = [
      join(assets.ownFolder, 'realm-boot.js'),
      join(assets.pyodideFolder, 'pyodide.js'),
    ];
    const before = await Promise.all([program, asset].map((file) => readFile(file)));
    await writeFile(program, 'throw new Error("another program")');
    await rm(asset);
    await Promise.all([1, 2].map(() => ensureChildFolder(cacheDir, 'a')));
    expect(await Promise.all([program, asset].map((file) => readFile(file)))).toEqual(before);
    expect(await below(path)).toEqual(names);
  });

  test('is another one for another Node, whose snapshot would not fit', async () => {
    const [first, second] = await Promise.all(
      ['a', 'b'].map((version) => ensureChildFolder(cacheDir, version)),
    );
    expect(second!.path).not.toBe(first!.path);
    const folders = (await readdir(cacheDir)).filter((name) => !name.endsWith('.lock'));
    expect(folders).toHaveLength(2);
  });

  test('is removed a week after its last use has begun, unless a process uses it still', async () => {
    const [kept, old, young] = await Promise.all(
      ['kept', 'old', 'young'].map((version) => ensureChildFolder(cacheDir, version)),
    );
    old!.use.release();
    young!.use.release();
    const longAgo = new Date(Date.now() - 8 * 24 * 3600 * 1000);
    for (const { path } of [kept!, old!]) await utimes(`${path}.lock`, longAgo, longAgo);
    const left = async () => (await readdir(cacheDir)).filter((name) => !name.endsWith('.lock')).toSorted();
    const namesOf = (...folders: { readonly path: string }[]) =>
      folders.map(({ path }) => basename(path)).toSorted();
    await Promise.all([removeUnusedFolders(cacheDir), removeUnusedFolders(cacheDir)]);
    expect(await left()).toEqual(namesOf(kept!, young!));
    kept!.use.release();
    const again = await ensureChildFolder(cacheDir, 'old');
    await removeUnusedFolders(cacheDir);
    expect(await left()).toEqual(namesOf(young!, again));
  });

  test('is kept while another process uses it, and until that one is killed', async () => {
    const { path, use } = await ensureChildFolder(cacheDir, 'a');
    use.release();
    const folderUse = new URL('../src/pyodide/folder-use.ts', import.meta.url).href;
    const program = `await (await import(${JSON.stringify(folderUse)})).useFolder(${JSON.stringify(path)});
      setInterval(() => undefined, 1000); process.stdout.write('used');`;
    const other = spawn(process.execPath, ['--input-type=module', '-e', program]);
    await once(other.stdout, 'data');
    const longAgo = new Date(0);
    await utimes(`${path}.lock`, longAgo, longAgo);
    await removeUnusedFolders(cacheDir);
    expect(await readdir(cacheDir)).toContain(basename(path));
    other.kill('SIGKILL');
    await once(other, 'close');
    await removeUnusedFolders(cacheDir);
    expect(await readdir(cacheDir)).toEqual([`${basename(path)}.lock`]);
  });
});

describe('a snapshot', () => {
  const whole = packSnapshot(Buffer.alloc(100_000, 'x'), [Buffer.from('cache')]);
  let made = 0;
  const ensure = () =>
    ensureSnapshot(join(cacheDir, 'snapshot'), async () => {
      made++;
      return await Promise.resolve(whole);
    });
  beforeEach(() => {
    made = 0;
  });

  test('is made once, by two servers at once as well, and again where it is damaged', async () => {
    await Promise.all([ensure(), ensure()]);
    made = 0;
    await ensure();
    expect(made).toBe(0);
    for (const damage of [
      () => truncate(join(cacheDir, 'snapshot'), 50_000),
      () => writeFile(join(cacheDir, 'snapshot'), Buffer.from(whole).fill('y', 600, 601)),
      () => rm(join(cacheDir, 'snapshot')),
    ]) {
      made = 0;
      await damage();
      await ensure();
      expect(made).toBe(1);
      expect(isIntactSnapshot(await readFile(join(cacheDir, 'snapshot')))).toBe(true);
    }
    expect(await readdir(cacheDir)).toEqual(['snapshot']);
  });

  test('that V8 does not take only makes a start slower', async () => {
    const options = { cacheDir, limits: DEFAULT_LIMITS, requireNamespaces: false, wheelsDir: null } as const;
    const engine = createPyodideEngine({ ...options, namespaces: 'auto' });
    await engine.prepare();
    const [snapshot] = (await below(cacheDir)).filter((name) => basename(name) === 'snapshot');
    await writeFile(join(cacheDir, snapshot!), whole);
    await engine.prepare();
    expect(await readFile(join(cacheDir, snapshot!))).toEqual(whole);
    const warm = engine.start();
    try {
      await warm.ready;
      expect(await warm.run({ code: 'print(1)', dataJson: '{}' }, () => {})).toContain('"output": "1\\n"');
    } finally {
      warm.kill();
      await warm.exited;
    }
  });

  test('that cannot be made leaves nothing behind', async () => {
    const failing = ensureSnapshot(join(cacheDir, 'snapshot'), () => Promise.reject(new Error('no memory')));
    await expect(failing).rejects.toThrow('no memory');
    expect(await readdir(cacheDir)).toEqual([]);
  });
});
