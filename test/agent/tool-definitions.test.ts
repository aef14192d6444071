/** What a definition says beside the tool itself: pages, settings and documents are made from it. */
import { describe, expect, test } from '@jest/globals';
import { strictSchema } from '../../src/agent/tool-schema.ts';
import { allJobTools, type JobToolDeps } from '../../src/agent/tools/job/job-tools.ts';
import { openDatasources } from '../../src/agent/tools/job/datasources.ts';
import { TOOL_CATALOGUE } from '../../src/domain/tool-catalogue.ts';
import { createDatasources } from '../../src/sources/databases/datasources.ts';
import { everyTool } from '../support/tool-bench.ts';

// Definitions only close over what they act on; nothing is run here.
const deps = { web: {}, datasources: openDatasources([], createDatasources([], {})) };
const chat = everyTool.names.flatMap((name) => everyTool.get(name) ?? []);
const tools = [...chat, ...allJobTools(deps as unknown as JobToolDeps)].filter(
  ({ name }, at, all) => all.findIndex((other) => other.name === name) === at,
);

describe('the definition', () => {
  test.each(tools.map((tool) => [tool.name, tool] as const))(
    'of %s has an example that its own arguments take',
    (_name, tool) => {
      if (typeof tool.example === 'function') return;
      const properties = Object.keys(strictSchema(tool)['properties'] as object);
      const nothing = Object.fromEntries(properties.map((property) => [property, null]));
      expect(tool.args.safeParse({ ...nothing, ...tool.example }).error?.issues ?? []).toEqual([]);
      expect(properties).toEqual(expect.arrayContaining(Object.keys(tool.example)));
    },
  );

  test('of Python analysis takes code and nothing else', () => {
    const tool = tools.find(({ name }) => name === 'execute_python_analysis');
    expect(Object.keys(strictSchema(tool!)['properties'] as object)).toEqual(['code']);
  });

  test('of every tool is in the catalogue, once', () => {
    const names: readonly string[] = TOOL_CATALOGUE.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(tools.map(({ name }) => name)));
    expect(new Set(names).size).toBe(names.length);
  });
});
