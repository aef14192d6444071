import { describe, expect, test } from '@jest/globals';
import { estimateTokens } from '../../src/domain/tokens.ts';
import { chatPrompt, promptText, readPromptTexts } from '../../src/agent/prompt.ts';
import { createToolRegistry } from '../../src/agent/tool-registry.ts';
import { ALL_TOOLS } from '../../src/agent/tools/all-tools.ts';
import { readSettings } from '../../src/settings.ts';
import { shippedMetrics } from '../support/catalogue.ts';

const packages = ['math', 'statistics', 'json', 'numpy', 'pandas', 'scipy', 'datetime', 'collections', 're'];
const registry = createToolRegistry(ALL_TOOLS, packages);

describe('What every request of copilot chat carries', () => {
  test('prompt and all tool schemas together stay under 6,000 tokens, by a high estimate', async () => {
    const prompt = promptText(
      chatPrompt(await readPromptTexts(), {
        responseLanguage: 'ja',
        thinkingLanguage: 'en',
        metrics: shippedMetrics.metrics,
        selectedChipId: 'a-chip-with-a-long-name',
        chip: {
          chipId: 'a-chip-with-a-long-name',
          size: 1024,
          topologyId: 'square-lattice-mux-1024',
          layoutType: 'grid',
        },
        qubit: { qid: '1023', label: 'Q1023' },
        projectId: 'project',
        datasets: [],
        now: new Date('2026-03-04T05:06:07Z'),
      }),
    );
    expect(estimateTokens(prompt) + estimateTokens(JSON.stringify(registry.schemas))).toBeLessThan(6000);
  });

  test.each(registry.schemas.map((schema) => [schema.name, schema] as const))(
    'A1: %s says what it does, in words of its own',
    (name, { description }) => {
      expect(description.length).toBeGreaterThan(30);
      expect(description.length).toBeLessThan(900);
      expect(registry.schemas.filter((other) => other.description === description)).toHaveLength(1);
      expect(name).toMatch(/^[a-z][a-z_]{2,63}$/);
    },
  );

  test('limits on calls of one tool point to a tool that there is', async () => {
    const { limits } = await readSettings();
    for (const { hint } of Object.values(limits.turn.toolCalls)) {
      const named = hint.match(/[a-z]+(_[a-z]+)+/g) ?? [];
      expect(named.length).toBeGreaterThan(0);
      for (const tool of named) expect(registry.names).toContain(tool);
    }
  });
});
