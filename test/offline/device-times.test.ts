/** Times, statistics and ends of an order on real devices; each figure was read from the files by other code. */
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openSandbox } from '../../packages/python-sandbox/test/support/sandbox.ts';
import { ALL_TOOLS } from '../../src/agent/tools/all-tools.ts';
import { openCalibrationWriter } from '../../src/import/calibration-writer.ts';
import { createOfflineAnalyst } from '../../src/offline/offline-analyst.ts';
import { createCalibrationServices } from '../../src/services/calibration/calibration-services.ts';
import type { CalibrationServices } from '../../src/services/calibration/calibration-services.ts';
import { createMongoCalibrationStore } from '../../src/stores/mongo/calibration-store.ts';
import { importHeldOut3 } from '../eval/held-out-3/read.ts';
import { importPairs, PROJECT } from '../eval/lab.ts';
import { ofType, runTurn, type FinishedRun } from '../support/agent-run.ts';
import { shippedMetrics, shippedTopologies } from '../support/catalogue.ts';
import { createTestMongo, type TestMongo } from '../support/databases.ts';
import { DEMO_NOW, demoViewer } from '../support/demo-database.ts';
import { describeWithSharedData, sharedPath } from '../support/shared-data.ts';
import { openToolBench } from '../support/tool-bench.ts';

describeWithSharedData('an answer is about what the question names', () => {
  const analyst = createOfflineAnalyst({ now: () => DEMO_NOW, wordDelayMs: 0 });
  const sandbox = openSandbox();
  let mongo: TestMongo;
  let client: MongoClient;
  let services: CalibrationServices;

  beforeAll(async () => {
    mongo = await createTestMongo({ large: true });
    client = await MongoClient.connect(mongo.uri);
    const db = client.db(mongo.dbName);
    const writer = await openCalibrationWriter(db);
    await importHeldOut3(writer, sharedPath('data'), PROJECT);
    const days = ['2025-01-22', '2025-02-26'];
    const files = days.flatMap((day) => ['props', 'conf'].map((part) => `${part}_fez.${day}.json`));
    await importPairs(
      writer,
      files.map((file) => sharedPath(`data/ibm-history/${file}`)),
    );
    services = createCalibrationServices({
      store: createMongoCalibrationStore(db),
      metrics: shippedMetrics,
      topologies: shippedTopologies,
      project: null,
      now: () => DEMO_NOW,
    });
  }, 120_000);

  afterAll(async () => {
    await sandbox.close();
    await client?.close();
    await mongo?.drop();
  });

  const ask = (chipId: string, question: string): Promise<FinishedRun> => {
    const { context } = openToolBench({ services, viewer: demoViewer, chipId, now: DEMO_NOW, sandbox });
    return runTurn(analyst, ALL_TOOLS, {
      createToolContext: () => context,
      input: [{ type: 'user', text: question }],
    });
  };

  test.each<[string, string, RegExp]>([
    // a named part that is not in the state, and since when one is
    ['fez', 'Since when is the CZ on 0-1 disabled?', /^Q000-Q001 is not disabled:.*CZ .* 98\.98 %/su],
    ['fez', '3-4のCZはいつから使えない？', /^Q003-Q004は、fezの無効なカップリングには含まれていません/u],
    [
      'fez',
      'Since when is CZ 80-81 disabled?',
      /Q080-Q081 \(last good 99\.80 % at 2025-01-22 .* some time after/u,
    ],
    [
      'fez',
      'disabled CZ gates today and on 22 January 2025, how many each',
      /^I did not understand “how many”/u,
    ],
    // qubits by their gates
    ['fez', 'Which qubits have at least two disabled CZ gates?', /^I did not understand “Which qubits”/u],
    ['fez', 'すべてのCZゲートが無効な量子ビットは？', /^この質問の「量子ビット」/u],
    // the statistic that is named
    [
      'fez',
      'Mean T1 on 22 January 2025 and on 26 February 2025',
      /Mean of 156 .*: 134\.4 μs .*, 145\.3 μs /u,
    ],
    ['fez', '2025年1月22日と2月26日のT1の平均値を比べて', /平均 （156個）: 134\.4 μs .*145\.3 μs /u],
    [
      'athens',
      'How far did the T1 of Q1 scatter in November 2020 (standard deviation)?',
      /Q01: sample standard deviation 14\.66 μs of 29 results/u,
    ],
    ['athens', '90th percentile of T1 of Q0 in November 2020', /^I did not understand/u],
    ['athens', 'How much percent did the mean T1 of Q0 change from October to November 2020?', /^I did not/u],
    // a number of parts as the answer
    [
      'fez',
      'From the 23 January 2025 snapshot to the 26 February 2025 one, how many qubits ended up with a shorter T1?',
      /^I did not understand “(?:how many|shorter)/u,
    ],
    // figures are rounded once
    ['platinum', 'f01 of Q1 in March 2025 and in May 2026', /4\.8136 GHz .*: 4\.8157 GHz/u],
    // a small number beside a fidelity is an error
    [
      'fez',
      'cz pairs above 1.7e-2',
      /^6 of 176 couplings on fez have CZ Gate Error above 1\.7 % .*: Q153-Q154 5\.00 %/u,
    ],
    // names were looked up on the chip of the conversation, whose times are none of the answer's
    [
      'athens',
      'cz pairs of fez above 1.7e-2',
      /^6 of 176 couplings on fez (?!.*2020).* measured from 2025-02-16/su,
    ],
    // the end of the order
    ['athens', '2020年10月20日にT1が最も長かったのはどの量子ビット？', /Q02 93\.59 μs。/u],
    ['athens', '2020年10月20日にT1が最も短かったのはどの量子ビット？', /Q03 44\.68 μs。/u],
    ['athens', '2020年10月20日に一番のT1は？', /^この質問の「一番」/u],
    [
      'fez',
      'Which CZ gate was best on 22 January 2025?',
      /CZ Gate Fidelity on fez in 2025-01-22, of 173 parts measured then, highest first: Q117-Q125/u,
    ],
    // a pair counts once, and so it is no part of a count of directions
    [
      'fez',
      'Which CZ gates lost most between 22 January and 26 February 2025?',
      /- 123 parts with a value at both times went down; largest change first:\n- Q153-Q154: 97\.04 %/u,
    ],
    // a day as the answer
    [
      'athens',
      'On which date was the readout error of Q4 lowest?',
      /lowest [\d.]+ % \(2020-\d\d-\d\d .* of 55/u,
    ],
    ['athens', 'いつQ2の読み出しエラーが最も高かった？', /55件のうち最大は 7\.87 % \(2020-10-07 /u],
    ['athens', 'Which day had the lowest readout error?', /^I did not understand “Which day”/u],
    ['athens', 'When did T1 of Q0 start to fall?', /^I did not understand/u],
    ['athens', 'How long did T1 of Q1 stay above 80 us?', /^I did not understand “How long did”/u],
    // values one by one
    [
      'athens',
      'T1 of Q3 per day from 1 to 5 November 2020',
      /5 results: 80\.44 μs \(2020-11-01 .*, 86\.89 .*, 107\.2 .*, 61\.18 .*, 68\.34 /u,
    ],
    [
      'athens',
      'Q2の読み出しエラーを2020年10月20日から24日まで日別に',
      /5件: 1\.43 % .*1\.35 % .*1\.15 % .*1\.33 % .*1\.36 %/u,
    ],
    [
      'athens',
      'average T1 per day over all qubits, 20 to 24 October 2020',
      /^I did not understand “per day”/u,
    ],
    // each quantity against its own figure
    [
      'fez',
      'How many qubits have T1 above the median and T2 below the median?',
      /have T1 above 144\.\d+ μs and T2 Echo below (?!144)[\d.]+ μs/u,
    ],
    // other words for disabled
    ['fez', 'How many CZ gates are offline?', /^Disabled on fez, by coupling:.*CZ Gate Fidelity: 7 \(/su],
    ['fez', 'Which CZ gates are not offline?', /^169 of 176/],
    ['fez', 'Which gates are disabled?', /CZ Gate Fidelity: 7 \(.*RZZ Gate Fidelity: 49 \(/su],
    [
      'fez',
      'Is Q0-Q1 disabled?',
      /^Disabled on fez, by coupling:\n\n- RZZ Gate Fidelity: 1 \(Q000-Q001\)(?!.*not disabled)/su,
    ],
    // a count of qubits is none, and that of gates is apart, also where the chip is named
    [
      'fez',
      'How many switched-off qubits are there on fez?',
      /^No qubit of fez is disabled, by the current values of 156 qubits\.\n\nDisabled on fez, by coupling:\n\n- RZZ Gate Fidelity: 49 /,
    ],
    [
      'fez',
      '無効な量子ビットはいくつありますか？',
      /^fezの量子ビット156個の現在の値では、無効なものはありません。/,
    ],
    ['fez', 'Qubits that sit on at least one switched-off CZ', /^I did not understand “Qubits”/],
    [
      'fez',
      'Has any qubit been cut off entirely, i.e. all its CZs are down?',
      /^I did not understand “(?:cut|Has)/,
    ],
    // A month is answered with its own results; if it has none, with the last result before it.
    ['athens', 'T1 of Q1 in October 2020', /Q01: 25 results(?!.*2020-1[12])/su],
    ['athens', 'T1 of Q1 in January 2021', /Q01: not measured in 2021-01; .*2020-12-01/su],
    ['fez', '156個のうちT1が100μs未満の量子ビットは何個？', /量子ビット156個のうち/u],
  ])('%s: %s', async (chipId, question, answer) => {
    expect((await ask(chipId, question)).text).toMatch(answer);
  });

  test('the results of a month are as old as that month', async () => {
    const { activities } = await ask('athens', 'T1 of Q1 in October 2020');
    const times = ofType(activities, 'tool-finished').flatMap(({ call }) => {
      const { newestAt, oldestAt } = call.freshness ?? {};
      return [oldestAt ?? [], newestAt ?? []].flat().map((at) => at.toISOString().slice(0, 7));
    });
    expect(new Set(times)).toEqual(new Set(['2020-10']));
  });

  // [chip of the conversation, question, the calls of which chip, the answer]
  test.each<[string, string, readonly string[], RegExp]>([
    [
      'fez',
      'How healthy is athens?',
      ['list_entities', 'get_chip_summary athens'],
      /^athens: 5 qubits(?!.*2025).* measured 2020-12-01/s,
    ],
    [
      'fez',
      'Two-qubit gate error of 0-1 of athens',
      ['list_entities', 'list_available_parameters athens', 'query_values athens'],
      /^ZX90 Gate Error of Q00-Q01 on athens: 0\.85 %/,
    ],
    [
      'fez',
      'Look at athens. What is the T1 of Q3?',
      ['list_entities', 'get_qubit_params athens'],
      /^Q03 on athens: T1/,
    ],
    ['athens', 'Which tasks are there on fez?', ['list_entities fez'], /^fez: 19 tasks: CZ/],
    // of the chip of the conversation names are looked up in one round, and none where each word is read
    [
      'fez',
      'Two-qubit gate error of 0-1',
      ['list_available_parameters', 'query_values'],
      /^CZ Gate Error of Q000-Q001 on fez: 1\.02 %/,
    ],
    ['fez', 'T1 of Q3', ['get_qubit_params'], /^Q003 on fez: T1/],
  ])('%s: %s reads only what it means', async (chipId, question, calls, answer) => {
    const { text, activities } = await ask(chipId, question);
    expect(text).toMatch(answer);
    const made = ofType(activities, 'tool-started').map(({ call }) => {
      const { chip_id: chip } = call.arguments as { readonly chip_id?: string | null };
      return `${call.tool} ${chip ?? ''}`.trim();
    });
    expect(made).toEqual(calls);
  });
});
