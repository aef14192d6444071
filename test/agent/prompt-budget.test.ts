import { describe, expect, test } from '@jest/globals';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { promptText } from '../../src/agent/prompt/prompt-section.ts';
import { readPromptTexts } from '../../src/agent/prompt/prompt-texts.ts';
import { chatPrompt } from '../../src/agent/prompt/prompt.ts';
import { createToolRegistry } from '../../src/agent/tool-registry.ts';
import { estimateTokens } from '../../src/domain/conversation/tokens.ts';
import { readSettings } from '../../src/config/settings.ts';
import { promptContext } from '../support/prompt-context.ts';
import { everyTool } from '../support/tool-bench.ts';

// Those of the sandbox; the description of a tool names them.
const packages =
  'bisect calendar cmath collections copy csv dataclasses datetime decimal enum fractions functools heapq io itertools json math numbers operator random re statistics string textwrap time typing';
const registry = createToolRegistry(
  everyTool.names.map((name) => everyTool.get(name)!),
  () => packages.split(' '),
);

/** The longest prompt that settings and a chip can make, but for what comes on top by rule: history and uploads. */
const longestPrompt = async (): Promise<string> =>
  promptText(
    chatPrompt(
      await readPromptTexts(),
      promptContext({
        question: 'T1は?',
        thinkingLanguage: 'en',
        selectedChipId: 'a-chip-with-a-long-name',
        chip: {
          chipId: 'a-chip-with-a-long-name',
          size: 1024,
          topologyId: 'square-lattice-mux-1024',
          layoutType: 'grid',
        },
        qubit: { qid: '1023', label: 'Q1023' },
      }),
    ),
  );

describe('What every request of copilot chat carries', () => {
  test('prompt and the schemas of all tools, those of live values and drafts too, stay under 6,000 tokens', async () => {
    const tokens = countTokens(await longestPrompt()) + countTokens(JSON.stringify(registry.schemas));
    expect(tokens).toBeGreaterThan(2_000);
    expect(tokens).toBeLessThan(6_000);
  });

  test('is never more than the estimate by which budgets are kept', async () => {
    const texts = [await longestPrompt(), ...registry.schemas.map((schema) => JSON.stringify(schema))];
    for (const text of texts) expect(estimateTokens(text)).toBeGreaterThanOrEqual(countTokens(text));
  });

  test('limits on calls of one tool point to a tool that there is', async () => {
    const { limits } = await readSettings();
    for (const { hint } of Object.values(limits.turn.toolCalls)) {
      const named = hint.match(/[a-z]+(_[a-z]+)+/g) ?? [];
      expect(named.length).toBeGreaterThan(0);
      for (const tool of named) expect(registry.names).toContain(tool);
    }
  });
});
