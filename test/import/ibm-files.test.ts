import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { readIbmSnapshots } from '../../src/import/ibm-files.ts';
import { describeWithSharedData, sharedPath } from '../support/shared-data.ts';
import { NOW } from './ibm-snapshots.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'qpilot-ibm-files-'));
});
afterEach(() => rm(folder, { recursive: true }));

const file = async (name: string, content: object): Promise<string> => {
  const path = join(folder, name);
  await writeFile(path, JSON.stringify(content));
  return path;
};
/** Properties and configuration carry a mark of their snapshot, so that a wrong pair shows. */
const props = (name: string, day: string, device = 'ibm_a') =>
  file(name, {
    backend_name: device,
    backend_version: `1.${day.slice(8)}`,
    last_update_date: `${day}T00:00:00Z`,
    qubits: [[], []],
  });
const conf = (name: string, day: string, device = 'ibm_a') =>
  file(name, {
    backend_name: device,
    backend_version: `1.${day.slice(8)}`,
    n_qubits: 2,
    online_date: `${day}T00:00:00Z`,
  });

/** Day of the properties, and of the configuration that was put beside them. */
const paired = async (paths: readonly string[]) =>
  (await readIbmSnapshots(paths, NOW)).map(({ properties, configuration }) => [
    properties.last_update_date.slice(0, 10),
    configuration.online_date?.slice(0, 10),
  ]);

const [FIRST, SECOND] = ['2026-01-02', '2026-01-03'];

describe('files are paired', () => {
  test.each([
    ['by their names', ['props_a.1.json', 'props_a.2.json', 'conf_a.1.json', 'conf_a.2.json']],
    ['by the days in their names', ['a_20260102_props.json', 'x.json', 'conf 2026-01-02', 'conf 2026-01-03']],
    ['by their versions', ['p.json', 'q.json', 'r.json', 's.json']],
  ])('%s, oldest first, in whatever order they are given', async (_how, [p1, p2, c1, c2]) => {
    const paths = [
      await conf(c2!, SECOND!),
      await props(p2!, SECOND!),
      await props(p1!, FIRST!),
      await conf(c1!, FIRST!),
    ];
    const expected = [
      [FIRST, FIRST],
      [SECOND, SECOND],
    ];
    expect(await paired(paths)).toEqual(expected);
    expect(await paired(paths.toReversed())).toEqual(expected);
  });

  test('by device', async () => {
    const paths = [
      await conf('1', FIRST!, 'ibm_b'),
      await props('2', SECOND!, 'ibm_c'),
      await conf('3', SECOND!, 'ibm_c'),
      await props('4', FIRST!, 'ibm_b'),
    ];
    expect(await paired(paths)).toEqual([
      [FIRST, FIRST],
      [SECOND, SECOND],
    ]);
  });

  test('with the only configuration of their device, if its name ties it to no single snapshot', async () => {
    const paths = [
      await props('props_a.1.json', FIRST!),
      await props('props_a.2.json', SECOND!),
      await conf('conf_a.json', FIRST!),
    ];
    expect(await paired(paths)).toEqual([
      [FIRST, FIRST],
      [SECOND, FIRST],
    ]);
  });

  test('once, if a file is given twice', async () => {
    const paths = [await props('p', FIRST!), await conf('c', FIRST!)];
    expect(await paired([...paths, ...paths])).toEqual([[FIRST, FIRST]]);
  });
});

describe('an incomplete pair is an error that names what is missing', () => {
  test.each([
    ['no configuration', ['props_a.1.json'], [], /ibm_a has properties \(.*props_a\.1\.json\) and no conf/],
    ['no properties', [], ['conf_a.1.json'], /ibm_a has configuration \(.*conf_a\.1\.json\) and no prop/],
    [
      'one configuration too few',
      ['props_a.1.json', 'props_a.2.json'],
      ['conf_a.1.json'],
      /props_a\.2\.json has no configuration\. Name the two files of a snapshot alike/,
    ],
    [
      'one configuration too many',
      ['props_a.1.json'],
      ['conf_a.1.json', 'conf_a.2.json'],
      /conf_a\.2\.json has no properties/,
    ],
  ])('%s', async (_what, propertiesFiles, configurationFiles, message) => {
    const paths = [
      ...(await Promise.all(propertiesFiles.map((name) => props(name, FIRST!)))),
      ...(await Promise.all(configurationFiles.map((name) => conf(name, FIRST!)))),
    ];
    await expect(readIbmSnapshots(paths, NOW)).rejects.toThrow(message);
  });

  test('no files at all', async () => {
    await expect(readIbmSnapshots([], NOW)).rejects.toThrow(/give the files of a device/);
  });
});

describeWithSharedData('the files of real devices', () => {
  const NAMES = [
    'props_fez.2025-01-22',
    'props_fez.2025-02-26',
    'conf_fez.2025-01-22',
    'conf_fez.2025-02-26',
  ];

  test('are read compressed and with byte order marks, too', async () => {
    const paths = await Promise.all(
      NAMES.map(async (name, index) => {
        const source = sharedPath(`data/ibm-history/${name}.json`);
        const path = join(folder, index % 2 === 0 ? `${name}.json.gz` : `${name}.json`);
        if (index === 1) await writeFile(path, `\uFEFF${await readFile(source, 'utf8')}`);
        else if (index === 3) await copyFile(source, path);
        else await writeFile(path, gzipSync(await readFile(source)));
        return path;
      }),
    );
    const plain = await readIbmSnapshots(
      NAMES.map((name) => sharedPath(`data/ibm-history/${name}.json`)),
      NOW,
    );
    expect(paths.map((path) => basename(path))).toContain('props_fez.2025-01-22.json.gz');
    expect(await readIbmSnapshots(paths, NOW)).toEqual(plain);
  });
});
