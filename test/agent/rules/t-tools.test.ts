/** Series T of docs/agent-rules.md: what a tool is to a model. Uploads (T4) have tests of their own that say so. */
import { describe, expect, test } from '@jest/globals';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { promptText } from '../../../src/agent/prompt/prompt-section.ts';
import { chatPrompt } from '../../../src/agent/prompt/prompt.ts';
import { readPromptTexts } from '../../../src/agent/prompt/prompt-texts.ts';
import { prepareCall } from '../../../src/agent/loop/prepare-call.ts';
import { ALL_TOOLS } from '../../../src/agent/tools/all-tools.ts';
import { promptContext } from '../../support/prompt-context.ts';
import { allTools, everyTool } from '../../support/tool-bench.ts';

const everySchema = everyTool.schemas.map((schema) => [schema.name, schema] as const);

describe('T1: the entry of a tool', () => {
  test('T1: a model is told of the tools in a stable order', () => {
    expect(allTools.names).toEqual(ALL_TOOLS.map(({ name }) => name));
    expect(allTools.schemas.map(({ name }) => name)).toEqual(allTools.names);
  });

  test.each(everySchema)(
    'T1: %s is a name, a description and an object of arguments, side by side',
    (_name, schema) => {
      expect(Object.keys(schema).toSorted()).toEqual(['description', 'name', 'parameters']);
      expect(schema.parameters['type']).toBe('object');
    },
  );
});

describe('T2: what a tool says of itself', () => {
  test.each(everySchema)('T2: %s takes whole sentences and few tokens', (_name, schema) => {
    expect(schema.description).toMatch(/^[A-Z][^\n]+\.$/);
    expect(countTokens(JSON.stringify(schema))).toBeLessThan(450);
  });
});

describe('T3: tools that are hard to use have an example in the prompt', () => {
  const prompt = readPromptTexts().then((texts) => promptText(chatPrompt(texts, promptContext())));

  test('T3: the arguments of the example of make_chart are taken as they stand', async () => {
    const example = /`make_chart` with `(\{.*?\})`/.exec(await prompt)?.[1] ?? '';
    const call = { callId: 'c', name: 'make_chart', arguments: example };
    expect(prepareCall(call, everyTool, () => {})).toMatchObject({ runnable: true });
  });

  test('T3: the example of Python reads kept results and sets a result', async () => {
    expect(await prompt).toMatch(
      /`import statistics; rows = data\["chip_summary"\].*; result = \{"output": .*\}`/,
    );
  });
});
