import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { rowText, type ToolRow } from '../../src/operations/tool-table/tool-table.ts';
import { bareEnvironment } from '../support/bare-environment.ts';
import { everyTool } from '../support/tool-bench.ts';

type Printed = {
  readonly tokens: { readonly prompt: number; readonly tools: number };
  readonly tools: ToolRow[];
};

let printed: Printed;
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'qpilot-tools-'));
  const env = { ...bareEnvironment, DATA_DIR: dataDir };
  const stdout = await new Promise<string>((resolve, reject) => {
    const options = { env, maxBuffer: 16 * 1024 * 1024 };
    execFile(process.execPath, ['src/operations/cli/tools.ts', '--json'], options, (error, text) =>
      error ? reject(error) : resolve(text),
    );
  });
  printed = JSON.parse(stdout) as Printed;
});
afterAll(() => rm(dataDir, { recursive: true }));

describe('npm run tools', () => {
  test('has a good answer to an example of every tool', () => {
    const failed = printed.tools.filter(({ example }) => example.status !== 'OK');
    expect(failed.map(({ name, example }) => `${name}: ${example.summary}`)).toEqual([]);
    expect(printed.tools.map(({ name }) => name)).toEqual(everyTool.names);
    const poor = printed.tools.filter(({ example }) =>
      /: none|no results|^No |0\.0000 /.test(example.summary),
    );
    expect(poor.map(({ name }) => name)).toEqual([]);
  });

  test('says what tools and prompt cost', () => {
    const { prompt, tools } = printed.tokens;
    const each = printed.tools.map(({ tokens }) => tokens).reduce((sum, tokens) => sum + tokens, 0);
    expect(Math.abs(each - tools)).toBeLessThan(printed.tools.length);
    expect(prompt).toBeGreaterThan(500);
  });

  test('shows arguments with their types', () => {
    const row = printed.tools.find(({ name }) => name === 'rank_qubits')!;
    const text = rowText(row);
    expect(text).toContain('    order: "best" | "worst" | "highest" | "lowest"\n');
    expect(text).toContain('    count: integer | null – null for 5\n');
    expect(text).toContain('  < The 5 worst T1 of 64 qubits on demo-64:');
  });
});
