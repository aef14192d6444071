/** One snapshot of 127 qubits, one dead gate, two qubits whose T2 cannot be true, T1 values up to a month old. */
import { medianOf } from '../data/arithmetic.ts';
import type { Snapshot } from '../held-out/device.ts';
import {
  ask,
  falling,
  leaving,
  meanBy,
  medianBy,
  neighbours,
  pair,
  pairsOf,
  qubit,
  rising,
  type HeldOut,
} from '../held-out/held-out.ts';
import {
  beyond,
  count,
  day,
  either,
  error,
  expects,
  ghz,
  inOrder,
  inUnit,
  misleading,
  naming,
  nothing,
  only,
  says,
  us,
  without,
} from '../scoring/expectation.ts';
import { BELOW, deviations, DISABLED, DOUBT, NO, OLD, percentiles, plain } from './facts.ts';

const sx = (now: Snapshot) => now.qubits.map(({ id }) => ({ id, error: now.record(id, 'gate_error', 'sx') }));
const T1_OR_T2 = misleading(/\bT[12]\b/u, 'T1 or T2');

export const BRISBANE: readonly HeldOut[] = [
  ask('one value', 'whats the t1 of q57', ({ now }) => expects(us('57', qubit(now, 57).t1))),
  ask('one value', 'Could you kindly tell me the readout assignment error of qubit 61?', ({ now }) =>
    expects(error('61', qubit(now, 61).readout)),
  ),
  ask('one value', 'anharmonicity Q45', ({ now }) => expects(ghz('45', qubit(now, 45).anharmonicity ?? 0))),
  ask('one value', '量子ビット100の周波数を教えてください', ({ now }) =>
    expects(ghz('100', qubit(now, 100).frequency ?? 0)),
  ),
  ask('one value', 'For qubit 68: how often do we read a 0 although we prepared a 1?', ({ now }) =>
    expects(error('68', now.record('68', 'prob_meas0_prep1'))),
  ),
  ask('several values', 'I need the ecr errors on 62-72, 61-62 and 62-63', ({ now }) =>
    expects(...['62-72', '61-62', '62-63'].map((id) => error(id, pair(now, id).error))),
  ),
  ask('several values', 'Q5とQ95の読み出しエラーとT1を並べて', ({ now }) =>
    expects(
      ...[5, 95]
        .map((id) => qubit(now, id))
        .flatMap(({ id, t1, readout }) => [error(id, readout), us(id, t1)]),
    ),
  ),
  ask('rankings', 'The three qubits that read out worst, worst one first, with their errors.', ({ now }) => {
    const worst = falling(now.qubits, (row) => row.readout).slice(0, 3);
    return expects(inOrder(worst), ...worst.map((row) => error(row.id, row.readout)));
  }),
  ask('rankings', 'rank the eight worst ecr gates but skip the one thats dead', ({ now }) => {
    const worst = falling(now.working, (row) => row.error).slice(0, 8);
    return expects(inOrder(worst), ...worst.map((row) => error(row.id, row.error)));
  }),
  ask('rankings', 'T2が短い順に4つ', ({ now }) => {
    const worst = rising(now.qubits, (row) => row.t2).slice(0, 4);
    return expects(inOrder(worst), ...worst.map((row) => us(row.id, row.t2)));
  }),
  ask('two parts', 'Which qubit sits at the lowest frequency, and which one at the highest?', ({ now }) => {
    const all = rising(now.qubits, (row) => row.frequency ?? 0);
    const ends = [all[0], all.at(-1)].flatMap((row) => row ?? []);
    return expects(only(ends), ...ends.map((row) => ghz(row.id, row.frequency ?? 0)));
  }),
  ask('statistics', "What's the 90th percentile of the readout error?", ({ now }) =>
    expects(
      either(
        ...percentiles(
          now.qubits.map((row) => row.readout),
          90,
        ).map((value) => [error(null, value)]),
      ),
    ),
  ),
  ask('statistics', 'std of T1 pls', ({ now }) =>
    expects(either(...deviations(now.qubits.map((row) => row.t1)).map((value) => [us(null, value)]))),
  ),
  ask('statistics', 'SXゲートのエラーの中央値はいくつ？', ({ now }) =>
    without(expects(error(null, medianOf(sx(now).map((row) => row.error)))), T1_OR_T2),
  ),
  ask('conditions', 'Which qubits lie between 4.60 and 4.70 GHz?', ({ now }) =>
    expects(only(now.qubits.filter(({ frequency }) => (frequency ?? 0) >= 4.6 && (frequency ?? 0) <= 4.7))),
  ),
  ask('conditions', 'Show me the qubits where neither T1 nor T2 gets past 105 microseconds.', ({ now }) =>
    expects(only(now.qubits.filter((row) => row.t1 <= 105 && row.t2 <= 105))),
  ),
  ask('conditions', 'T1が300μsを超えていて、読み出しエラーが1%未満の量子ビットは？', ({ now }) =>
    expects(only(now.qubits.filter((row) => row.t1 > 300 && row.readout < 0.01))),
  ),
  ask('conditions', 'everything with an sx error worse than 1e-3 please', ({ now }) =>
    without(expects(only(sx(now).filter((row) => row.error > 1e-3))), misleading(/\bT1\b/u, 'T1')),
  ),
  ask('operational state', 'is anything switched off at the moment', ({ now }) =>
    naming(expects(only(now.disabled), DISABLED), '24', '25'),
  ),
  ask('operational state', 'can i run ecr on 24 25', () =>
    without(naming(expects(DISABLED), '24-25', '24', '25'), misleading(/\byes\b/iu, 'yes')),
  ),
  ask('operational state', '今動いているECRゲートは全部で何個？', ({ now }) =>
    expects(count(now.working.length)),
  ),
  ask('operational state', 'Q25でまだ使えるECRゲートはどれですか', ({ now }) =>
    naming(expects(only(pairsOf(now, 25).filter((row) => !row.isDisabled))), '25', '24', '26'),
  ),
  ask('health', 'hows the chip doing overall', () =>
    expects(says(/24[^\n\d]{0,6}25|25[^\n\d]{0,6}24|disabled|out of service/iu, 'the disabled gate'), OLD),
  ),
  ask('health', 'Where should the next calibration shift start? Tell me what is worst here and why.', () =>
    expects(
      says(/\bQ?0*(?:119|95)\b|24[^\n\d]{0,6}25|25[^\n\d]{0,6}24/u, 'a part that really is worst'),
      says(/\d ?(?:%|μs|us|ms)|disabled/u, 'why'),
    ),
  ),
  ask('health', 'About to run something on qubits 16 to 20. Anything there I should worry about?', () =>
    expects(
      says(
        /19[^\n\d]{0,6}20|20[^\n\d]{0,6}19|\bQ0*16\b[^\n]*(?:T2|17\.1)/u,
        'the bad gate 19-20 or the short T2 of Q16',
      ),
    ),
  ),
  ask('periods and trends', 'how many of the T1 numbers were taken before 30 January 2025', ({ now }) =>
    expects(count(now.qubits.filter((row) => row.t1At < new Date('2025-01-30T00:00:00-05:00')).length)),
  ),
  ask('past or current', 'When was the T1 of Q102 last measured?', ({ now }) =>
    expects(either([day(qubit(now, 102).t1At)], [day(new Date('2025-01-31'))])),
  ),
  ask('what changed', 'has Q119 got worse compared with the calibration before?', () =>
    nothing(
      /only one|one (?:value|snapshot|measurement|result)|single|no (?:earlier|previous|older|second|other)|nothing (?:earlier|to compare)|needs? two|too few/iu,
    ),
  ),
  ask('comparisons', 'is Q48 below the chip median in T1 and by how much', ({ now }) => {
    const [own, middle] = [qubit(now, 48).t1, medianBy(now.qubits, (row) => row.t1)];
    return expects(
      us('48', own),
      BELOW,
      either([us(null, middle)], [us(null, middle - own)], [us(null, own - middle)]),
    );
  }),
  ask('comparisons', 'How many times longer does Q23 live than Q119 (T1)?', ({ now }) => {
    const [a, b] = [qubit(now, 23).t1, qubit(now, 119).t1];
    return expects(
      either([plain(null, a / b)], [us('23', a), us('119', b)]),
      says(
        /\b4[23](?:\.\d+)?(?: ?[x×]| times|-fold| 倍)|(?:factor|ratio)[^.]{0,20}4[23]/iu,
        'how many times',
      ),
    );
  }),
  ask('topology', 'neighbours of 62?', ({ now }) =>
    naming(expects(only(neighbours(now, 62))), '62', ...pairsOf(now, 62).map(({ id }) => id)),
  ),
  ask('topology', 'Which qubits hang on just a single coupler?', ({ now }) =>
    expects(only(now.qubits.filter(({ id }) => pairsOf(now, id).length === 1))),
  ),
  ask('topology', 'Are qubits 5 and 7 directly coupled?', () =>
    naming(expects(NO), '5', '7', '5-7', '6', '5-6', '6-7', '4-5', '4', '7-8', '8'),
  ),
  ask('topology', 'Q62に隣接する量子ビットの中でT1が一番長いのはどれ？', ({ now }) => {
    const [best] = falling(
      neighbours(now, 62).map(({ id }) => qubit(now, Number(id))),
      (row) => row.t1,
    );
    return naming(
      expects(inOrder(best === undefined ? [] : [best]), us(best?.id ?? '', best?.t1 ?? 0)),
      '62',
      ...neighbours(now, 62).flatMap(({ id }) => (id === best?.id ? [] : [id])),
      ...pairsOf(now, 62).map(({ id }) => id),
    );
  }),
  ask('topology', 'what is the worst ecr that touches q20', ({ now }) => {
    const [worst] = falling(pairsOf(now, 20), (row) => row.error);
    return naming(
      expects(
        inOrder(worst === undefined ? [] : [worst]),
        error(worst?.id ?? '', worst?.error ?? 0),
        says(/worst|highest|largest|lowest|biggest/iu, 'which one is the worst'),
      ),
      '20',
    );
  }),
  ask('plausibility', 'Any qubit whose T2 is physically impossible given its T1?', ({ now }) =>
    expects(only(now.qubits.filter((row) => row.t2 > 2 * row.t1))),
  ),
  ask('plausibility', 'sx error on Q95, is that number for real??', ({ now }) =>
    expects(error('95', now.record('95', 'gate_error', 'sx')), DOUBT),
  ),
  ask('notes and exclusions', 'mean T1 ignoring qubits 119, 48 and 102', ({ now }) =>
    naming(
      expects(
        us(
          null,
          meanBy(leaving(now.qubits, 119, 48, 102), (row) => row.t1),
        ),
      ),
      '119',
      '48',
      '102',
    ),
  ),
  ask(
    'notes and exclusions',
    'Take away the five qubits with the worst readout. What is the median readout error of the others?',
    ({ now }) => {
      const worst = falling(now.qubits, (row) => row.readout).slice(0, 5);
      return naming(
        expects(
          error(
            null,
            medianBy(leaving(now.qubits, ...worst.map(({ id }) => id)), (row) => row.readout),
          ),
        ),
        ...worst.map(({ id }) => id),
      );
    },
  ),
  ask('notes and exclusions', 'did somebody leave a remark about Q95?', () =>
    nothing(/\bnote|remark|comment|nobody|wrote/iu),
  ),
  ask('units', 'T1 of Q30 in seconds', ({ now }) => expects(inUnit('s', '30', qubit(now, 30).t1 * 1e-6))),
  ask('units', 'Q64のT2をミリ秒で', ({ now }) => expects(inUnit('ms', '64', qubit(now, 64).t2 / 1000))),
  ask('units', 'how long does a readout take, in microseconds', ({ now }) =>
    expects(inUnit('μs', null, now.record('0', 'readout_length') / 1000)),
  ),
  ask('not in the data', 'leakage rate of Q10?', () => nothing(/leak/iu)),
  ask('not in the data', 'ecr error for the pair 0-2', () => nothing(/0[^\n\d]{1,6}0?2\b/u)),
  ask('outside the field', 'who won the football world cup in 2022', beyond),
  ask('outside the field', '明日の東京の天気は？', beyond),
  ask(
    'two parts',
    'how many qubits have a T1 shorter than 100 us and which of them is the worst',
    ({ now }) => {
      const short = rising(
        now.qubits.filter((row) => row.t1 < 100),
        (row) => row.t1,
      );
      const [worst] = short;
      return naming(
        expects(count(short.length), us(worst?.id ?? '', worst?.t1 ?? 0)),
        ...short.map(({ id }) => id),
      );
    },
  ),
  ask('two parts', 'Longest T1 and where? Shortest T2 and where?', ({ now }) => {
    const [t1] = falling(now.qubits, (row) => row.t1);
    const [t2] = rising(now.qubits, (row) => row.t2);
    return expects(us(t1?.id ?? '', t1?.t1 ?? 0), us(t2?.id ?? '', t2?.t2 ?? 0));
  }),
  ask('follow-ups', ['3 worst qubits by T2', 'now the same by readout error'], ({ now }) => {
    const worst = falling(now.qubits, (row) => row.readout).slice(0, 3);
    return expects(inOrder(worst), ...worst.map((row) => error(row.id, row.readout)));
  }),
  ask('follow-ups', ['Show T1 of Q12', 'sorry, I meant Q21'], ({ now }) =>
    naming(expects(us('21', qubit(now, 21).t1)), '12'),
  ),
];
