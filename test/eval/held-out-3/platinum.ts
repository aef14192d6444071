/** A five-qubit star over fourteen months, in versions: long pauses, values that only repeat, and no two-qubit gate measured. */
import { meanOf } from '../data/arithmetic.ts';
import { ask, falling, type HeldOut } from '../held-out/held-out.ts';
import {
  at,
  beyond,
  day,
  either,
  expects,
  ghz,
  inOrder,
  misleading,
  naming,
  nothing,
  only,
  says,
  us,
  without,
  type Fact,
} from '../scoring/expectation.ts';
import { NO_TREND, UNCHANGED, WINDOWS, YES, readout } from './facts.ts';
import { newest, on, type PlatinumMetric, type Series, nowOf, QUBITS } from './series.ts';

type Platinum = Series<PlatinumMetric>;

const mhz = (of: string, value: number): Fact => ({ type: 'figure', of, value, unit: 'MHz', isExact: false });

export const PLATINUM: readonly HeldOut<Platinum>[] = [
  ask('several values', 'give me the current T1 of every qubit', (platinum) =>
    expects(...nowOf(platinum, 't1').map(({ id, value }) => us(id, value))),
  ),
  ask('several values', 'Q3のT1、T2エコー、周波数をまとめて', ({ of }) =>
    expects(us('3', newest(of('t1', 3))), us('3', newest(of('t2 echo', 3))), ghz('3', newest(of('f01', 3)))),
  ),
  ask('rankings', 'order the qubits by T1 from long to short', (platinum) => {
    const best = falling(nowOf(platinum, 't1'), (row) => row.value);
    return expects(inOrder(best), ...best.map((row) => us(row.id, row.value)));
  }),
  ask('conditions', 'which qubits are below 38 us T1 today', (platinum) =>
    expects(only(nowOf(platinum, 't1').filter(({ value }) => value < 38))),
  ),
  ask('conditions', 'T2エコーがT1より長い量子ビットは？', ({ of }) =>
    expects(
      only(QUBITS.filter((id) => newest(of('t2 echo', id)) > newest(of('t1', id))).map((id) => ({ id }))),
    ),
  ),
  ask('past or current', 'What was the T1 of Q0 as of 10 April 2025?', ({ of }) =>
    expects(us('0', on(of('t1', 0), '2025-03-24'))),
  ),
  ask('past or current', 'When was T1 of Q1 measured last?', () => expects(day(new Date('2026-05-18')))),
  ask('past or current', 'readout fidelity of q3 back on 18 march 2025', ({ of }) =>
    expects(readout('3', on(of('assignment', 3), '2025-03-18'))),
  ),
  ask('what changed', 'How did the T2* of Q4 change between 10 and 24 March 2025?', ({ of }) =>
    expects(us('4', on(of('t2 star', 4), '2025-03-10')), us('4', on(of('t2 star', 4), '2025-03-24'))),
  ),
  ask(
    'what changed',
    'by how many MHz has the frequency of Q0 moved between 4 March 2026 and 12 May 2026',
    ({ of }) => {
      const [from, to] = [on(of('f01', 0), '2026-03-04'), on(of('f01', 0), '2026-05-12')];
      return expects(
        either(
          [mhz('0', (to - from) * 1000)],
          // Both, exactly enough to subtract them.
          [mhz('0', from * 1000), mhz('0', to * 1000)],
        ),
      );
    },
  ),
  ask('what changed', 'what changed on 18 May 2026 compared with 12 May?', ({ of }) =>
    expects(
      ...QUBITS.slice(0, 3).flatMap((id) => [
        us(id, on(of('t1', id), '2026-05-12')),
        us(id, on(of('t1', id), '2026-05-18')),
      ]),
    ),
  ),
  ask('what changed', 'Did anything change between 18 and 19 May 2026?', () =>
    without(expects(UNCHANGED), misleading(/\byes\b/iu, 'yes'), WINDOWS),
  ),
  ask('what changed', 'Q2のT1は2025年3月10日から今までにどう変わりましたか', ({ of }) =>
    expects(us('2', on(of('t1', 2), '2025-03-10')), us('2', newest(of('t1', 2)))),
  ),
  ask('periods and trends', 'all T1 values that Q3 ever had, with dates', ({ of }) =>
    expects(
      at('2025-03-10', us('3', on(of('t1', 3), '2025-03-10'))),
      at('2025-03-24', us('3', on(of('t1', 3), '2025-03-24'))),
      at('2026-05-18', us('3', on(of('t1', 3), '2026-05-18'))),
    ),
  ),
  ask('periods and trends', 'is T1 on Q3 improving', ({ of }) =>
    without(
      expects(
        us('3', on(of('t1', 3), '2025-03-24')),
        us('3', newest(of('t1', 3))),
        either([NO_TREND], [says(/too few|only three|down and|then/iu, 'that it went down and up')]),
      ),
      misleading(
        /\b(?:is|keeps|has been) (?:steadily |clearly )?(?:rising|improving|increasing)|steadily/iu,
        'a trend of three values that went down and up',
      ),
    ),
  ),
  ask('operational state', 'which qubits had no T2 echo at all before May 2026?', ({ of }) =>
    expects(
      only(QUBITS.filter((id) => (of('t2 echo', id)[0]?.day ?? '') >= '2026-05').map((id) => ({ id }))),
    ),
  ),
  ask('health', 'give me a rough idea of the state of this chip', ({ of }) =>
    expects(
      either(
        [us(null, newest(of('t1', 0)))],
        [us(null, newest(of('t1', 2)))],
        [us(null, meanOf(QUBITS.map((id) => newest(of('t1', id)))))],
        [readout('1', newest(of('assignment', 1)))],
        [us(null, newest(of('t1', 4)))],
      ),
      says(
        /two-qubit|coupling|\bcz\b|2q|not measured|never measured|no value/iu,
        'that no two-qubit gate is known',
      ),
    ),
  ),
  ask('comparisons', 'Compare T1 of Q0 and Q4, now and on 10 March 2025.', ({ of }) =>
    expects(
      ...['0', '4'].flatMap((id) => [us(id, newest(of('t1', id))), us(id, on(of('t1', id), '2025-03-10'))]),
    ),
  ),
  ask('topology', 'who is in the middle of the star', () =>
    naming(expects(inOrder([{ id: '2' }])), '0', '1', '3', '4', '0-2', '1-2', '2-3', '2-4'),
  ),
  ask('plausibility', 'T2 echo of Q0 is longer than its T1. Can that be?', ({ of }) =>
    expects(
      us('0', newest(of('t2 echo', 0))),
      us('0', newest(of('t1', 0))),
      either(
        [YES],
        [
          says(
            /\b0 of \d+[^.]*2 times|possible|plausib|allowed|below 2|less than (?:2|twice)|not exceed|up to (?:2|twice)|within/iu,
            'that it can',
          ),
        ],
      ),
    ),
  ),
  ask('units', 'effective temperature of Q0 in mK', ({ of }) =>
    expects(
      says(
        new RegExp(
          String.raw`\b${(newest(of('temperature', 0)) * 1000).toFixed(0)}(?:\.0*)? ?mK|\b78\.[67]\d* ?mK`,
          'u',
        ),
        'it in mK',
      ),
    ),
  ),
  ask('not in the data', 'CZ fidelity between Q2 and Q3?', () => nothing(/\bcz\b|two-qubit|gate/iu)),
  ask('notes and exclusions', 'mean T1 without Q0', ({ of }) =>
    naming(expects(us(null, meanOf(['1', '2', '3', '4'].map((id) => newest(of('t1', id)))))), '0'),
  ),
  ask('notes and exclusions', 'Q4について誰かメモを残していますか？', () =>
    nothing(/メモ|注|コメント|ノート|記録/u),
  ),
  ask('outside the field', 'how old is the universe', beyond),
  ask('follow-ups', ['T1 of Q2', 'and a year ago?'], ({ of }) =>
    expects(us('2', on(of('t1', 2), '2025-03-24'))),
  ),
  ask('follow-ups', ['Q1のT1は？', 'T2エコーは？'], ({ of }) => expects(us('1', newest(of('t2 echo', 1))))),
];
