import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createOfflineAnalyst } from '../../src/offline/offline-analyst.ts';
import { ALL_TOOLS } from '../../src/agent/tools/all-tools.ts';
import { groundNumbers } from '../../src/domain/grounding/ground.ts';
import { ofType, runTurn } from '../support/agent-run.ts';
import { shippedMetrics } from '../support/catalogue.ts';
import { DEMO_NOW, demoViewer, openDemoDatabase, type DemoDatabase } from '../support/demo-database.ts';
import { hasSharedData } from '../support/shared-data.ts';
import { openToolBench } from '../support/tool-bench.ts';
import { openSandbox } from '../../packages/python-sandbox/test/support/sandbox.ts';

const analyst = createOfflineAnalyst({ now: () => DEMO_NOW, wordDelayMs: 0 });
const sandbox = openSandbox();
let demo: DemoDatabase;

beforeAll(async () => {
  demo = await openDemoDatabase();
});

afterAll(async () => {
  await sandbox.close();
  await demo.close();
});

/** The numbers of the analyst's answer, grounded as a reader gets them. */
async function ask(chipId: string, question: string) {
  const { context } = openToolBench({ ...demo, viewer: demoViewer, chipId, now: DEMO_NOW, sandbox });
  const { activities, text } = await runTurn(analyst, ALL_TOOLS, {
    createToolContext: () => context,
    input: [{ type: 'user', text: question }],
  });
  const started = new Map(
    ofType(activities, 'tool-started').map(({ call }) => [call.callId, call.arguments]),
  );
  const calls = ofType(activities, 'tool-finished').flatMap(({ call: { callId, resultJson } }) =>
    resultJson === null
      ? []
      : [{ callId, arguments: started.get(callId), result: JSON.parse(resultJson) as unknown }],
  );
  return {
    text,
    numbers: groundNumbers(text, {
      calls,
      userTexts: [question],
      metrics: shippedMetrics.metrics,
      now: DEMO_NOW,
    }),
  };
}

const QUESTIONS = [
  'How is the chip?',
  'Which two qubits have the shortest T1?',
  'Which five qubits have the best readout fidelity?',
  'Which qubit has the highest readout error?',
  'Compare Q3 and Q5',
  'Compare Q12, Q13 and Q21 in T1',
  'Show the T1 trend of Q27',
  'How did T2 of Q12 change over the last 30 days?',
  'Which qubits are getting worse in T1?',
  'Show a T2 heatmap',
  'Show a heatmap of the qubit frequency',
  'Are there outliers in the readout fidelity?',
  'Are there outliers?',
  'Is there anything unusual about Q27 and Q45?',
  'Q45 に普段と違う点はありますか?',
  'What are the neighbours of Q7?',
  'Show the topology',
  'What parameters are there?',
  'What is the T1 of Q45?',
  'How is Q12?',
  'What is the anharmonicity of Q3?',
  'How is the readout fidelity?',
  'Which couplings have the lowest ZX90 fidelity?',
  'Which qubit has the highest frequency?',
  'Rank the top 3 by X90 fidelity',
  'What is the T1 of Q12 and Q13?',
  'Show the T1 history of Q1 and Q2',
  'Which five qubits have the shortest T1? Show a T1 heatmap.',
  'Which qubits are worst?',
  'What is the T1 of Q999?',
  'T1が短い量子ビットを3つ教えて',
  'チップの状態は？',
  'Q12のT1は？',
  'T1のヒートマップを見せて',
];

/** Each starts Python, so they are asked of one chip only. */
const STATISTICS = [
  'What is the average T1?',
  'What is the median T2?',
  'What is the 90th percentile of the readout fidelity?',
  'Is T1 correlated with T2?',
  'How many qubits have T1 below 50 us?',
  'How many qubits have a readout fidelity above 97?',
  'Show the distribution of anharmonicity',
  'What is the standard deviation of T1?',
];

describe.each(hasSharedData ? ['demo-64', 'brisbane'] : ['demo-64'])(
  'every number of the offline analyst on %s has a source',
  (chipId) => {
    test.each(chipId === 'demo-64' ? [...QUESTIONS, ...STATISTICS] : QUESTIONS)(
      '%s',
      async (question) => {
        const { text, numbers } = await ask(chipId, question);
        const unsourced = numbers.filter(({ status }) => status === 'UNSOURCED');
        expect(
          unsourced.map(
            ({ text: shown, offset }) => `${shown} in “${text.slice(Math.max(0, offset - 60), offset + 40)}”`,
          ),
        ).toEqual([]);
      },
      60_000,
    );

    test('and there are numbers to have one', async () => {
      const { numbers } = await ask(chipId, 'How is the chip?');
      expect(numbers.length).toBeGreaterThan(20);
    });
  },
);
