import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { DEFAULT_LIMITS } from '../src/limits.ts';
import { createPyodideEngine } from '../src/pyodide/engine.ts';
import { fetchWheels } from '../src/pyodide/fetch-wheels.ts';
import { sha256Of } from '../src/pyodide/sha256.ts';
import { readWheels } from '../src/pyodide/wheels.ts';
import { sandboxCacheDir } from './support/sandbox.ts';
import { stubWheel } from './support/stub-wheel.ts';

const VERSION = '2.0-stub';

/** Wheels that hold a line of Python each, in the place of the real ones, and the lock file that names them. */
const wheels = Object.fromEntries(
  ['numpy', 'pandas', 'scipy', 'six'].map((name) => {
    const info = `${name}-1.dist-info`;
    const files = {
      [`${name}/__init__.py`]: `__version__ = ${JSON.stringify(VERSION)}\n`,
      [`${info}/METADATA`]: `Metadata-Version: 2.1\nName: ${name}\nVersion: 1\n`,
      [`${info}/WHEEL`]: 'Wheel-Version: 1.0\nGenerator: stub\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
      [`${info}/RECORD`]: '',
    };
    return [name, { file: `${name}-1-py3-none-any.whl`, bytes: stubWheel(files) }];
  }),
);
const lockText = JSON.stringify({
  packages: Object.fromEntries(
    Object.entries(wheels).map(([name, { file, bytes }]) => [
      name,
      {
        name,
        version: '1',
        file_name: file,
        install_dir: 'site',
        package_type: 'package',
        sha256: sha256Of(bytes),
        imports: [name],
        depends: name === 'pandas' ? ['numpy', 'six'] : [],
        unvendored_tests: false,
      },
    ]),
  ),
});

let folder = '';
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'qpilot-wheels-'))));
afterEach(() => rm(folder, { recursive: true }));

const put = (...names: string[]) =>
  Promise.all(names.map((name) => writeFile(join(folder, wheels[name]!.file), wheels[name]!.bytes)));

describe('a folder of wheels', () => {
  test('gives the libraries that are there with all that they need, and names what lacks', async () => {
    await put('numpy', 'pandas');
    const { libraries, packages, problems } = await readWheels(folder, lockText);
    expect(libraries).toEqual(['numpy']);
    expect(Object.keys(packages)).toEqual(['numpy']);
    expect(problems).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/six-1-py3-none-any\.whl is missing; npm run sandbox-wheels fetches it$/),
        expect.stringMatching(/scipy-1/),
      ]),
    );
  });

  test('with another file under the right name does not give the library', async () => {
    await put('scipy');
    await writeFile(join(folder, wheels['numpy']!.file), stubWheel({ 'numpy/__init__.py': 'evil = 1' }));
    const { libraries, problems } = await readWheels(folder, lockText);
    expect(libraries).toEqual(['scipy']);
    expect(problems.join()).toMatch(
      /numpy-1\S+ is not the file that Pyodide's lock file names: its SHA-256 is/,
    );
  });
});

describe('the Pyodide engine', () => {
  test('imports what the folder gives, and says of the rest what to use instead', async () => {
    await put('numpy', 'six', 'pandas');
    const lockPath = join(folder, 'lock.json');
    await writeFile(lockPath, lockText);
    const engine = createPyodideEngine({
      cacheDir: sandboxCacheDir,
      limits: DEFAULT_LIMITS,
      requireNamespaces: false,
      namespaces: 'auto',
      wheelsDir: folder,
      lockPath,
    });
    await engine.prepare();
    expect(engine.modules()).toEqual(expect.arrayContaining(['math', 'numpy', 'pandas']));
    expect(engine.modules()).not.toContain('scipy');
    expect(engine.remarks()).toEqual([expect.stringMatching(/scipy/)]);
    const code = 'import numpy, pandas\nprint(numpy.__version__, pandas.__version__)\nimport scipy';
    const process = engine.start();
    try {
      await process.ready;
      expect(JSON.parse(await process.run({ code, dataJson: '{}' }, () => {}))).toMatchObject({
        output: `${VERSION} ${VERSION}\n`,
        error: expect.stringContaining("'scipy' is not installed on this server"),
      });
      const { ok, walls } = await engine.selfTest();
      expect(walls.filter((wall) => !wall.ok)).toEqual([]);
      expect(ok).toBe(true);
    } finally {
      process.kill();
      await process.exited;
    }
  });

  test('refuses a folder that is not there', async () => {
    const wheelsDir = join(folder, 'nowhere');
    const options = { cacheDir: sandboxCacheDir, limits: DEFAULT_LIMITS, requireNamespaces: false } as const;
    const engine = createPyodideEngine({ ...options, namespaces: 'auto', wheelsDir });
    await expect(engine.prepare()).rejects.toThrow(
      `PYODIDE_WHEELS_DIR: the folder ${wheelsDir} does not exist`,
    );
  });
});

describe('fetching', () => {
  const served = new Map(Object.values(wheels).map(({ file, bytes }) => [`/${file}`, bytes]));
  const server = createServer((request, response) => {
    const bytes = served.get(request.url ?? '');
    response.writeHead(bytes ? 200 : 404).end(bytes);
  });
  beforeEach(() => once(server.listen(0, '127.0.0.1'), 'listening'));
  afterEach(() => once(server.close(), 'close'));

  const fetchAll = async (fetched: string[] = []) => {
    const from = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const onFile = (file: string, wasFetched: boolean) => void (wasFetched && fetched.push(file));
    await fetchWheels({ from, folder, lockText, onFile }, new AbortController().signal);
    return fetched;
  };

  test('fills the folder once', async () => {
    await put('six');
    expect((await fetchAll()).toSorted()).toEqual(
      ['numpy', 'pandas', 'scipy'].map((name) => wheels[name]!.file),
    );
    expect((await readWheels(folder, lockText)).problems).toEqual([]);
    expect(await fetchAll()).toEqual([]);
  });

  test('lets nothing in that differs from the lock file, and says what it was', async () => {
    served.set(`/${wheels['scipy']!.file}`, Buffer.from('something else'));
    await expect(fetchAll()).rejects.toThrow(/scipy-1\S+ is not the file that Pyodide's lock file names/);
    served.delete(`/${wheels['scipy']!.file}`);
    await expect(fetchAll()).rejects.toThrow(/scipy-1\S+ answered with HTTP status 404/);
    expect(await readdir(folder)).not.toContain(wheels['scipy']!.file);
  });
});

test('the lock file of the pinned Pyodide names every library', async () => {
  const path = new URL(import.meta.resolve('pyodide/pyodide-lock.json'));
  const { problems } = await readWheels(folder, await readFile(path, 'utf8'));
  expect(problems.length).toBeGreaterThanOrEqual(3);
});
