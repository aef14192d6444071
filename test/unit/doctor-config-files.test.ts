import { appendFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { CONFIG_FOLDER } from '../../src/config/config-folder.ts';
import { configFileFindings } from '../../src/operations/doctor/config-files.ts';
import { readSettings } from '../../src/config/settings.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'qpilot-config-'));
  await cp(CONFIG_FOLDER, folder, { recursive: true });
});
afterEach(() => rm(folder, { recursive: true }));

const worse = async (): Promise<readonly string[]> =>
  (await configFileFindings(folder)).flatMap(({ status, message }) =>
    status === 'OK' ? [] : [`${status} ${message.replaceAll(folder, '')}`],
  );

/** Changes a file, so that the change stands on the line that is given back. */
async function change(name: string, from: RegExp, to: string): Promise<number> {
  const text = await readFile(join(folder, name), 'utf8');
  const changed = text.replace(from, to);
  expect(changed).not.toBe(text);
  await writeFile(join(folder, name), changed);
  return changed.slice(0, changed.indexOf(to)).split('\n').length;
}

test('the shipped files can all be used', async () => {
  expect(await worse()).toEqual([]);
  expect(await configFileFindings(folder)).toHaveLength(6);
});

test('each file that cannot be used is named, with the line and what would be right', async () => {
  const metric = await change('metrics.yaml', /direction: \w+/u, 'direction: sideways');
  const side = await change('topologies/square-lattice-mux-16.yaml', /side: \d+/u, 'side: 5');
  const severity = await change('task-knowledge/CheckT1.md', /- severity: \w+/u, '- severity: dreadful');
  await rm(join(folder, 'prompts/role.md'));
  await writeFile(join(folder, 'prompts/tools.md'), ' \n');
  await appendFile(join(folder, 'presets.yaml'), '\nNo Preset: {}\n');
  await writeFile(join(folder, 'experts/coder/config.yaml'), 'llm: [');
  const told = await worse();
  expect(told).toEqual([
    expect.stringMatching(
      new RegExp(
        `^PROBLEM /metrics.yaml cannot be used:\\n  line ${metric}, qubit.\\w+.direction: .*"higher"`,
        'u',
      ),
    ),
    expect.stringMatching(
      new RegExp(`^PROBLEM /topologies/square-lattice-mux-16.yaml cannot.*\\n  line ${side}, side: `, 'u'),
    ),
    expect.stringMatching(
      /^PROBLEM .*\n {2}\/prompts\/role\.md cannot be read.*\n {2}\/prompts\/tools\.md is empty/u,
    ),
    expect.stringMatching(/^PROBLEM \/presets\.yaml cannot be used:\n {2}line \d+, No Preset: /u),
    expect.stringMatching(
      new RegExp(
        `^WARNING /task-knowledge/CheckT1.md: line ${severity}, Failure modes, no. 1, severity: `,
        'u',
      ),
    ),
    expect.stringMatching(/^WARNING \/experts\/coder: config\.yaml line 1 is not YAML/u),
  ]);
});

test('settings are told with their line, too', async () => {
  const line = await change('qpilot.yaml', /rounds: \d+/u, 'rounds: many');
  await expect(readSettings(join(folder, 'qpilot.yaml'))).rejects.toThrow(
    `line ${line}, limits.turn.rounds: `,
  );
});
