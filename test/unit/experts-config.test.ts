import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { computeOverride } from '../../src/domain/artifacts/config-merge.ts';
import { InvalidInputError } from '../../src/base/errors.ts';
import { checkLayer } from '../../src/experts/config-layer.ts';
import { readConfigYaml } from '../../src/experts/config-yaml.ts';
import type { ConfigLayer } from '../../src/experts/expert.ts';
import {
  BUILT_IN_LAYER,
  resolveConfig,
  resolveJobConfig,
  overrideOfEdited,
} from '../../src/experts/resolve-config.ts';
import { CATEGORY_RULES, TOOL_CATEGORY_NAMES } from '../../src/experts/tool-categories.ts';

const defaults: ConfigLayer = {
  name: 'defaults',
  config: { llm: { temperature: 0.1 }, tools: { calibration: ['rank_qubits', 'find_outliers'], notes: [] } },
};
const expert: ConfigLayer = {
  name: 'mine',
  config: { llm: { model: 'gpt-4.1', reasoning_level: 'low' }, tools: { research: ['web_search'] } },
};

const problemsOf = (work: () => unknown): string[] => {
  try {
    work();
  } catch (error) {
    if (error instanceof InvalidInputError) {
      return error.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
    }
    throw error;
  }
  return [];
};

describe('a layer of settings', () => {
  test.each<[string, unknown, string]>([
    ['a temperature below 0', { llm: { temperature: -1 } }, 'llm.temperature must be from 0 to 2'],
    ['a temperature above 2', { llm: { temperature: 2.01 } }, 'llm.temperature must be from 0 to 2'],
    [
      'a temperature in words',
      { llm: { temperature: '0.2' } },
      'llm.temperature must be a number from 0 to 2',
    ],
    ['no number', { llm: { temperature: NaN } }, 'llm.temperature must be a number from 0 to 2'],
    [
      'an unknown level',
      { llm: { reasoning_level: 'HIGH' } },
      'llm.reasoning_level must be one of none, low, medium, high',
    ],
    ['a blank model', { llm: { model: '  ' } }, 'llm.model must not be blank'],
    [
      'a model in two lines',
      { llm: { model: 'a\nb' } },
      'llm.model must be the name of a model, in one line',
    ],
    ['an unknown setting', { temperature: 1 }, 'temperature is not a setting; there are llm and tools'],
    ['an unknown setting of llm', { llm: { base_url: 'x' } }, 'llm.base_url is not a setting of llm'],
    [
      'an unknown category',
      { tools: { shell: [] } },
      'tools.shell is not a tool category; there are workspace, core',
    ],
    ['a category that is no list', { tools: { notes: 'all' } }, 'tools.notes must be a list of tool names'],
    ['a tool that is no name', { tools: { notes: ['rm -rf'] } }, 'tools.notes.0 must be the name of a tool'],
    ['a locked category switched off', { tools: { core: [] } }, 'tools.core is part of every job'],
    ['a locked category taken away', { tools: { workspace: null } }, 'tools.workspace is part of every job'],
    ['a list', [], ' must be an object with llm, tools, or both'],
    ['a word', 'fast', ' must be an object with llm, tools, or both'],
    ['a setting that is no object', { llm: 3 }, 'llm must be an object of settings'],
    ['__proto__', JSON.parse('{"llm":{"__proto__":{"temperature":9}}}'), 'llm.__proto__ is not a setting'],
    ['constructor', { constructor: { prototype: 1 } }, 'constructor is not a setting'],
    [
      'more than 64 kB',
      { tools: { notes: Array.from({ length: 101 }, (_, at) => `t${at}`) } },
      'tools.notes must have at most 100 tools',
    ],
  ])('with %s is refused, with its path', (_what, override, problem) => {
    const problems = problemsOf(() => resolveJobConfig({ layers: [], uploadedYaml: null, override }));
    expect(problems).toEqual([
      expect.stringContaining(`input.configOverride${problem === problem.trimStart() ? '.' : ''}${problem}`),
    ]);
  });

  test('tells all of its problems at once', () => {
    const override = { llm: { temperature: 3, reasoning_level: 'x' }, tools: { nope: [] }, more: 1 };
    expect(problemsOf(() => resolveJobConfig({ layers: [], uploadedYaml: null, override }))).toHaveLength(4);
  });

  test('in a file loses what nobody knows, and says so without a value', () => {
    const checked = checkLayer(
      { llm: { model: 'm', base_url: 'http://u:secret@host', api_key: 'sk-1' }, connections: { db: 'x' } },
      'IGNORE',
    );
    expect(checked).toEqual({
      config: { llm: { model: 'm' } },
      ignored: expect.arrayContaining(['llm.base_url', 'llm.api_key', 'connections']),
    });
  });

  test('keeps null, which takes a setting away, and says a locked category only in full', () => {
    const core = CATEGORY_RULES.find(({ name }) => name === 'core')!.tools;
    const config = { llm: { model: null }, tools: { core: [...core].toReversed(), notes: null } };
    expect(checkLayer(config, 'REFUSE')).toEqual({ config, ignored: [] });
  });
});

describe('resolving settings', () => {
  test('fills in every value and names the layer of each', () => {
    const { config, sources, warnings } = resolveConfig([defaults, expert]);
    expect(config.llm).toEqual({ model: 'gpt-4.1', temperature: 0.1, reasoning_level: 'low' });
    expect(config.tools).toMatchObject({
      calibration: ['rank_qubits', 'find_outliers'],
      research: ['web_search'],
      sql: [],
    });
    expect(Object.keys(config.tools)).toEqual(TOOL_CATEGORY_NAMES);
    expect(config.tools.core).toEqual(CATEGORY_RULES.find(({ name }) => name === 'core')?.tools);
    expect(Object.fromEntries(sources.map(({ path, layer }) => [path, layer]))).toMatchObject({
      'llm.model': 'mine',
      'llm.temperature': 'defaults',
      'tools.calibration': 'defaults',
      'tools.research': 'mine',
      'tools.sql': BUILT_IN_LAYER,
      'tools.core': BUILT_IN_LAYER,
    });
    expect(warnings).toEqual([]);
  });

  test('without any layer is temperature 0, much reasoning and the locked categories', () => {
    const { config } = resolveConfig([]);
    expect(config.llm).toEqual({ temperature: 0, reasoning_level: 'high' });
    const on = Object.entries(config.tools).filter(([, tools]) => tools.length > 0);
    expect(on.map(([name]) => name)).toEqual(['workspace', 'core']);
  });

  test('null takes away what lies below: a model, a temperature, a category, all tools', () => {
    const layer = (config: ConfigLayer['config']) =>
      resolveConfig([defaults, expert, { name: 'top', config }]);
    expect(layer({ llm: { model: null } }).config.llm).toEqual({ temperature: 0.1, reasoning_level: 'low' });
    const cleared = layer({ llm: { temperature: null } });
    expect(cleared.config.llm.temperature).toBe(0);
    expect(cleared.sources).toContainEqual({ path: 'llm.temperature', layer: BUILT_IN_LAYER });
    expect(layer({ tools: { calibration: null } }).config.tools.calibration).toEqual([]);
    expect(layer({ tools: null }).config.tools).toEqual(resolveConfig([]).config.tools);
  });

  test('keeps tools that do not exist here, with a warning', () => {
    const { config, warnings } = resolveConfig([
      { name: 'x', config: { tools: { git: ['git_log', 'git_push'] } } },
    ]);
    expect(config.tools.git).toEqual(['git_log', 'git_push']);
    expect(warnings).toEqual(['tools.git: git_push cannot be used here.']);
  });

  test('an override computed from two whole configurations leads from one to the other', () => {
    const tools = fc.dictionary(
      fc.constantFrom('calibration', 'notes', 'git', 'research'),
      fc.uniqueArray(fc.constantFrom('a', 'b', 'c')),
    );
    const llm = fc.record(
      {
        model: fc.constantFrom('m', 'n'),
        temperature: fc.constantFrom(0, 0.5, 2),
        reasoning_level: fc.constantFrom('none', 'high'),
      },
      { requiredKeys: [] },
    );
    const layer = fc.record({ llm, tools }).map((config) => ({ name: 'x', config }) as ConfigLayer);
    fc.assert(
      fc.property(layer, layer, (one, other) => {
        const base = resolveConfig([defaults, one]).config;
        const edited = resolveConfig([defaults, other]).config;
        const job = resolveJobConfig({
          layers: [defaults, one],
          uploadedYaml: null,
          override: computeOverride(base, edited),
        });
        expect(job.config).toEqual(edited);
      }),
    );
  });
});

describe('the settings of a job', () => {
  const parts = [
    { name: 'defaults', temperature: 0.1 },
    { name: 'expert', temperature: 0.2 },
    { name: 'upload', temperature: 0.3 },
    { name: 'override', temperature: 0.4 },
  ] as const;
  const combinations = Array.from({ length: 16 }, (_, bits) => parts.filter((_part, at) => bits & (1 << at)));

  test.each(
    combinations.map((given) => [given.map(({ name }) => name).join(', ') || 'nothing', given] as const),
  )('come from the strongest of: %s', (_names, given) => {
    const of = (name: string) => given.find((part) => part.name === name);
    const layerOf = (name: string): ConfigLayer[] => {
      const part = of(name);
      return part ? [{ name, config: { llm: { temperature: part.temperature } } }] : [];
    };
    const upload = of('upload');
    const override = of('override');
    const { config, sources } = resolveJobConfig({
      layers: [...layerOf('defaults'), ...layerOf('expert')],
      uploadedYaml: upload ? `llm:\n  temperature: ${upload.temperature}\n` : null,
      override: override ? { llm: { temperature: override.temperature } } : null,
    });
    const strongest = given.at(-1) ?? { name: BUILT_IN_LAYER, temperature: 0 };
    expect(config.llm.temperature).toBe(strongest.temperature);
    expect(sources).toContainEqual({ path: 'llm.temperature', layer: strongest.name });
  });

  test('problems of the upload and of the override are told together, each under its input', () => {
    const problems = problemsOf(() =>
      resolveJobConfig({ layers: [], uploadedYaml: 'llm: {temperature: 5}', override: { x: 1 } }),
    );
    expect(problems).toEqual([
      'input.configUploadId.llm.temperature must be from 0 to 2',
      'input.configOverride.x is not a setting; there are llm and tools',
    ]);
  });

  test.each([
    ['broken YAML, without quoting it', 'llm: [secret-word', 'line 1 is not YAML'],
    ['a key twice', 'llm: {}\nllm: {}\n', 'line 2 is not YAML (duplicate key)'],
    ['several documents', 'llm: {}\n---\ntools: {}\n', 'is not YAML'],
    ['unknown aliases', 'llm: *nothing', 'has aliases that cannot be followed'],
    ['a list', '- llm', 'must be an object'],
    ['more text than settings can have', '{' + 'a,'.repeat(40_000), 'has 80001 characters; at most 20000'],
    ['values that JSON has not', '%YAML 1.1\n---\nllm: !!set {a}', 'declares YAML 1.1'],
    ['brackets without end', '['.repeat(20_000), 'line 1 is not YAML'],
    ['tabs as indent', 'llm:\n\ttemperature: 1', 'line 2 is not YAML (tab as indent)'],
    ['no number', 'llm: {temperature: .nan}', 'must be a number from 0 to 2'],
    ['a way into a prototype', 'llm: {__proto__: {temperature: 1}}', '__proto__ is not a setting of llm'],
  ])('refuse an upload with %s', (_what, yaml, problem) => {
    const [said, ...others] = problemsOf(() =>
      resolveJobConfig({ layers: [], uploadedYaml: yaml, override: null }),
    );
    expect(said).toMatch(/^input\.configUploadId/);
    expect(said).toContain(problem);
    expect(said).not.toContain('secret-word');
    expect(others).toEqual([]);
  });

  test('an empty upload changes nothing, and line ends and a byte order mark are no matter', () => {
    expect(readConfigYaml('\uFEFFllm:\r\n  temperature: 1\r\n')).toEqual({
      value: { llm: { temperature: 1 } },
    });
    expect(readConfigYaml('# nothing\n')).toEqual({ value: {} });
    expect(resolveJobConfig({ layers: [defaults], uploadedYaml: '', override: null }).config).toEqual(
      resolveConfig([defaults]).config,
    );
  });

  test('an upload whose aliases unfold without end is refused', () => {
    const levels = Array.from(
      { length: 12 },
      (_, at) => `a${at + 1}: &a${at + 1} [${'*a0,'.replaceAll('0', String(at)).repeat(9)}]`,
    );
    expect(readConfigYaml(['a0: &a0 [x]', ...levels].join('\n'))).toEqual({
      problem: 'has aliases that cannot be followed',
    });
  });
});

describe('settings that were edited with the builder', () => {
  const { config } = resolveConfig([defaults, expert]);

  test('leave what they do not name as the expert has it', () => {
    expect(overrideOfEdited(config, { llm: { temperature: 0.9 } })).toEqual({ llm: { temperature: 0.9 } });
    expect(overrideOfEdited(config, { tools: { research: [] } })).toEqual({ tools: { research: [] } });
    expect(overrideOfEdited(config, {})).toEqual({});
  });

  test('take away what a whole view leaves out', () => {
    const { model: _model, ...llm } = config.llm;
    expect(overrideOfEdited(config, { ...config, llm })).toEqual({ llm: { model: null } });
    expect(overrideOfEdited(config, config)).toEqual({});
  });
});
