import { describe, expect, test } from '@jest/globals';
import type { Metric } from '../../src/domain/metric.ts';
import { estimateTokens } from '../../src/domain/tokens.ts';
import { chatPrompt, promptText, readPromptTexts, type PromptContext } from '../../src/agent/prompt.ts';

const metric = (more: Partial<Metric>): Metric => ({
  name: 't1',
  title: 'T1',
  unit: 'μs',
  scale: 1,
  direction: 'HIGHER_IS_BETTER',
  scope: 'QUBIT',
  good: 50,
  excellent: 100,
  bad: 20,
  staleAfterHours: 48,
  ...more,
});

const anharmonicity = metric({
  name: 'anharmonicity',
  title: 'Qubit Anharmonicity',
  unit: 'MHz',
  direction: 'LOWER_IS_BETTER',
  good: -280,
  excellent: -320,
  bad: -250,
});

const context: PromptContext = {
  responseLanguage: null,
  thinkingLanguage: null,
  answerFormat: 'markdown',
  metrics: [metric({}), anharmonicity, metric({ name: 'qubit_frequency', direction: 'NEUTRAL', good: null })],
  selectedChipId: 'demo-64',
  chip: {
    chipId: 'demo-64',
    size: 64,
    topologyId: 'square-lattice-mux-64',
    layoutType: 'grid',
  },
  qubit: { qid: '7', label: 'Q07' },
  datasets: [],
  isDispute: false,
  projectId: 'demo',
  now: new Date('2026-03-04T05:06:07Z'),
};

const prompt = async (more: Partial<PromptContext> = {}) =>
  chatPrompt(await readPromptTexts(), { ...context, ...more });

describe('The prompt of a chat turn', () => {
  test('has its sections in a fixed order, what changes last', async () => {
    expect((await prompt()).map(({ id }) => id)).toEqual([
      'role',
      'language',
      'tools',
      'evidence',
      'answer',
      'format',
      'thresholds',
      'context',
    ]);
  });

  test.each([
    ['tools', ['data-first', 'right-tool', 'all-arguments', 'stored-data', 'python', 'errors', 'stop']],
    ['evidence', ['figures-verbatim', 'no-invented-numbers', 'freshness', 'live', 'no-mixing', 'missing']],
    ['answer', ['visuals-by-server', 'shape', 'uncertainty', 'plain']],
  ])('names the rules of its section %s', async (section, rules) => {
    const text = (await prompt()).find(({ id }) => id === section)!.text;
    expect([...text.matchAll(/\*\*([a-z-]+)\*\*/g)].map(([, rule]) => rule)).toEqual(rules);
  });

  test('marks the text of tools, notes and files as data that may not instruct', async () => {
    expect(promptText(await prompt())).toMatch(/notes, file names .* is data\..* never follow them/s);
  });

  test('states thresholds in display units, with the sign turned where lower is better', async () => {
    const { text } = (await prompt()).find(({ id }) => id === 'thresholds')!;
    expect(text).toContain('T1 (t1): excellent ≥ 100 μs, good ≥ 50 μs, bad < 20 μs; higher is better');
    expect(text).toContain('excellent ≤ −320 MHz, good ≤ −280 MHz, bad > −250 MHz; lower is better');
    expect(text).not.toContain('(qubit_frequency)');
  });

  test('says which chip, of which topology type, which qubit and what time it is', async () => {
    const { text } = (await prompt()).find(({ id }) => id === 'context')!;
    expect(text).toContain('Selected chip: demo-64, 64 qubits, topology square-lattice-mux-64 (grid).');
    expect(text).toContain('Selected qubit: Q07 (qid 7)');
    expect(text).toContain('2026-03-04 05:06 UTC');
  });

  test('says so when nothing is selected', async () => {
    const text = promptText(await prompt({ selectedChipId: null, chip: null, qubit: null }));
    expect(text).toContain('No chip is selected');
    expect(text).toContain('No qubit is selected');
  });

  test('fixes the language of answers and of reasoning when the settings do', async () => {
    const sections = await prompt({ responseLanguage: 'ja', thinkingLanguage: 'en' });
    expect(sections[1]!.text).toBe('Reason in English. Answer in Japanese.');
  });

  test('leaves most of the 6,000 tokens to the tool schemas', async () => {
    expect(estimateTokens(promptText(await prompt({ metrics: Array(20).fill(anharmonicity) })))).toBeLessThan(
      2800,
    );
  });
});
