/** What a model is told of a task result of the demo chip. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { analysisSections, type AnalysisContext } from '../../src/agent/prompt/analysis-sections.ts';
import { loadAnalysis } from '../../src/agent/turn/analysis-context.ts';
import type { TaskResult } from '../../src/domain/values/task-result.ts';
import { createLoaders } from '../../src/services/loaders/loaders.ts';
import { DEMO_NOW, demoViewer, openDemoDatabase, type DemoDatabase } from '../support/demo-database.ts';
import { shippedKnowledge } from '../support/prompt-context.ts';

let demo: DemoDatabase;
beforeAll(async () => {
  demo = await openDemoDatabase();
});
afterAll(() => demo.close());

/** The newest run of a task, whatever became of it. */
async function newest(taskName: string, qid: string): Promise<TaskResult> {
  const chip = await demo.services.chips.get(demoViewer, 'demo-64');
  const { items } = await demo.services.taskResults.page(chip, { first: 1, filter: { taskName, qid } });
  return items[0]!.item;
}

const analyse = (result: TaskResult): Promise<AnalysisContext> =>
  loadAnalysis(
    {
      services: demo.services,
      loaders: createLoaders(demo.services, demoViewer),
      knowledge: shippedKnowledge,
    },
    result,
  );

async function sectionsOf(taskName: string, qid: string): Promise<Record<string, string>> {
  const context = await analyse(await newest(taskName, qid));
  const sections = analysisSections(context, 'data-test', DEMO_NOW);
  return Object.fromEntries(sections.map(({ id, text }) => [id, text]));
}

describe('The context of a task result', () => {
  test('tells the result with its fit, execution, inputs and age', async () => {
    const { 'task-result': text } = await sectionsOf('CheckT1', '45');
    expect(text).toContain(': CheckT1 of Q45 on demo-64.');
    expect(text).toContain('Status: completed. Measured 2026-05-19 23:22 UTC, 1.63 hours ago.');
    expect(text).toContain('Execution 20260519-002 (Daily one-qubit calibration): completed.');
    expect(text).toMatch(/Metrics of the fit: r2 0\.9\d+\./u);
    expect(text).toMatch(/- T1 \(t1\) 9\.\d+ μs ± 0\.\d+ μs, bad/u);
    expect(text).toMatch(/Inputs:\n- Qubit Frequency \(qubit_frequency\) 4\.\d+ GHz/u);
    expect(text).toContain('Run parameters: shots 1024.');
  });

  test('says of a value whether it is normal for the qubit, and for the chip', async () => {
    const { result, runs } = await analyse(await newest('CheckT1', '45'));
    const { history = '' } = await sectionsOf('CheckT1', '45');
    expect(history).toContain('newest first; 10 of 30 read shown and there are older ones:');
    expect(history.match(/^- /gmu)).toHaveLength(10);
    const others = runs.slice(1).map(({ outputParameters }) => outputParameters[0]!.displayValue!);
    const mean = others.reduce((sum, value) => sum + value, 0) / others.length;
    const deviation = Math.sqrt(
      others.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (others.length - 1),
    );
    const distance = (result.outputParameters[0]!.displayValue! - mean) / deviation;
    expect(history).toContain(`over the ${others.length} other valid runs of this cool-down: median `);
    expect(history).toContain(`mean ${mean.toFixed(2)} μs`);
    expect(history).toContain(
      `lies ${Math.abs(distance).toFixed(1)} standard deviations ${distance < 0 ? 'below' : 'above'} the mean.`,
    );
    expect(history).toMatch(
      /over the chip as set now \(64 have it, 0 do not\): .* standard deviations below the mean\./u,
    );
  });

  test('of a failed run says why, and judges by what the runs before put out', async () => {
    const { 'task-result': text, history, 'current-values': current } = await sectionsOf('CheckT1', '12');
    expect(text).toContain('Status: failed.');
    expect(text).toContain('Message: R² of 0.31 is not above 0.70: outputs discarded');
    expect(text).toContain('Outputs: none.');
    expect(history).toContain('Spread of t1 over the 29 other valid runs');
    expect(history).not.toContain('This result lies');
    expect(current).toMatch(/- T1 \(t1\) 59\.\d+ μs/u);
  });

  test('of an excluded run says so and why, and leaves it out of the spread', async () => {
    const { 'task-result': text, history = '' } = await sectionsOf('CheckT1', '18');
    expect(text).toContain('Excluded from all statistics: Pulse tube was vibrating during this run');
    expect(history).toContain('excluded: Pulse tube was vibrating during this run; this result');
    const range = /([\d.]+) μs to [\d.]+ μs\. This result/u.exec(history)?.[1];
    const own = /- 2026-05-19 .*; t1 ([\d.]+) μs/u.exec(history)?.[1];
    expect(Number(own)).toBeLessThan(Number(range));
  });

  test('tells of neighbours and couplings what the knowledge of the task asks for', async () => {
    const qubit = await sectionsOf('CheckT1', '45');
    expect(qubit['neighbors']?.match(/^- Q\d+: .*qubit_frequency.*\(t1\)/gmu)).toHaveLength(3);
    expect(qubit).not.toHaveProperty('couplings');
    const coupling = await sectionsOf('ZX90InterleavedRandomizedBenchmarking', '1-0');
    expect(coupling['neighbors']).toContain('Qubits of Q01-Q00, as set now:');
    expect(coupling['neighbors']?.match(/^- /gmu)).toHaveLength(2);
    expect(coupling['couplings']).toContain('- Q01-Q00: ZX90 Gate Fidelity');
    expect(coupling['history']).toContain('(112 have it, 0 do not)');
  });

  test('leaves other cool-downs out of the spread and says so in the list', async () => {
    const chip = await demo.services.chips.get(demoViewer, 'demo-64');
    const { items } = await demo.services.taskResults.page(chip, {
      first: 2,
      filter: { taskName: 'CheckQubitSpectroscopy', qid: '3' },
    });
    const [own, other] = items.map(({ item }) => item);
    const context = await analyse(own!);
    const moved = context.runs.map((run) =>
      run.taskId === other!.taskId ? { ...run, cooldownId: 'demo-1' } : run,
    );
    const all = context.runs.filter(({ cooldownId }) => cooldownId === own!.cooldownId).length;
    const text = analysisSections({ ...context, runs: moved }, 'm', DEMO_NOW).find(
      ({ id }) => id === 'history',
    )!.text;
    expect(text).toContain(`over the ${all - 2} other valid runs of this cool-down`);
    expect(text).toContain('; cool-down demo-1');
  });

  test.each([
    'CheckT1',
    'CheckT2Echo',
    'CheckRamsey',
    'CheckRabi',
    'CheckQubitSpectroscopy',
    'ReadoutClassification',
  ])('of %s stays within its bounds', async (task) => {
    const sections = Object.values(await sectionsOf(task, '27'));
    expect(sections.join('').length).toBeLessThan(12_000);
    expect(
      sections.every((text) => text.startsWith('<data-test>\n') && text.endsWith('\n</data-test>')),
    ).toBe(true);
  });
});
