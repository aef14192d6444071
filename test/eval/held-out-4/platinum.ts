/** A five-qubit star in versions over fourteen months, other values than those of the third set. */
import { meanOf } from '../data/arithmetic.ts';
import { ask, rising, type HeldOut } from '../held-out/held-out.ts';
import { NO, readout } from '../held-out-3/facts.ts';
import { newest, on, type PlatinumMetric, type Series, nowOf } from '../held-out-3/series.ts';
import {
  beyond,
  count,
  day,
  either,
  error,
  expects,
  inOrder,
  misleading,
  naming,
  nothing,
  only,
  us,
  without,
} from '../scoring/expectation.ts';

type Platinum = Series<PlatinumMetric>;

export const PLATINUM: readonly HeldOut<Platinum>[] = [
  ask('one value', 'Ramsey coherence time (T2*) of Q3', ({ of }) =>
    expects(us('3', newest(of('t2 star', 3)))),
  ),
  ask('past or current', '2025年3月12日のQ4の読み出し忠実度は？', ({ of }) =>
    expects(readout('4', on(of('assignment', 4), '2025-03-12'))),
  ),
  ask('rankings', 'T2*が一番短い量子ビットは？', (platinum) => {
    const low = rising(nowOf(platinum, 't2 star'), ({ value }) => value).slice(0, 1);
    return expects(inOrder(low), ...low.map(({ id, value }) => us(id, value)));
  }),
  ask('conditions', 'Which qubits reach a T2 echo of more than 36 us?', (platinum) =>
    expects(only(nowOf(platinum, 't2 echo').filter(({ value }) => value > 36))),
  ),
  ask('comparisons', 'Readout fidelity of Q0 on 12 May 2026 versus 18 May 2026', ({ of }) =>
    expects(
      readout('0', on(of('assignment', 0), '2026-05-12')),
      readout('0', on(of('assignment', 0), '2026-05-18')),
    ),
  ),
  ask('what changed', 'How much did the readout fidelity of Q3 move from 13 to 18 March 2025?', ({ of }) => {
    const [from, to] = [on(of('assignment', 3), '2025-03-13'), on(of('assignment', 3), '2025-03-18')];
    return expects(
      either(
        [readout('3', from), readout('3', to)],
        [error('3', from - to)],
        [error('3', to - from)],
        [error('3', (from - to) / 2)],
        [error('3', (to - from) / 2)],
      ),
    );
  }),
  ask('what changed', '2025年3月21日から24日でQ0のT1はどう変わりましたか', ({ of }) =>
    expects(us('0', on(of('t1', 0), '2025-03-10')), us('0', on(of('t1', 0), '2025-03-24'))),
  ),
  ask('periods and trends', 'readout fidelity history of Q1 for March 2025', ({ of }) =>
    expects(
      ...of('assignment', 1)
        .filter((point) => point.day.startsWith('2025-03'))
        .map(({ value }) => readout('1', value)),
    ),
  ),
  ask('statistics', 'T2*の5量子ビット平均', (platinum) =>
    expects(us(null, meanOf(nowOf(platinum, 't2 star').map(({ value }) => value)))),
  ),
  ask('counts', 'How many of the five have a T1 above 37 us?', (platinum) =>
    expects(count(nowOf(platinum, 't1').filter(({ value }) => value > 37).length)),
  ),
  ask('operational state', 'Has a CZ gate been characterised on any pair?', () =>
    without(nothing(/\bcz\b|two-qubit|gate|\bno\b/iu), misleading(/\byes\b/iu, 'yes')),
  ),
  ask('operational state', 'When were the T2* values measured last?', () =>
    expects(day(new Date('2025-03-24'))),
  ),
  ask('false premises', 'The T1 of Q2 has doubled since March 2025, right?', ({ of }) =>
    without(expects(us('2', newest(of('t1', 2))), NO), misleading(/\byes\b/iu, 'yes')),
  ),
  ask('not in the data', 'Who recalibrated Q1 on 18 May 2026?', beyond),
  ask('topology', '隣が1つしかない量子ビットは？', () =>
    naming(expects(only(['0', '1', '3', '4'].map((id) => ({ id })))), '2'),
  ),
  ask('two parts', 'Give me T1 and T2 echo of Q4', ({ of }) =>
    expects(us('4', newest(of('t1', 4))), us('4', newest(of('t2 echo', 4)))),
  ),
];
