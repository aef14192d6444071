import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ModelEvent, ModelInput } from '../../src/agent/model.ts';
import { createOfflineAnalyst } from '../../src/offline/offline-analyst.ts';
import { parseRule, ruleText } from '../../src/domain/alerts/rule-text.ts';
import { ALL_TOOLS } from '../../src/agent/tools/all-tools.ts';
import { proposeJob } from '../../src/agent/tools/propose-job.ts';
import type { JobDrafts } from '../../src/services/jobs/job-drafts.ts';
import { openSandbox } from '../../packages/python-sandbox/test/support/sandbox.ts';
import { ofType, runTurn, textOf, type FinishedRun } from '../support/agent-run.ts';
import { DEMO_NOW, demoViewer, openDemoDatabase, type DemoDatabase } from '../support/demo-database.ts';
import { shippedMetrics } from '../support/catalogue.ts';
import { describeWithSharedData } from '../support/shared-data.ts';
import { openToolBench } from '../support/tool-bench.ts';

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

/** Asks through the real loop and the real tools. */
async function ask(question: string, before: readonly ModelInput[] = []): Promise<FinishedRun> {
  const { context } = openToolBench({
    ...demo,
    viewer: demoViewer,
    chipId: 'demo-64',
    now: DEMO_NOW,
    sandbox,
  });
  const run = await runTurn(analyst, ALL_TOOLS, {
    createToolContext: () => context,
    input: [...before, { type: 'user', text: question }],
  });
  expect(run.bugs).toEqual([]);
  expect(run.outcome.status).toBe('COMPLETED');
  return run;
}

const toolsOf = ({ activities }: FinishedRun) =>
  ofType(activities, 'tool-started').map(({ call }) => call.tool);

describe('the analyst answers', () => {
  test.each<[string, RegExp]>([
    [
      'How is the chip?',
      /demo-64: 64 qubits, 112 couplings, health \w+ \(\d\.\d\d of 3.*worst first: Q45 Average Readout Fidelity 77\.25 % \(bad, limit 85\.00 %\)/s,
    ],
    [
      'Which two qubits have the shortest T1?',
      /The 2 lowest T1 of 64 qubits on demo-64: Q45 9\.\d\d μs \(bad\), Q27 3\d\.\d\d μs/,
    ],
    [
      'Which qubit has the highest readout error?',
      /Average Readout Error of 63 qubits on demo-64, highest first: Q45 22\.\d\d % and 62 more/,
    ],
    ['Compare Q3 and Q5', /T1: Q03 \d+\.\d\d μs, Q05 \d+\.\d\d μs\./],
    ['Show the T1 trend of Q27', /Q27: newest .* falling \(worse\)/],
    [
      'How did the ZX90 fidelity of 3-1 change?',
      /Q03-Q01: newest 9\d\.\d+ % ± 0\.12 %, 9\d\.\d+ % to 9\d\.\d+ % over \d+ results, \w+/,
    ],
    [
      'Compare this week with last for zx90_gate_fidelity',
      /ZX90 Gate Fidelity on demo-64: 2026-05-13 01:00 to 2026-05-20 01:00 UTC against .*Mean of \d+ couplings: 9\d\.\d+ %, before/s,
    ],
    [
      'What is the ZX90 fidelity of Q01-Q03?',
      /Values are stored for Q03-Q01; the direction that was asked for, 1-3, has none/,
    ],
    [
      'Which qubit got worse the most this week?',
      /so this is about T1\.\s+T1 on demo-64, the time before against now:.*- Q\d\d: \d+\.\d+ μs \(the time before\), \d+\.\d+ μs \(now\): −\d+\.\d+ μs, worse/su,
    ],
    ['which couplings to avoid?', /ZX90 Gate Fidelity.*worst first|The \d+ worst ZX90 Gate Fidelity/su],
    ['Which qubits are getting worse in T1?', /Trends: .*falling \(worse\), largest change first: Q27/],
    ['Show a T2 heatmap', /T2 Echo on demo-64 .*64 of 64 qubits.*The chart shows each qubit/s],
    [
      'Are there outliers in the readout fidelity?',
      /1 outlier among Average Readout Fidelity on demo-64: Q45/,
    ],
    [
      'Is there anything unusual about Q45?',
      /something unusual about Q45 on demo-64:\n\n- Average Readout Fidelity: 77\.\d+ % .*bad.*outlier: 11\.\d deviations below.*T1: 9\.65 μs .*bad.*On Q45: “Two-level defect/s,
    ],
    [
      'Is there anything unusual about Q27?',
      /something unusual about Q27.*- T1 – Q27: newest 37\.\d+ μs.* falling \(worse\).*As usual: no value stands apart/s,
    ],
    [
      'Is there anything unusual about Q12?',
      /^There is nothing unusual about Q12 on demo-64\.\n\nAs usual: no value stands apart from the rest of the chip, no value is rated fair or bad, T1 shows no decline to a new worst value and nobody left a note\.\n\nSearched, of any age: notes, comments, /,
    ],
    // When people wrote is no measuring time.
    ['What notes are there on Q45?', /^4 notes of people on Q45 on demo-64(?:(?!measured).)*$/s],
    ['Do any of Q3 and Q5 stand out in T2?', /nothing unusual about Q03.*nothing unusual about Q05/s],
    ['Q12 に普段と違う点はありますか?', /^Q12（demo-64）に普段と違う点はありません。/],
    ['What are the neighbours of Q0?', /Q00 \(row 0, column 0\) is coupled to Q01 and Q02 on demo-64\./],
    ['Show the topology', /64 qubits and 112 couplings/],
    ['What parameters are there?', /demo-64 has \d+ parameters: .*t2_star/],
    ['What is the T1 of Q45?', /Q45 on demo-64: T1: 9\.\d\d μs/],
    ['How is the readout fidelity?', /Average Readout Fidelity: median 9\d\.\d\d %/],
    [
      'Which couplings have the lowest Bell fidelity?',
      /The 5 lowest Bell State Fidelity of 112 couplings on demo-64: Q\d\d-Q\d\d/,
    ],
    ['What is the average T1?', /Mean T1 of 64 qubits on demo-64: \d+(\.\d+)? μs\./],
    [
      'What is the 90th percentile of the readout fidelity?',
      /Percentile 90 of Average Readout Fidelity of 63 qubits on demo-64: 9\d\.\d+ %\./,
    ],
    [
      'Is T1 correlated with T2?',
      /Pearson correlation of t1 and t2_echo over 64 qubits: r = 0\.\d+, a \w+ positive relation\./,
    ],
    [
      'How many qubits have T1 below 50 us?',
      /\d+ of 64 qubits on demo-64 have T1 below 50 μs \(\d\.\d %\); T1, lowest first: Q45 9\.\d+ μs, Q27 3\d\.\d+ μs/,
    ],
    [
      'Show the distribution of anharmonicity',
      /Distribution of anharmonicity over 64 qubits: minimum -3\d\d.* MHz\./,
    ],
    [
      'What is the standard deviation of T1?',
      /Sample standard deviation of T1 of 64 qubits on demo-64: \d+\.\d+ μs/,
    ],
    ['What was T1 of Q5 on 2026-05-09?', /T1 on demo-64 in 2026-05-09:\n\n- Q05: [\d.]+ μs \(2026-05-09 /],
    [
      'What was T1 of Q5 on 2025-05-10?',
      /Q05: not measured in 2025-05-10; there is no earlier result either/,
    ],
    [
      'Lowest T1 we ever saw on Q5, and when?',
      /in all stored results:\n\n- Q05: \d+ results, mean [\d.]+ μs, lowest [\d.]+ μs \(2026-\d\d-\d\d /,
    ],
    ['average T1 of Q5 in the last 10 results', /Q05: mean [\d.]+ μs of 10 results/],
    [
      'Median T1 of Q5 between 1 and 7 May 2026 against 8 to 14 May 2026',
      /Q05: 2026-05-01 – 2026-05-07: median [\d.]+ μs of \d results?; 2026-05-08 – 2026-05-14: median/,
    ],
    [
      'What changed since the last cooldown?',
      /demo-64, 2026-04-\d\d \d\d:\d\d UTC to 2026-05-20 .*: \d+ parts with values before, 176 after\..*largest move first: Q/su,
    ],
    [
      'T1が短い量子ビットを3つ教えて',
      /64量子ビットのうち、T1が低い順に3個: Q45 9\.65 μs.*オフライン アナリスト/s,
    ],
  ])(
    '%s',
    async (question, answer) => {
      const { text } = await ask(question);
      expect(text).toMatch(answer);
      expect(text.match(/offline analyst|オフライン アナリスト/giu)).toHaveLength(1);
    },
    60_000,
  );

  test.each([
    ['as a list', (labels: readonly string[]) => `What is the T1 of ${labels.join(', ')}?`],
    ['as a range', () => 'T1 of Q0 to Q59'],
    ['in Japanese', (labels: readonly string[]) => `${labels.join('、')}のT1は？`],
  ])('60 qubits, named %s, by 60 values', async (_, question) => {
    const labels = Array.from({ length: 60 }, (_label, at) => `Q${String(at).padStart(2, '0')}`);
    const { activities } = await ask(question(labels));
    expect([...textOf(activities).matchAll(/Q\d\d (?=\d)/g)].map(([label]) => label.trim())).toEqual(labels);
  });

  test('several asks in one message, with the age of the data once', async () => {
    const run = await ask('Which five qubits have the shortest T1? Show a T1 heatmap.');
    expect(toolsOf(run)).toEqual(['rank_qubits', 'generate_chip_heatmap']);
    expect(run.text).toMatch(/The 5 lowest T1 of 64 qubits.*T1 on demo-64/s);
    expect(run.text.match(/These are stored results/g)).toHaveLength(1);
    expect(run.text).toMatch(
      /measured from 2026-05-\d\d \d\d:\d\d UTC \(\d+ \w+ ago\) to 2026-05-19 23:\d\d UTC \(2 hours ago\)/,
    );
    const charts = ofType(run.activities, 'tool-finished').flatMap(({ call }) => call.visuals);
    expect(charts.map((visual) => (visual.type === 'chart' ? visual.kind : 'TABLE'))).toEqual([
      'BAR',
      'TABLE',
      'HEATMAP',
      'TABLE',
    ]);
  });

  test('follow-ups by what was asked and answered before', async () => {
    const first = await ask('Which qubit has the shortest T1?');
    const before: readonly ModelInput[] = [
      { type: 'user', text: 'Which qubit has the shortest T1?' },
      { type: 'assistant', text: first.text },
    ];
    expect((await ask('And for T2?', before)).text).toMatch(
      /The lowest T2 Echo of 64 qubits on demo-64: Q45/,
    );
    expect((await ask('Show its trend', before)).text).toMatch(/Q45: newest 9\.\d\d μs/);
    expect((await ask('What about Q7?', before)).text).toMatch(/Q07 on demo-64: T1: /);
  });
});

describe('what cannot be answered is said plainly', () => {
  test.each<[string, RegExp]>([
    ['heatmap of banana', /could not look this up: .*banana.*t1/s],
    ['What is the T1 of Q99?', /could not look this up: .*99/],
    ['How is chip nowhere?', /could not look this up: .*nowhere.*demo-64/],
    ['What are the neighbours of Q99?', /no qubit 99 in the layout of demo-64; it goes from Q00 to Q63/],
    ['Is there anything unusual about Q99?', /could not look this up: .*99/],
    ['Is T1 correlated?', /name two parameters/],
    ['What is the anharmonicity and the tea_time of Q3?', /tea_time: no value; Q03 has .*t1/],
    ['How did T1 change since 31 April?', /“since 31 April” is not a date that exists\. Write dates as/],
    ['T1 between 14 and 1 May', /“between 14 and 1 May” ends before it begins/],
    ['6月31日以降のT1の推移は？', /「6月31日以降」には暦にない日/],
    [
      'Which runs failed since 2026-05-01?',
      /^I did not understand “since 2026-05-01” in this question, so I do not answer it/,
    ],
    ['Write me a poem', /I am the offline analyst: .* did not understand.*Which five qubits/s],
  ])('%s', async (question, answer) => {
    const { text } = await ask(question);
    expect(text).toMatch(answer);
    expect(text.match(/offline analyst|オフライン アナリスト/gi)).toHaveLength(1);
  });

  test('a tool that is not offered is said to be missing', async () => {
    const run = await runTurn(analyst, [], { input: [{ type: 'user', text: 'How is the chip?' }] });
    expect(run.text).toMatch(/get_chip_summary was not run/);
  });
});

describe('as a model', () => {
  const stream = (signal: AbortSignal, delay: number) =>
    createOfflineAnalyst({ now: () => DEMO_NOW, wordDelayMs: delay }).stream(
      {
        instructions: '',
        input: [{ type: 'user', text: 'Hello' }],
        tools: [],
        toolChoice: 'auto',
        sessionId: 's',
      },
      signal,
    );

  test('it streams word by word and finishes once', async () => {
    const events: ModelEvent[] = [];
    for await (const event of stream(new AbortController().signal, 0)) events.push(event);
    const texts = events.filter(({ type }) => type === 'text');
    expect(texts.length).toBeGreaterThan(50);
    expect(events.at(-1)).toMatchObject({ type: 'finished', reason: 'stop' });
  });

  test('it stops at once when it is aborted', async () => {
    const controller = new AbortController();
    const words: string[] = [];
    const reading = (async () => {
      for await (const event of stream(controller.signal, 60_000)) {
        if (event.type === 'text') words.push(event.text);
        controller.abort(new Error('stopped by the user'));
      }
    })();
    await expect(reading).rejects.toMatchObject({ name: expect.stringMatching(/AbortError|Error/) });
    expect(words).toEqual(['I ']);
  });
});

describeWithSharedData('on a real device', () => {
  test('it names the five qubits of brisbane with the shortest T1', async () => {
    const { text } = await ask('Which five qubits have the shortest T1 on brisbane? Show a T1 heatmap.');
    expect(text).toMatch(/The 5 lowest T1 of 127 qubits on brisbane: Q119 9\.94 μs \(bad\), Q/);
    expect(text).toMatch(/1 year|15 months|\d+ months/);
    expect(text).toMatch(/older than the limit of 2 days/);
  });
});

// The figures are those of props_brisbane.json, counted by other code.
describeWithSharedData('conditions on a real device', () => {
  test.each<[string, RegExp]>([
    ['Which ECR gates on brisbane have errors above 2%?', /18 of 144 couplings .*: Q024-Q034 8\.59 %/],
    [
      'mean ECR error on brisbane',
      /Mean \w+ Gate Error of 143 couplings on brisbane: 1\.28 %.*Disabled.*Q025-Q024/s,
    ],
    [
      'how many qubits of brisbane have T1 over 300 microseconds',
      /22 of 127 qubits on brisbane have T1 above 300 μs/,
    ],
    ['share of qubits of brisbane with readout fidelity better than 99 %', /11 of 127 .*\(8\.7 %\)/],
    ['mean T1 of brisbane in ms', /Mean T1 of 127 qubits on brisbane: 0\.2337 ms\./],
    ['Which qubits of brisbane have the most volatile T1?', /^I did not understand “volatile”/],
  ])('%s', async (question, answer) => {
    expect((await ask(question)).text).toMatch(answer);
  });
});

describe('the analyst judges by the ratings of the values that were asked for', () => {
  test.each([
    ['What is the T1 of Q45?', 'BAD'],
    ['What is the T1 of Q3?', 'GOOD'],
    ['What is the frequency of Q3?', null],
    ['Which two qubits have the shortest T1?', null],
    ['How did T1 of Q45 change?', null],
  ])('%s → %s', async (question, assessment) => {
    const { outcome, text } = await ask(question);
    expect(outcome.assessment).toBe(assessment);
    expect(text).not.toContain('[assessment');
  });

  test('a chip by its health, a whole qubit by its worst value', async () => {
    const chip = await ask('How is the chip?');
    const [, label = ''] = /health (\w+)/.exec(chip.text) ?? [];
    const meanings: Record<string, string> = {
      excellent: 'GOOD',
      good: 'GOOD',
      fair: 'WARNING',
      poor: 'BAD',
    };
    expect(chip.outcome.assessment).toBe(meanings[label]);
    expect((await ask('Show the parameters of Q45')).outcome.assessment).toBe('BAD');
  });
});

test('drafts a job where a longer task is requested, and says that nothing was started', async () => {
  const drafts: Pick<JobDrafts, 'create'> = {
    create: async ({ id, projectId }, draft) => ({
      ...draft,
      id: 'd1',
      viewerId: id,
      projectId,
      createdAt: DEMO_NOW,
    }),
  };
  const { context } = openToolBench({ ...demo, viewer: demoViewer, chipId: 'demo-64', now: DEMO_NOW });
  const run = await runTurn(analyst, [...ALL_TOOLS, proposeJob(drafts)], {
    createToolContext: () => context,
    input: [{ type: 'user', text: 'Write me a report of this chip' }],
  });
  expect(toolsOf(run)).toEqual(['list_entities', 'propose_job']);
  expect(textOf(run.activities)).toMatch(
    /I drafted a job for the writer on demo-64 .* Nothing has been started/u,
  );
});

test.each([
  ['Warn me when T1 of any qubit halves', 't1 of any qubit on demo-64 falls by 50 % within 7 days'],
  ['please notify us if a qubit’s T2 echo drops below 30 us.', 't2_echo of any qubit on demo-64 below 30 μs'],
  [
    'Alert me as soon as the CZ error of any coupling rises above 2 %',
    'cz_gate_fidelity of any coupling on demo-64 below 98 %',
  ],
  ['warn me when Q27 is disabled', 'Q27 on demo-64 is disabled'],
  ['T1が半分になったら警告して', 't1 of any qubit on demo-64 falls by 50 % within 7 days'],
  ['Q3のT1が20us未満になったら通知して', 't1 of Q3 on demo-64 below 20 μs'],
])('"%s" leads to the form of a rule, which a person saves', async (question, rule) => {
  const run = await ask(question);
  expect(toolsOf(run)).toEqual([]);
  const [, link = ''] = /\]\(\/alerts\?rule=([^)]+)\)/u.exec(textOf(run.activities)) ?? [];
  const read = parseRule(decodeURIComponent(link), { metrics: shippedMetrics, chipId: 'demo-64' });
  expect(read.problem).toBeNull();
  expect(read.rule && ruleText(read.rule)).toBe(rule);
});

test('a question about the past is no wish to be warned', async () => {
  const run = await ask('Notify me when T1 of Q3 was below 20 us');
  expect(textOf(run.activities)).not.toContain('/alerts');
});
