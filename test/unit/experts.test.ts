import { describe, expect, test } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { readExpertFolder, type ExpertFolder } from '../../src/experts/expert-folder.ts';
import { readGeneration } from '../../src/experts/expert-generation.ts';
import {
  TOOL_CATEGORIES,
  categoryAvailability,
  toolAvailability,
  type ToolSetup,
} from '../../src/experts/tool-categories.ts';
import { allJobTools, type JobToolDeps } from '../../src/agent/tools/job/job-tools.ts';

const SHIPPED = fileURLToPath(new URL('../../config/experts/', import.meta.url));

/** A folder with these experts: their `config.yaml`, or both files. */
function folder(
  experts: Readonly<Record<string, string | readonly [config: string, instructions: string]>>,
  {
    defaults = 'llm: {temperature: 0.5}',
    template = '# Template',
  }: { defaults?: string | null; template?: string | null } = {},
): ExpertFolder {
  return {
    defaults: { text: defaults },
    template: { text: template },
    experts: Object.entries(experts).map(([name, files]) => ({
      name,
      config: { text: typeof files === 'string' ? files : files[0] },
      instructions: { text: typeof files === 'string' ? null : files[1] },
    })),
  };
}

const read = (...given: Parameters<typeof folder>) => readGeneration(folder(...given)).experts;

describe('the shipped experts', () => {
  test('are four and the defaults, each whole, with words of its own and a task to fill in', async () => {
    const { experts, remarks } = readGeneration(await readExpertFolder(SHIPPED));
    expect([...experts.keys()].toSorted()).toEqual([
      'calibrator',
      'coder',
      'defaults',
      'researcher',
      'writer',
    ]);
    expect(remarks).toEqual([]);
    for (const expert of experts.values()) {
      expect(expert).toMatchObject({ loadError: null, isBuiltIn: true });
      expect(expert.instructionsSource).toBe(expert.expertId === 'defaults' ? 'TEMPLATE' : 'EXPERT');
      expect(expert.instructions.split(/^## /mu).at(-1)).toMatch(/^Task\n\n\S/u);
      expect(expert.tags.length).toBeGreaterThan(0);
    }
  });

  test('are told of no tool that their settings do not switch on', async () => {
    const { experts } = readGeneration(await readExpertFolder(SHIPPED));
    const known = TOOL_CATEGORIES.flatMap(({ tools }) => tools.map(({ name }) => name));
    for (const { expertId, instructions, resolution } of experts.values()) {
      const named = known.filter((name) => instructions.includes(`\`${name}\``));
      const on: readonly string[] = Object.values(resolution.config.tools).flat();
      expect({ expertId, off: named.filter((name) => !on.includes(name)) }).toEqual({ expertId, off: [] });
      expect(named.length).toBeGreaterThan(3);
    }
  });
});

describe('reading experts', () => {
  test('a broken file leaves every other expert as it is', () => {
    const good = read({ good: 'display_name: Good' }).get('good');
    const experts = read({ bad: 'llm: {temperature: hot}', worse: 'llm: [', good: 'display_name: Good' });
    expect(experts.get('good')).toEqual(good);
    expect(experts.get('bad')?.loadError).toBe('config.yaml llm.temperature must be a number from 0 to 2');
    expect(experts.get('worse')?.loadError).toMatch(/^config\.yaml line 1 is not YAML/u);
    expect(experts.get('bad')).toMatchObject({ displayName: 'Bad', instructions: '# Template' });
  });

  test('what is missing comes from the id, the tools and the template', () => {
    expect(
      read({ 't1-watch': 'tools: {notes: [get_calibration_notes], git: [git_log]}' }).get('t1-watch'),
    ).toMatchObject({
      displayName: 'T1 watch',
      description: 'Works with notes, history.',
      icon: 'user-cog',
      color: '#4c6ef5',
      tags: [],
      instructions: '# Template',
      instructionsSource: 'TEMPLATE',
    });
    const bare = read(
      { bare: 'tools: {notes: [get_calibration_notes, unknown_tool]}' },
      { template: ' \n' },
    ).get('bare')!;
    expect(bare.instructionsSource).toBe('GENERATED');
    expect(bare.instructions).toContain(
      'Notes: What people of the lab wrote about chips, qubits and results. (get_calibration_notes)',
    );
    expect(bare.instructions).toContain('## Task');
    expect(read({ blank: ['{}', '  \n'] }).get('blank')?.instructionsSource).toBe('TEMPLATE');
  });

  test('an expert lies over what it extends, and everything over the defaults', () => {
    const experts = read({
      base: '$extends: defaults\nllm: {model: m}\ntools: {notes: [get_calibration_notes]}',
      top: '$extends: base\ntools: {notes: null, git: [git_log]}',
    });
    const { config, sources } = experts.get('top')!.resolution;
    expect(config.llm).toMatchObject({ model: 'm', temperature: 0.5 });
    expect([config.tools.notes, config.tools.git]).toEqual([[], ['git_log']]);
    expect(sources).toContainEqual({ path: 'llm.model', layer: 'base' });
    expect(sources).toContainEqual({ path: 'tools.git', layer: 'top' });
  });

  test('a circle of $extends, one to nobody and one to a broken expert are refused, each with its way', () => {
    const experts = read({
      a: '$extends: b',
      b: '$extends: c',
      c: '$extends: a',
      self: '$extends: self',
      lost: '$extends: nobody',
      broken: 'llm: 3',
      child: '$extends: broken',
    });
    const errorOf = (id: string) => experts.get(id)?.loadError;
    expect(errorOf('a')).toBe('$extends goes in a circle: a, b, c, a');
    expect(errorOf('self')).toBe('$extends goes in a circle: self, self');
    expect(errorOf('lost')).toBe('$extends names nobody, which is not an expert of this server');
    expect(errorOf('child')).toBe('broken cannot be used: config.yaml llm must be an object of settings');
  });

  test('without usable defaults no expert can be used, and each says why', () => {
    const { experts, defaults } = readGeneration(
      folder({ one: '{}' }, { defaults: 'llm: {temperature: 9}' }),
    );
    expect(defaults).toBeNull();
    expect(experts.get('one')?.loadError).toBe(
      'defaults cannot be used: defaults.yaml llm.temperature must be from 0 to 2',
    );
    expect(read({}, { defaults: null }).get('defaults')?.loadError).toBe('defaults.yaml is missing');
  });

  test('keys, addresses and internals of a file reach nobody', () => {
    const { experts, remarks } = readGeneration(
      folder({
        leaky:
          'llm: {model: m, api_key: sk-planted-1, base_url: "http://u:planted-2@h"}\nconnections: {db: planted-3}\n$extends: defaults',
      }),
    );
    const { loadError, ...expert } = experts.get('leaky')!;
    expect(loadError).toBeNull();
    expect(JSON.stringify([expert, remarks])).not.toMatch(/planted|\$extends/u);
    expect(remarks).toEqual(
      expect.arrayContaining(['leaky: llm.api_key is not a setting', 'leaky: connections is not a setting']),
    );
  });

  test('a folder that is no id, or takes the name of the defaults, is passed over with a remark', () => {
    const { experts, remarks } = readGeneration(
      folder({ 'My Expert': '{}', '..x': '{}', defaults: '{}', ok: '{}' }),
    );
    expect([...experts.keys()].toSorted()).toEqual(['defaults', 'ok']);
    expect(remarks).toHaveLength(3);
  });

  test('files that cannot be read, or are too long, break their own expert only', () => {
    const base = folder({ long: ['{}', 'x'.repeat(200_001)], ok: '{}' });
    const locked = {
      name: 'locked',
      config: { problem: 'cannot be read (EACCES)' },
      instructions: { text: null },
    };
    const mute = { name: 'mute', config: { text: '{}' }, instructions: { problem: 'is not UTF-8 text' } };
    const dark = {
      name: 'dark',
      config: { text: 'display_name: "a\\e[31mb"' },
      instructions: { text: null },
    };
    const { experts } = readGeneration({ ...base, experts: [...base.experts, locked, mute, dark] });
    expect(experts.get('dark')?.loadError).toBe(
      'config.yaml display_name must be plain text without control characters',
    );
    expect(experts.get('long')?.loadError).toMatch(/instructions\.md has 200,001 bytes/u);
    expect(experts.get('locked')?.loadError).toBe('config.yaml cannot be read (EACCES)');
    expect(experts.get('mute')?.loadError).toBe('instructions.md is not UTF-8 text');
    expect(experts.get('ok')?.loadError).toBeNull();
  });

  test('the same files are the same generation; another letter is another one, and another expert', () => {
    const hash = (...given: Parameters<typeof folder>) => readGeneration(folder(...given)).hash;
    expect(hash({ a: '{}' })).toBe(hash({ a: '{}' }));
    expect(hash({ a: ['{}', 'x'] })).not.toBe(hash({ a: ['{}', 'y'] }));
    const hashOf = (text: string) => read({ a: ['{}', text], b: '{}' });
    expect(hashOf('x').get('b')?.contentHash).toBe(hashOf('y').get('b')?.contentHash);
    expect(hashOf('x').get('a')?.contentHash).not.toBe(hashOf('y').get('a')?.contentHash);
  });

  test('experts are in the order of their names', () => {
    const names = [
      ...read({ z: 'display_name: alpha', m: 'display_name: Beta', a: 'display_name: gamma' }).values(),
    ];
    expect(names.map(({ expertId }) => expertId)).toEqual(['z', 'm', 'defaults', 'a']);
  });
});

describe('tool categories', () => {
  const nothing: ToolSetup = {
    hasWebSearch: false,
    hasLiveSource: false,
    hasLabServers: false,
    datasources: new Set(),
  };
  const everything: ToolSetup = {
    hasWebSearch: true,
    hasLiveSource: true,
    hasLabServers: true,
    datasources: new Set(['sql', 'mongodb']),
  };
  const missing = (setup: ToolSetup) =>
    TOOL_CATEGORIES.filter((category) => !categoryAvailability(category, setup).available).map(
      ({ name }) => name,
    );

  test('that need something say so, and those without tools here are never available', () => {
    expect(missing(nothing)).toEqual(['research', 'coding', 'graph', 'sql', 'mongodb', 'mcp']);
    expect(missing(everything)).toEqual(['coding', 'graph']);
    const calibration = TOOL_CATEGORIES.find(({ name }) => name === 'calibration')!;
    const live = calibration.tools.find(({ name }) => name === 'verify_against_live')!;
    expect(toolAvailability(calibration, live, nothing)).toEqual({
      available: false,
      reason: 'needs LIVE_SOURCE_URL on the server',
    });
    expect(toolAvailability(calibration, live, everything)).toEqual({ available: true });
  });

  test('name every tool that a job may have, once, and no other', () => {
    // Tools are made, never run: what they would act on is not asked for.
    const deps = {
      workspace: {},
      web: {},
      hasLiveSource: true,
      datasources: { attached: [], types: ['sql', 'mongodb'] },
    } as unknown as JobToolDeps;
    // Those of the lab's servers are known only while these run.
    const ours = TOOL_CATEGORIES.filter(({ name }) => name !== 'mcp');
    const named = ours.flatMap(({ tools }) => tools.map(({ name }) => name));
    expect(named.toSorted()).toEqual(
      allJobTools(deps)
        .map(({ name }) => name)
        .toSorted(),
    );
    expect(new Set(named).size).toBe(named.length);
  });
});
