import { describe, expect, test } from '@jest/globals';
import { languageOf, WORDS } from '../../src/offline/analyst/messages.ts';

const JAPANESE = WORDS.ja;

describe('a line of a tool in Japanese', () => {
  test.each([
    [
      'T1: 59.50 μs (± 1.9 μs, good, 2026-05-18 23:22 UTC).',
      'T1: 59.50 μs（± 1.9 μs、良好、2026-05-18 23:22 UTC）。',
    ],
    [
      'A newer run failed, so the last good value is kept: Q12 (failed 2026-05-19 23:18 UTC; value of 2026-05-18 23:21 UTC).',
      'その後の測定が失敗したため、直前の良好な値を使用: Q12（2026-05-19 23:18 UTCの測定が失敗、値は2026-05-18 23:21 UTCのもの）。',
    ],
    ['T1: Q12 59.50 μs, Q13 78.14 μs.', 'T1: Q12 59.50 μs、Q13 78.14 μs。'],
    [
      'Average Readout Fidelity: median 96.66 %, 77.25 % to 99.16 % (63 of 64 qubits).',
      'Average Readout Fidelity: 中央値 96.66 %、最小 77.25 %、最大 99.16 %（量子ビット64個中63個）。',
    ],
    [
      'Qubit Anharmonicity: median -301.6 MHz, -329.6 MHz to -269.6 MHz (64 qubits).',
      'Qubit Anharmonicity: 中央値 -301.6 MHz、最小 -329.6 MHz、最大 -269.6 MHz（量子ビット64個）。',
    ],
    [
      'The 2 worst ZX90 Gate Fidelity of 112 couplings on demo-64: Q47-Q45 95.78 % (good), Q31-Q45 95.97 % (good).',
      'demo-64の112カップリングのうち、ZX90 Gate Fidelityが悪い順に2個: Q47-Q45 95.78 %（良好）、Q31-Q45 95.97 %（良好）。',
    ],
    [
      'T1: 64 of 64 differ, 38 better and 26 worse, 2 by more than 3 sigma; median 82.09 μs before, 83.72 μs after; largest move first: Q27 -68.28 μs (105.8 μs before, 37.47 μs after).',
      'T1: 64件中64件が変化、改善38、悪化26、3σ超 2；中央値 82.09 μsから83.72 μs；変化の大きい順: Q27 -68.28 μs（105.8 μsから37.47 μs）。',
    ],
    [
      'Q12: newest 59.50 μs ± 1.9 μs, 59.50 μs to 64.92 μs over 5 results, falling (worse).',
      'Q12: 最新 59.50 μs ± 1.9 μs、5件で最小 59.50 μs、最大 64.92 μs、低下（悪化）。',
    ],
    [
      'Trends: 26 rising (better), largest change first: Q35, Q48 and 24 more; 8 unchanged; 3 no clear trend.',
      '傾向: 上昇（改善） 26個、変化の大きい順: Q35、Q48ほか24；変化なし 8個；明確な傾向なし 3個。',
    ],
    [
      'The 2 worst CZ Gate Fidelity of 9 couplings on fez: Q0-Q1 0.00 % (bad, tied), Q1-Q2 0.00 % (bad, tied).',
      'fezの9カップリングのうち、CZ Gate Fidelityが悪い順に2個: Q0-Q1 0.00 %（不良、同値）、Q1-Q2 0.00 %（不良、同値）。',
    ],
    [
      'The score: +1.21 532 values of qubits; −0.10 22 disabled gates; −0.17 114 values older than allowed, up to 92 days.',
      '点の内訳: +1.21 量子ビットの値532件；−0.10 無効なゲート22個；−0.17 許容より古い値114件（最大92日）。',
    ],
    [
      'Disabled: CZ Gate Fidelity on 22 of 300 couplings (Q015-Q019, Q019-Q015 and 20 more).',
      '無効: CZ Gate Fidelity カップリング300個中22個（Q015-Q019、Q019-Q015ほか20）。',
    ],
    ['3 more are tied with the last of these.', '最後の値と同じものがほかに3個あります。'],
    [
      'T1 on fez (latest result of each): 5 of 5 qubits, median 1.00 μs, mean 1.00 μs, lowest Q0, Q1 (tied) 1.00 μs, highest Q2 2.00 μs.',
      'fezのT1: 5量子ビット中5、中央値 1.00 μs、平均 1.00 μs、最小 Q0、Q1（同値） 1.00 μs、最大 Q2 2.00 μs。',
    ],
    [
      'Changes: 5 of 64 shown, most sigma first: Q27 -22.53 μs (10.5 sigma, worse).',
      '変化（64件中5件、σの大きい順）: Q27 -22.53 μs（10.5 σ、悪化）。',
    ],
    [
      'Mean of 64 qubits: 78.49 μs, before 78.41 μs; +0.0810 μs (0.1 sigma, within its error).',
      '64量子ビットの平均: 78.49 μs、以前は 78.41 μs、変化 +0.0810 μs（0.1 σ、誤差の範囲内）。',
    ],
    [
      '1 outlier among T1 and T2 Echo on demo-64: Q45 T1 9.65 μs (11.2 deviations below the median).',
      'demo-64のT1、T2 Echoの外れ値は1個: Q45 T1 9.65 μs（中央値より偏差11.2個分低い）。',
    ],
    [
      'CheckT1 of Q12 failed (2026-05-19 23:22 UTC): R² of 0.31 is not above 0.70: outputs discarded.',
      'Q12のCheckT1は失敗（2026-05-19 23:22 UTC）: R² of 0.31 is not above 0.70: outputs discarded。',
    ],
    [
      'On Q27: “T1 has been falling. Watch it.” (qpilot, 2026-05-19 00:00 UTC).',
      'Q27: “T1 has been falling. Watch it.”（qpilot, 2026-05-19 00:00 UTC）。',
    ],
    [
      '37 of 64 qubits on demo-64 have T1 above 75 μs and T2 Echo above 2 times T1 (57.8 %); T1, highest first: Q31 120.1 μs, Q28 119.0 μs and 35 more.',
      'demo-64の量子ビット64個のうち、T1が75 μsを超える、かつT2 EchoがT1の2倍を超えるものは37個（57.8 %）。T1（高い順）: Q31 120.1 μs、Q28 119.0 μs ほか35個。',
    ],
    [
      'Q21 T1: stored 55.2 ± 1.7 μs (2026-05-19 23:22 UTC), live 43.08 ± 0.52 μs (2026-05-20 00:53 UTC), live minus stored -12.2 μs (-7.0 standard deviations): DRIFT, more than 3 standard deviations apart.',
      'Q21 T1: 保存値 55.2 ± 1.7 μs（2026-05-19 23:22 UTC）、ライブ値 43.08 ± 0.52 μs（2026-05-20 00:53 UTC）、差（ライブ−保存）-12.2 μs（-7.0σ）。判定 DRIFT（差が3σを超える）。',
    ],
  ])('%s', (line, expected) => {
    expect(JAPANESE.toolLine(line)).toBe(expected);
  });

  test('of a form that nobody knows stays as it is', () => {
    expect(JAPANESE.toolLine('The moon is full.')).toBe('The moon is full.');
  });
});

describe('a refusal of a tool in Japanese', () => {
  test.each([
    [
      'there is no qubit 99 on chip demo-64; its qubits: Q00, Q01 and 62 more',
      '調べられませんでした。demo-64に量子ビット99はありません。あるのはQ00、Q01ほか62です。',
    ],
    [
      'name: there is no metric purity; qubit metrics: t1, t2_echo and 6 more',
      '調べられませんでした。パラメータpurityはありません。あるのはt1、t2_echoほか6です。',
    ],
    ['it took too long', '調べられませんでした。理由: it took too long'],
  ])('%s', (reason, expected) => {
    expect(JAPANESE.t('notLookedUp', { reason })).toBe(expected);
  });
});

test.each([
  ['T1 of Q5?', 'Answer in the language of the latest message.', 'en'],
  ['Q5のT1は?', 'Answer in Japanese, the language of the latest message; names stay as they are.', 'ja'],
  ['Q5 T1 推移', 'Answer in the language of the latest message.', 'ja'],
  ['T1 of Q5?', 'Answer in Japanese; names stay as they are.', 'ja'],
  ['Q5のT1は?', 'Reason in German. Answer in English; names stay as they are.', 'en'],
] as const)('%s with “%s” is answered in %s', (question, instructions, language) => {
  expect(languageOf(question, instructions)).toBe(language);
});
