import { describe, expect, test } from '@jest/globals';
import { words as english } from '../../client/lib/i18n/en/words.ts';
import { words as japanese } from '../../client/lib/i18n/ja/words.ts';
import type { Ask, Condition } from '../../src/domain/questions/query.ts';
import { jobRequestIn } from '../../src/offline/analyst/job-draft.ts';
import { unusedWords } from '../../src/offline/analyst/uses.ts';
import type { Period, PeriodProblem } from '../../src/domain/questions/period.ts';
import { readQuestion } from '../../src/domain/questions/read-question.ts';

/** An ask in few words: kind, metrics, qubits, chip, and what else its kind uses. */
function brief(ask: Ask): string {
  const { kind, metrics, qids, chipId, order, count, lastN, windowHours, period, statistic, task, isFailed } =
    ask;
  return [
    kind,
    ...(ask.isError ? ['error of'] : []),
    ...metrics,
    ...qids.map((qid) => `Q${qid}`),
    ...ask.excluded.map((qid) => `-Q${qid}`),
    ...(chipId === null ? [] : [`@${chipId}`]),
    ...(kind === 'rank' ? [order, count ?? 5] : []),
    ...(lastN === null || kind === 'periods' ? [] : [`last${lastN}`]),
    ...(kind === 'periods' && period === null ? [`${windowHours}h`] : []),
    ...(ask.conditions.length === 0 ? [] : [ask.conditions.map(briefCondition).join(` ${ask.join} `)]),
    ...(statistic === null ? [] : [Object.values(statistic).join(':')]),
    ...(ask.unit === null ? [] : [`in ${ask.unit}`]),
    ...(task === null ? [] : [task]),
    ...(isFailed ? ['failed'] : []),
    ...(period === null ? [] : [briefPeriod(period)]),
    ...(ask.before === null ? [] : [`after ${briefPeriod(ask.before)}`]),
  ].join(' ');
}

const SIGNS = { above: '>', at_least: '>=', below: '<', at_most: '<=', equal: '=', unequal: '!=' } as const;

const briefCondition = ({ quantity, is, value, unit, than }: Condition): string =>
  `${quantity.isError ? '1-' : ''}${quantity.metric}${SIGNS[is]}${value}${unit}${than === null ? '' : `*${than.metric}`}`;

const briefPeriod = (period: Period | PeriodProblem): string =>
  'problem' in period
    ? period.problem
    : `${period.from?.slice(0, 10) ?? ''}..${period.to?.slice(0, 10) ?? ''}`;

const NAMES = { chips: ['demo-64', 'brisbane'], parameters: [], tasks: [] };
const NOW = new Date('2026-05-20T10:00:00Z');
const READOUT = 'error of average_readout_fidelity';

/** What is asked, then the words that were not read. */
const read = (
  question: string,
  ...before: (readonly [question: string, answer: string])[]
): readonly string[] => {
  const history = before.map(([asked, answer]) => ({ question: asked, answer }));
  const { asks, unread } = readQuestion(question, { history, qid: '7', now: NOW, names: NAMES });
  const left = [...unread, ...unusedWords(asks)];
  return [...asks.map(brief), ...(asks.length > 0 ? left.map((word) => `? ${word}`) : [])];
};

describe('a question', () => {
  test.each<[string, string[]]>([
    // health
    ['How is the chip?', ['health']],
    ['Give me an overview of chip demo-64', ['health @demo-64']],
    ['How is brisbane doing?', ['health @brisbane']],
    ['Summarize the chip', ['health']],
    ['Are there any problems on brisbane?', ['health @brisbane']],
    ['Can I use Q12 of brisbane?', ['values Q12 @brisbane']],
    ['Is Q12 of brisbane usable?', ['values Q12 @brisbane']],
    ['What is the T1 of Q3 on brisbane-lab?', ['values t1 Q3 @brisbane-lab']],
    [english.copilot.starters.healthy('brisbane'), ['health @brisbane']],
    [japanese.copilot.starters.healthy('brisbane'), ['health @brisbane']],
    ['チップの状態は？', ['health']],
    // rank
    ['Which five qubits have the shortest T1?', ['rank t1 lowest 5']],
    ['T1 が最も短い量子ビットを 5 つ教えてください。', ['rank t1 lowest 5']],
    ['Which qubit has the longest T1?', ['rank t1 highest 1']],
    ['Show the top 3 qubits by T2', ['rank t2_echo best 3']],
    ['worst ten qubits by readout fidelity', ['rank average_readout_fidelity worst 10']],
    ['best 4 qubits by T2*', ['rank t2_star best 4']],
    ['Which qubits have the highest readout error?', ['rank error of average_readout_fidelity highest 5']],
    ['Which two qubits have the lowest gate error?', ['rank error of x90_gate_fidelity lowest 2']],
    ['Which couplings have the worst two-qubit gate fidelity?', ['rank zx90_gate_fidelity worst 5']],
    [english.copilot.starters.couplings, ['rank zx90_gate_fidelity worst 5']],
    [japanese.copilot.starters.couplings, ['rank zx90_gate_fidelity worst 1']],
    [english.copilot.starters.stale, ['age']],
    [japanese.copilot.starters.stale, ['age']],
    ['top three couplings by ZX90', ['rank zx90_gate_fidelity best 3']],
    ['Rank the qubits by coherence time', ['rank t2_echo worst 5']],
    ['the 7 lowest frequencies', ['rank qubit_frequency lowest 7']],
    ['Which qubits have the best frequency?', ['rank qubit_frequency best 5']],
    ['What is the maximum T1 on brisbane?', ['rank t1 @brisbane highest 5']],
    ['Worst dozen qubits by X90', ['rank x90_gate_fidelity worst 12']],
    ['T1が短い量子ビットを3つ教えて', ['rank t1 lowest 3']],
    ['読み出し忠実度が悪い量子ビットは？', ['rank average_readout_fidelity worst 5']],
    // heatmap
    ['Show a T1 heatmap.', ['heatmap t1']],
    ['heat map of anharmonicity on brisbane', ['heatmap anharmonicity @brisbane']],
    ['Draw me a heatmap for T2 echo', ['heatmap t2_echo']],
    ['T1のヒートマップを見せて', ['heatmap t1']],
    ['heatmap of banana', ['heatmap banana']],
    // trend
    ['Show the T1 trend of Q12', ['trend t1 Q12']],
    ['How did T2 change over time on qubit 3?', ['trend t2_echo Q3']],
    ['T1 history of Q3, Q5 and Q07 over the last 30 days', ['trend t1 Q3 Q5 Q7 last30']],
    ['Which qubits are getting worse in T1?', ['trend t1']],
    ['Is the readout fidelity drifting?', ['trend average_readout_fidelity']],
    ['Is Q27 degrading in T1?', ['trend t1 Q27']],
    ['Q12のT1の推移', ['trend t1 Q12']],
    ['rabi_amplitude over time for Q1', ['trend rabi_amplitude Q1']],
    // couplings
    ['How did the ZX90 fidelity of 0-1 change?', ['trend zx90_gate_fidelity Q0-1']],
    ['ZX90 trend of couplings Q00-Q01 and Q03-Q01', ['trend zx90_gate_fidelity Q0-1 Q3-1']],
    ['What is the Bell fidelity of 4-1 on demo-64?', ['values bell_state_fidelity Q4-1 @demo-64']],
    ['Tell me about coupling 0-1', ['values Q0-1']],
    ['How did the two-qubit gate fidelity develop over time?', ['trend zx90_gate_fidelity']],
    // windows of time
    ['Compare this week with last for zx90_gate_fidelity', ['periods zx90_gate_fidelity 168h']],
    ['How is T1 this month compared to last month?', ['periods t1 720h']],
    ['Compare T2 of Q3 in the last 3 days with the ones before', ['periods t2_echo Q3 72h']],
    ['What changed in T1 since yesterday?', ['periods t1 24h']],
    ['How did T1 of Q5 change over the last 3 weeks?', ['trend t1 Q5 last21']],
    ['T1は昨日からどう変わった？', ['periods t1 24h']],
    // days by their dates
    ['How did T1 change since 2026-05-01?', ['changes t1 2026-05-02.. after 2026-05-01..2026-05-02']],
    ['What was T1 of Q5 in May?', ['periods t1 Q5 2026-05-01..']],
    ['median T1 in April 2026', ['periods t1 median 2026-04-01..2026-05-01']],
    ['Plot T1 of Q5 between 1 and 14 May', ['periods t1 Q5 2026-05-01..2026-05-15']],
    ['T1 from May 1st to 14', ['periods t1 2026-05-01..2026-05-15']],
    ['T2* of Q3 from 20 December to 5 January', ['periods t2_star Q3 2025-12-20..2026-01-06']],
    ['T2 results from Jan 2025', ['periods t2_echo 2025-01-01..2025-02-01']],
    ['T2 from January 2025', ['periods t2_echo 2025-01-01..2025-02-01']],
    ['T1 trend of Q3 from Jan 2025', ['periods t1 Q3 2025-01-01..']],
    ['T1 of Q3 from May 2025 onwards', ['periods t1 Q3 2025-05-01..']],
    ['T1 of Q3 from 5 January 2025', ['periods t1 Q3 2025-01-05..']],
    ['How did T1 develop until 3 May?', ['periods t1 ..2026-05-04']],
    ['How did T1 develop before 3 May?', ['periods t1 ..2026-05-03']],
    ['How did T1 develop after 3 May?', ['periods t1 2026-05-04..']],
    ['T1 since June', ['periods t1 2025-06-01..']],
    ['5月1日以降のT1の推移', ['periods t1 2026-05-01..']],
    [
      'T1は5月1日から14日までどう変化した？',
      ['changes t1 2026-05-14..2026-05-15 after 2026-05-01..2026-05-02'],
    ],
    ['2026年4月のQ5のT1は？', ['periods t1 Q5 2026-04-01..2026-05-01']],
    ['How did T1 change since 31 April?', ['periods t1 NO_SUCH_DAY']],
    ['How did T1 change since 2026-06-01?', ['periods t1 FUTURE']],
    ['T1 between 14 and 1 May', ['periods t1 BACKWARDS']],
    ['13月のT1', ['periods t1 NO_SUCH_DAY']],
    ['Which qubit may have the worst T1?', ['rank t1 worst 1']],
    ['Which runs failed since 2026-05-01?', ['runs failed 2026-05-01..', '? since 2026-05-01']],
    ['Is T1 better today than yesterday?', ['periods t1 24h']],
    ['今週と先週のT1を比較して', ['periods t1 168h']],
    // values and comparison
    ['What is the T1 of Q12?', ['values t1 Q12']],
    ['Tell me about qubit 45', ['values Q45']],
    ['How is Q7?', ['values Q7']],
    ['What is the frequency of this qubit?', ['values qubit_frequency Q7']],
    ['Compare Q3 and Q5', ['compare Q3 Q5']],
    ['Compare T1 and T2 of qubits 1, 2 and 3', ['compare t1 t2_echo Q1 Q2 Q3']],
    ['Q1 vs Q2: anharmonicity', ['compare anharmonicity Q1 Q2']],
    ['Compare Q0 to Q3', ['compare Q0 Q1 Q2 Q3']],
    ['Which of Q3 and Q8 has the better T1?', ['compare t1 Q3 Q8']],
    ['Q3とQ5を比較して', ['compare Q3 Q5']],
    ['T1?', ['figures t1']],
    ['How is the readout fidelity?', ['figures average_readout_fidelity']],
    // outliers
    ['Are there outliers in T1?', ['outliers t1']],
    ['Find anomalies on brisbane', ['outliers @brisbane']],
    ['Which qubits stand out?', ['outliers']],
    ['外れ値はありますか', ['outliers']],
    [english.qubit.askDraft('Q27'), ['outliers Q27']],
    [english.copilot.starters.unusual('Q27'), ['outliers Q27']],
    [japanese.qubit.askDraft('Q27'), ['outliers Q27']],
    ['Is anything odd about this qubit?', ['outliers Q7']],
    ['Do Q3 or Q5 stand out in T2?', ['outliers t2_echo Q3 Q5']],
    ['Is there anything unusual about 0-1?', ['values Q0-1']],
    // topology
    ['What are the neighbors of Q12?', ['topology Q12']],
    ['Show the topology', ['topology']],
    ['Which qubits is qubit 5 coupled to?', ['topology Q5']],
    ['What is connected to Q0 on brisbane?', ['topology Q0 @brisbane']],
    ['Q5に隣接する量子ビットは？', ['topology Q5']],
    // parameters
    ['What parameters are available?', ['parameters']],
    ['Which parameters does Q3 have?', ['parameters Q3']],
    ['list all metrics', ['parameters']],
    ['どんなパラメータがありますか', ['parameters']],
    // statistics
    ['What is the 90th percentile of T1?', ['statistic t1 percentile:90']],
    ['Is T1 correlated with T2?', ['statistic t1 t2_echo correlation']],
    [
      'correlation between frequency and anharmonicity',
      ['statistic qubit_frequency anharmonicity correlation'],
    ],
    ['What is the average T1?', ['statistic t1 mean']],
    ['Average readout fidelity of the chip?', ['statistic average_readout_fidelity mean']],
    ['median of T2 on brisbane', ['statistic t2_echo @brisbane median']],
    ['standard deviation of the qubit frequencies', ['statistic qubit_frequency stdev']],
    ['Show the distribution of T1', ['statistic t1 distribution']],
    ['How many qubits have T1 below 50 us?', ['select t1 t1<50μs']],
    [
      'How many qubits have a readout fidelity above 98.5 %?',
      ['select average_readout_fidelity average_readout_fidelity>98.5%'],
    ],
    ['T1とT2の相関は？', ['statistic t1 t2_echo correlation']],
    ['Plot T1 against T2', ['statistic t1 t2_echo correlation']],
    ['T1が50μs未満の量子ビットはいくつ？', ['select t1 t1<50μs']],
    ['Count the qubits with anharmonicity above -310 MHz', ['select anharmonicity anharmonicity>-310MHz']],
    // records
    ['Which were the last three failed task runs?', ['runs last3 failed']],
    ['When did checkt1 last fail on Q47?', ['runs Q47 checkt1 failed']],
    ['What was the latest CheckT1 result of Q12?', ['runs Q12 CheckT1']],
    ['Why did the last execution fail?', ['executions failed']],
    ['What notes are there on Q45?', ['notes Q45']],
    ['Why was the CheckT1 result of Q5 excluded?', ['notes Q5 CheckT1']],
    ['How many versions of T1 of Q7 are recorded?', ['lineage t1 Q7']],
    // age
    ['When was T1 of Q3 last measured?', ['age t1 Q3']],
    ['Is the T1 data of brisbane up to date?', ['age t1 @brisbane']],
    ['How old is the data?', ['age']],
    // couplings of a qubit
    ['ZX90 fidelity of the couplings of Q1', ['values zx90_gate_fidelity Q1']],
    // to do something
    ['Please recalibrate Q5', ['action Q5']],
    ['Run CheckT1 on Q5', ['action Q5 CheckT1']],
    ['Run a python analysis: mean of T1', ['statistic t1 mean']],
    ['T1 の平均の分析を実行して', ['statistic t1 mean']],
    ['Set T1 of Q3 to 200 us', ['action t1 Q3']],
    ['What changed in T1?', ['trend t1']],
    // misspelt
    ['Which qubit has the longest relaxatoin time?', ['rank t1 highest 1']],
    ['neighobrs of Q16', ['topology Q16']],
    // unknown in the place of a parameter
    ['What is the purity of Q4?', ['values purity Q4']],
    ['Which qubit has the highest leakage rate?', ['rank leakage highest 1']],
    ['What is the average charge dispersion?', ['statistic charge dispersion mean']],
    // several at once
    ['Which five qubits have the shortest T1? Show a T1 heatmap.', ['rank t1 lowest 5', 'heatmap t1']],
    ['Show the worst 3 qubits by T1 and a heatmap', ['rank t1 worst 3', 'heatmap t1']],
    ['How is the chip, and which qubits have the best T2?', ['health', 'rank t2_echo best 5']],
    ['Compare Q1 and Q2 and show the T1 trend of Q1', ['compare Q1 Q2', 'trend t1 Q1']],
    [
      'Which qubit has the lowest T2 on brisbane? Show its heatmap.',
      ['rank t2_echo @brisbane lowest 1', 'heatmap t2_echo @brisbane'],
    ],
  ])('%s', (question, asks) => {
    expect(read(question)).toEqual(asks);
  });
});

describe('what is none of these is not understood', () => {
  test.each(['Hello!', 'Who are you?', 'How is the weather in Osaka?', '???', '', 'ありがとう'])(
    '%p',
    (question) => {
      expect(read(question)).toEqual([]);
    },
  );
});

describe('a follow-up', () => {
  const shortest = [
    'Which five qubits have the shortest T1 on brisbane?',
    'The 5 lowest T1 of 127 qubits: Q119 9.94 μs, Q012 20 μs.',
  ] as const;

  test.each<[string, string[]]>([
    ['And for T2?', ['rank t2_echo @brisbane lowest 5']],
    ['What about readout fidelity?', ['rank average_readout_fidelity @brisbane lowest 5']],
    ['And on demo-64?', ['rank t1 @demo-64 lowest 5']],
    ['What about Q7?', ['values t1 Q7 @brisbane']],
    ['Show the heatmap', ['heatmap t1 @brisbane']],
    ['What about the top 3?', ['rank t1 @brisbane best 3']],
    ['Show its trend', ['trend t1 Q119 @brisbane']],
    ['Compare them', ['compare Q119 Q12 @brisbane']],
    ['What is the T2 of Q3?', ['values t2_echo Q3']],
    ['T2は？', ['rank t2_echo @brisbane lowest 5']],
  ])('%s', (question, asks) => {
    expect(read(question, shortest)).toEqual(asks);
  });

  test('leans on the newest question that was understood, through others', () => {
    const before = [
      ['Show the T1 trend of Q12', ''],
      ['And for Q5?', ''],
      ['Thank you!', ''],
    ] as const;
    expect(read('And T2?', ...before)).toEqual(['trend t2_echo Q5']);
  });

  test('without a question before it is read by itself', () => {
    expect(read('And T2?')).toEqual(['figures t2_echo']);
    expect(read('Show the heatmap')).toEqual(['heatmap']);
  });
});

describe('every word of a question counts', () => {
  test.each<[string, string[]]>([
    // errors and fidelities, gates by the names that the chip has
    [
      'How many couplings have a CZ error above 1 %?',
      ['select error of cz_gate_fidelity 1-cz_gate_fidelity>1%'],
    ],
    [
      'Which CX gates have an error above 5 %?',
      ['select error of zx90_gate_fidelity 1-zx90_gate_fidelity>5%'],
    ],
    ['CZエラーが1%以上のカップリングはいくつ？', ['select error of cz_gate_fidelity 1-cz_gate_fidelity>=1%']],
    [
      'Qubits with readout error ≥ 0.1',
      ['select error of average_readout_fidelity 1-average_readout_fidelity>=0.1'],
    ],
    ['What is the CZ error between 12 and 13?', ['values error of cz_gate_fidelity Q12-13']],
    ['median cz gate time', ['statistic cz_gate_time median']],
    ['What is the X gate fidelity of Q3?', ['values x180_gate_fidelity Q3']],
    // several conditions, ranges, relations
    ['T1 above 200 us and T2 above 200 us', ['select t1 t2_echo t1>200μs and t2_echo>200μs']],
    ['Which qubits have T1 or T2 below 50 us?', ['select t1 t2_echo t1<50μs or t2_echo<50μs']],
    [
      'Which qubits are worse than 100 us in both T1 and T2?',
      ['select t1 t2_echo t1<100μs and t2_echo<100μs'],
    ],
    [
      'T1 below 50 us or readout error above 10 %',
      ['select error of t1 average_readout_fidelity t1<50μs or 1-average_readout_fidelity>10%'],
    ],
    [
      'frequency between 4.8 and 4.9 GHz',
      ['select qubit_frequency qubit_frequency>=4.8GHz and qubit_frequency<=4.9GHz'],
    ],
    ['Which qubits have T2 above 2*T1?', ['select t2_echo t2_echo>2*t1']],
    ['are there qubits whose T2 exceeds twice their T1', ['select t2_echo t2_echo>2*t1']],
    ['Which qubits have a T2/T1 ratio above 2?', ['select t2_echo t1 t2_echo>2*t1']],
    ['How many qubits have T2 below T1?', ['select t2_echo t2_echo<1*t1']],
    ['T2がT1の2倍より大きい量子ビットは？', ['select t2_echo t2_echo>2*t1']],
    ['T1が50μs未満でT2が100μs以上の量子ビットは？', ['select t1 t2_echo t1<50μs and t2_echo>=100μs']],
    ['Which qubits do not have T1 above 50 us?', ['select t1 t1<=50μs']],
    ['no more than 30 us T1, which qubits?', ['select t1 t1<=30μs']],
    ['What percentage of qubits has T1 above 0.2 ms?', ['select t1 t1>0.2ms']],
    [
      'average T1 of the qubits with readout error above 5 %',
      ['select error of t1 average_readout_fidelity 1-average_readout_fidelity>5% mean'],
    ],
    // units, exclusions, numbers of parts
    ['T1 of Q12 in ms', ['values t1 Q12 in ms']],
    ['T1をミリ秒で', ['figures t1 in ms']],
    ['mean T1 without Q12', ['statistic t1 -Q12 mean']],
    ['Q12を除いたT1の平均は？', ['statistic t1 -Q12 mean']],
    ['Which 5 qubits have the worst readout, excluding Q3?', ['rank average_readout_fidelity -Q3 worst 5']],
    ['Show me T1 for qubits 3 to 5', ['compare t1 Q3 Q4 Q5']],
    ['12番のT1は？', ['values t1 Q12']],
    ['best and worst CZ right now', ['rank cz_gate_fidelity best 1', 'rank cz_gate_fidelity worst 1']],
    ['highest and lowest T1', ['rank t1 highest 1', 'rank t1 lowest 1']],
    ['best and worst qubits by T1', ['rank t1 best 5', 'rank t1 worst 5']],
    ['top 3 and bottom 3 qubits by T1', ['rank t1 best 3', 'rank t1 worst 3']],
    ['Compare demo-64 with brisbane in T1', ['figures t1 @demo-64', 'figures t1 @brisbane']],
    // two periods, and one
    [
      'What changed in T1 between 2025-01-22 and 2025-02-26?',
      ['changes t1 2025-02-26..2025-02-27 after 2025-01-22..2025-01-23'],
    ],
    [
      'How did T1 change between December 2021 and May 2024?',
      ['changes t1 2024-05-01..2024-06-01 after 2021-12-01..2022-01-01'],
    ],
    [
      'T1 of Q2 in December 2021 and in May 2024',
      ['periods t1 Q2 2024-05-01..2024-06-01 after 2021-12-01..2022-01-01'],
    ],
    ['T1 of Q10 in April 2024', ['periods t1 Q10 2024-04-01..2024-05-01']],
    [
      'Which 5 qubits lost the most T1 between January 2025 and February 2025?',
      ['changes t1 2025-02-01..2025-03-01 after 2025-01-01..2025-02-01'],
    ],
    // states
    ['Which CZ gates are disabled?', ['states cz_gate_fidelity']],
    ['Is T1 of Q5 longer than T1 of Q6?', ['compare t1 Q5 Q6']],
    ['Is the T1 of Q12 plausible?', ['plausible t1 Q12']],
  ])('%s', (question, asks) => {
    expect(read(question)).toEqual(asks);
  });

  // Turns of phrase, exclusions, claims and typos: how people in a laboratory write.
  test.each<[string, string[]]>([
    ['qubits that do not make it to 60 us of T1', ['select t1 t1<60μs']],
    [
      'any qubits with a readout error of 0.15 or more?',
      [`select ${READOUT} 1-average_readout_fidelity>=0.15`],
    ],
    [
      'how many qubits have neither T1 nor T2 above 100 us',
      ['select t1 t2_echo t1<=100μs and t2_echo<=100μs'],
    ],
    [
      'frequencies in the 4.8-4.9 GHz range',
      ['select qubit_frequency qubit_frequency>=4.8GHz and qubit_frequency<=4.9GHz'],
    ],
    ['does any qubit break the T2 <= 2 T1 limit?', ['select t2_echo t2_echo>2*t1']],
    ['T1 > 70 us but T2 < 50 us', ['select t1 t2_echo t1>70μs and t2_echo<50μs']],
    [
      'mean T1 of all but the qubits with readout error above 10 %',
      [`select error of t1 average_readout_fidelity 1-average_readout_fidelity<=10% mean`],
    ],
    ['average T2, but leave Q10, Q12 and Q13 out of it', ['statistic t2_echo -Q10 -Q12 -Q13 mean']],
    ['best 5 qubits by T1 ignoring 12, 13 and 14', ['rank t1 -Q12 -Q13 -Q14 best 5']],
    ['Mean T2 when Q0 and Q5 are not counted', ['statistic t2_echo -Q0 -Q5 mean']],
    ['average T1 without the broken qubits', ['statistic t1 mean']],
    ['T1 and T2 of 12 and 13', ['compare t1 t2_echo Q12 Q13']],
    ['q27 t1 going down?', ['trend t1 Q27']],
    ['T1 60μs未満は何個', ['select t1 t1<60μs']],
    ['Q0を除いたT2の平均', ['statistic t2_echo -Q0 mean']],
    [
      '読み出しエラーが5%を超えるqubitを除いて、T1の平均を出して',
      [`select ${READOUT} t1 1-average_readout_fidelity<=5% mean`],
    ],
    ['waht is teh T1 fo Q4', ['values t1 Q4']],
    ['wich qubit hsa the longset T2', ['rank t2_echo highest 1']],
    ['raed out errror of qbit 5', [`values error of average_readout_fidelity Q5`]],
    ['T1 of Q5 in seconds', ['values t1 Q5 in s']],
    ['Q6のT1は何秒？', ['values t1 Q6 in s']],
    ['Does Q0 still have its T2 of 51 us?', ['values t2_echo Q0']],
    [
      'Which qubits gained T2 between 2021 and 2024?',
      ['changes t2_echo 2024-01-01..2025-01-01 after 2021-01-01..2022-01-01'],
    ],
    [
      '2021年と2024年でT1が一番下がった量子ビットは？',
      ['changes t1 2024-01-01..2025-01-01 after 2021-01-01..2022-01-01'],
    ],
    ['ratio of T2 to T1 of Q12', ['ratio t2_echo t1 Q12']],
    ['third best T1', ['rank t1 best 3']],
  ])('%s: in plain words', (question, asks) => {
    expect(read(question)).toEqual(asks);
  });

  test('an unknown word of physics is no misspelt one', () => {
    const { corrections } = readQuestion('What is the average charge dispersion?', { now: NOW });
    expect(corrections).toEqual([]);
  });

  test('a day without a year is one that the chip has data of', () => {
    const names = { ...NAMES, dataUntil: new Date('2025-02-26T20:00:00Z') };
    const [ask] = readQuestion('T1 of Q5 on 23 January', { now: NOW, names }).asks;
    expect(ask?.period).toMatchObject({ from: '2025-01-23T00:00:00.000Z' });
  });

  test.each<[string, string]>([
    ['Which qubits have the most volatile T1?', 'volatile'],
    ['what changed compared with the previous snapshot', 'previous snapshot'],
    ['How many gates were disabled in each of the three snapshots?', 'snapshots'],
    ['T1 of the qubits closest to Q5', 'closest'],
    ['average T1 of the worst ten qubits', 'worst'],
    ['Which qubits have the worst T1 this week?', 'this week'],
    ['Which runs failed since 2026-05-01?', 'since 2026-05-01'],
    ['Which qubits have T1 below 50 us and who left notes on them?', 'them'],
    ['T1 for each qubit in row 2', 'row'],
    ['T1 trend of Q3 in ms', 'in ms'],
    ['mean T1 of the neighbours of Q10', 'neighbour'],
    ['what rank does Q7 have in T1', 'rank'],
    ['is Q7 in the top ten by T1', 'top ten'],
    ['Which of Q5 and Q6 had the better T1 in January 2025?', 'better'],
    ['std of T1 in January 2025', 'std'],
    ['T1 of Q5 in January 2025 in ms', 'in ms'],
    ['median T1 in January 2025 without Q3', 'without 3'],
    ['How many gates had a T1 above 50 us in January?', 'in January'],
    ['are there more qubits with T1 above 200 us than below 100 us', 'more'],
    ['Which qubits are among the ten worst both in T1 and in readout?', 'both'],
    ['median of T1 for qubits with number above 100', 'number'],
    ['T1 of even-numbered qubits', 'even-numbered'],
    ['qubits with the most neighbours', 'most neighbours'],
    ['first T1 of Q5', 'first'],
    ['how often was T1 of Q5 measured', 'how often'],
    ['number of T1 measurements of Q5', 'number of'],
    ['T1 of Q5 plus T2 of Q5', 'plus'],
    ['why is Q44 so bad', 'why'],
    ['worst readout ever', 'ever'],
    ['longest gate time', 'gate time'],
    ['Correlation of T1 and T2 for Q0 to Q2', 'Q0, Q1, Q2'],
    ['T1 of the three worst qubits by readout', 'of the three worst qubits by'],
    ['readout error of the qubit with the best T1', 'of the qubit with the best'],
    ['how many of the ten worst T1 qubits have readout error above 5 %', 'of the ten worst'],
    ['how many standard deviations is Q5 below the mean T1', 'standard deviations'],
    ['lowest 10 % of T1', '10 %'],
    ['the T1 of qubit five', 'five'],
    ['did t1 of q5 drop', 'drop'],
    ['t1 q5 before and after 1 feb 2025', 'before and'],
    ['T1 on the last day of January', 'last day'],
    ['T1 of Q5 in Q1 2025', 'quarter'],
    ['which pair of neighbouring qubits has the best T1', 'neighbour'],
    ['any failures today', 'today'],
  ])('%s: not without “%s”', (question, word) => {
    const { asks, unread } = readQuestion(question, { now: NOW, names: NAMES });
    expect([...unread, ...unusedWords(asks)]).toContain(word);
  });

  test.each([
    ['Compare the median T1 of May with June 2024', '2024-05', '2024-06'],
    ['T1 of Q2 in December 2021 and in May', '2021-12', '2022-05'],
    ['T1 of Q2 in December and in January 2022', '2021-12', '2022-01'],
    ['Compare T1 of June 2024 with May', '2024-05', '2024-06'],
  ])('%s: the year that is said once is that of both months', (question, before, after) => {
    const [ask] = readQuestion(question, { now: NOW }).asks;
    const fromOf = (period: Ask['period']) =>
      period !== null && 'from' in period ? period.from?.slice(0, 7) : period;
    expect([fromOf(ask?.before ?? null), fromOf(ask?.period ?? null)]).toEqual([before, after]);
  });

  test('a sentence that asks nothing is named, and a number or a “not” in it stops the answer', () => {
    const read = (question: string) => {
      const { asks, unread, asides } = readQuestion(question, { now: NOW });
      return [asks.map(({ kind }) => kind), unread, asides];
    };
    expect(read('Who won the world cup and what is T1 of Q5?')).toEqual([
      ['values'],
      [],
      ['Who won the world cup'],
    ]);
    expect(read('Nothing without notes. What is the median T1?')).toEqual([
      expect.arrayContaining(['statistic']),
      expect.arrayContaining(['without']),
      [],
    ]);
    expect(read('Thank you! What is T1 of Q5?')).toEqual([['values'], [], []]);
  });

  test.each<[string, string[]]>([
    ['sort qubits 0, 1, 2 and 3 by T1, the longest first', ['rank t1 Q0 Q1 Q2 Q3 highest 100']],
    ['order the qubits by T1 from long to short', ['rank t1 highest 100']],
    ['CXエラーが大きいカップリングを上から3つ', ['rank error of zx90_gate_fidelity highest 3']],
    ['How many CNOTs are worse than 1 %?', ['select zx90_gate_fidelity 1-zx90_gate_fidelity>1%']],
    ['CNOT pairs above 1.7e-2', ['select zx90_gate_fidelity 1-zx90_gate_fidelity>0.017']],
    [
      '周波数が4.75〜4.85GHzの量子ビット',
      ['select qubit_frequency qubit_frequency>=4.75GHz and qubit_frequency<=4.85GHz'],
    ],
    ['全量子ビットのT1の平均と標準偏差', ['statistic t1 stdev', 'statistic t1 mean']],
  ])('order, size and figures of “%s”', (question, expected) => {
    expect(read(question)).toEqual(expected);
  });

  test.each<[string, string]>([
    ['for which days of April 2026 do we have no T1 of Q4', 'which days'],
    ['Q1のT1が40μsを下回った日は何日ありましたか', '何日'],
    ['how long does a readout take, in microseconds', 'in μs'],
    ['qubits that have exactly three neighbors', 'three neighbors'],
    ['Take away the five qubits with the worst readout. What is the median T1 of the others?', 'others'],
  ])('“%s” is not answered: %s', (question, word) => {
    expect(readQuestion(question, { now: NOW }).unread).toEqual(expect.arrayContaining([word]));
  });

  test('a misspelt word is named as it was read', () => {
    const { asks, unread, corrections } = readQuestion('Which qubit has the longets T2?', { now: NOW });
    expect([asks.map(brief), unread]).toEqual([['rank t2_echo highest 1'], []]);
    expect(corrections).toEqual([{ written: 'longets', read: 'longest' }]);
  });

  test('a gate goes by the name that the chip has for it, and by no other gate of the chip', () => {
    const names = { ...NAMES, parameters: ['t1', 'cz_gate_fidelity'] };
    const metricOf = (question: string) => readQuestion(question, { now: NOW, names }).asks[0]?.metrics;
    expect(metricOf('median two-qubit gate error')).toEqual(['cz_gate_fidelity']);
    expect(metricOf('Which couplings are the worst?')).toEqual(['cz_gate_fidelity']);
    expect(metricOf('median CNOT error')).toEqual(['cx_gate_fidelity']);
  });
});

describe('a longer task is distinguished from a question', () => {
  test.each([
    ['Write me a report of this chip', 'writer'],
    ['Could you please prepare a calibration report for demo-64?', 'writer'],
    ['このチップのレポートを書いて', 'writer'],
    ['Investigate why T1 of Q27 falls', 'researcher'],
    ['Q27のT1が下がっている原因を調査してください', 'researcher'],
    ["Plan tomorrow's calibrations", 'calibrator'],
    ['明日の較正計画を立てて', 'calibrator'],
    ['Write a script that compares T1 with T2', 'coder'],
    ['T1の分布を出すスクリプトを書いて', 'coder'],
  ])('%s: a job of the %s', (question, expert_id) => {
    const call = jobRequestIn(question, []);
    expect(call?.name).toBe('propose_job');
    const chip = question.includes('demo-64') ? { chip_id: 'demo-64' } : {};
    expect(JSON.parse(call?.arguments ?? '')).toEqual({ expert_id, description: question, ...chip });
  });

  test.each([
    'Why does T1 of Q27 fall?',
    'What is in the newest report?',
    'Show a summary report of the chip',
    'Report T1 of Q3',
    'Which measurements are planned for tomorrow?',
    'T1の変化を調べて',
    '原因は何ですか？',
    '較正の計画はありますか？',
  ])('%s is only asked', (question) => {
    expect(jobRequestIn(question, [])).toBeNull();
  });

  test('a job is about the chip that its request names', () => {
    const call = jobRequestIn('Write a report on torino', ['demo-64', 'torino']);
    expect(JSON.parse(call?.arguments ?? '')).toMatchObject({ chip_id: 'torino' });
  });
});
