/** Two snapshots, two and a half years apart; no pair is disabled. */
import { ask, falling, meanBy, pair, qubit, rising, type HeldOut } from '../held-out/held-out.ts';
import {
  at as of,
  count,
  error,
  expects,
  inOrder,
  inUnit,
  naming,
  only,
  us,
  without,
} from '../scoring/expectation.ts';
import { NONE_DISABLED, POSSIBLE, prefers, strayTimes } from './facts.ts';

const OLD = '2021-12-09';

export const NAIROBI: readonly HeldOut[] = [
  ask('two-qubit gates', 'best and worst cx at the moment?', ({ now }) => {
    const all = rising(now.pairs, (row) => row.error);
    const ends = [all[0], all.at(-1)].flatMap((row) => row ?? []);
    return naming(
      expects(
        only(ends),
        ...ends.map((row) => error(row.id, row.error)),
        prefers(ends[0]?.id ?? '', ends[1]?.id ?? ''),
      ),
      ...ends.flatMap(({ id }) => id.split('-')),
    );
  }),
  ask('two-qubit gates', 'average CNOT infidelity over the six pairs', ({ now }) =>
    expects(
      error(
        null,
        meanBy(now.pairs, (row) => row.error),
      ),
    ),
  ),
  ask('thresholds', 'measurement error under 2 pct - which qubits', ({ now }) =>
    expects(only(now.qubits.filter((row) => row.readout < 0.02))),
  ),
  ask('several conditions', 'T1 shorter than 90 us but reading out with less than 2.5 % error', ({ now }) =>
    expects(only(now.qubits.filter((row) => row.t1 < 90 && row.readout < 0.025))),
  ),
  ask('disabled parts', 'Is there a CX that is offline?', () => expects(NONE_DISABLED)),
  ask('periods', 'T2 Q6: Dec 2021 vs. May 2024', ({ at, now }) =>
    expects(of('2021-12', us('6', qubit(at(OLD), 6).t2)), of('2024-05', us('6', qubit(now, 6).t2))),
  ),
  ask('periods', 'chip-average T1 in December 2021, and the same for May 2024', ({ at, now }) =>
    expects(
      of(
        '2021-12',
        us(
          null,
          meanBy(at(OLD).qubits, (row) => row.t1),
        ),
      ),
      of(
        '2024-05',
        us(
          null,
          meanBy(now.qubits, (row) => row.t1),
        ),
      ),
    ),
  ),
  ask('periods', '5-6 CX error on 9 Dec 2021 and on 27 May 2024', ({ at, now }) =>
    naming(
      expects(
        of('2021-12-09', error('5-6', pair(at(OLD), '5-6').error)),
        of('2024-05-27', error('5-6', pair(now, '5-6').error)),
      ),
      '5',
      '6',
    ),
  ),
  ask('periods', 'Q0の読み出しエラーを2021年12月と2024年5月で比べてください', ({ at, now }) =>
    expects(
      of('2021-12', error('0', qubit(at(OLD), 0).readout)),
      of('2024-05', error('0', qubit(now, 0).readout)),
    ),
  ),
  ask('named months', 'Q2 in Dec 2021: T1, T2, readout error', ({ at, now }) => {
    const then = qubit(at(OLD), 2);
    return without(
      expects(us('2', then.t1), us('2', then.t2), error('2', then.readout)),
      strayTimes(
        'a value of 2024',
        String.raw`2024|now\b|current|latest|newest|since|最新|現在`,
        qubit(now, 2).t1,
        qubit(now, 2).t2,
      ),
    );
  }),
  ask('named months', '2021年12月の時点で、T1が最長だったのはどの量子ビット？', ({ at }) => {
    const best = falling(at(OLD).qubits, (row) => row.t1).slice(0, 1);
    return expects(inOrder(best), ...best.map((row) => us(row.id, row.t1)));
  }),
  ask('plausibility', 'Q6: 126 us of T2 on 77 us of T1. Allowed?', ({ now }) =>
    expects(us('6', qubit(now, 6).t1), us('6', qubit(now, 6).t2), POSSIBLE),
  ),
  ask('counts', 'エラーが0.8%を超えているCXは今いくつ？', ({ now }) => {
    const bad = now.pairs.filter((row) => row.error > 0.008);
    return naming(expects(count(bad.length, 2 * bad.length)), ...bad.map(({ id }) => id));
  }),
  ask('units', 'Q1の非調和性をMHzで教えて', ({ now }) =>
    expects(inUnit('MHz', '1', 1000 * (qubit(now, 1).anharmonicity ?? 0))),
  ),
  ask('typos', 'T1 of Q4 in Decmeber 2021', ({ at, now }) =>
    without(
      expects(us('4', qubit(at(OLD), 4).t1)),
      strayTimes('the value of 2024', String.raw`2024|now\b|current|latest|newest|since`, qubit(now, 4).t1),
    ),
  ),
  ask('typos', '量子ビツト3のＴ１をおしえて', ({ now }) => expects(us('3', qubit(now, 3).t1))),
];
