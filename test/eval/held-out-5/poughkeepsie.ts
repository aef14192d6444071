/** One snapshot of 2020, 20 qubits, cx and u gates; one T2 four months older than the rest. */
import { ask, medianBy, pair, qubit, rising, type HeldOut } from '../held-out/held-out.ts';
import {
  count,
  either,
  error,
  expects,
  inOrder,
  inUnit,
  misleading,
  naming,
  only,
  says,
  us,
  without,
} from '../scoring/expectation.ts';
import { POSSIBLE, SUSPECT } from './facts.ts';

export const POUGHKEEPSIE: readonly HeldOut[] = [
  ask('two-qubit gates', '5-6と6-7のCXエラーはどのくらい？', ({ now }) =>
    naming(expects(...['5-6', '6-7'].map((id) => error(id, pair(now, id).error))), '5', '6', '7'),
  ),
  ask('two-qubit gates', 'cx 7-8 against the median cx of the device', ({ now }) => {
    const [own, middle] = [pair(now, '7-8').error, medianBy(now.pairs, (row) => row.error)];
    return naming(
      expects(
        error('7-8', own),
        either(
          [error(null, middle)],
          [error(null, own - middle)],
          [error(null, middle - own)],
          [says(/\b3\.0\d?(?: ?[x×]| times|-fold|倍)/iu, 'three times')],
        ),
      ),
      '7',
      '8',
    );
  }),
  ask('thresholds', 'prob_meas0_prep1 above 7 percent, which qubits', ({ now }) =>
    expects(only(now.qubits.filter(({ id }) => now.record(id, 'prob_meas0_prep1') > 0.07))),
  ),
  ask('thresholds', "Readout fidelity doesn't make 93 % - on which ones?", ({ now }) =>
    expects(only(now.qubits.filter((row) => row.readout > 0.07))),
  ),
  ask('thresholds', 'u3ゲートのエラーが0.4%を上回っている量子ビット', ({ now }) =>
    expects(only(now.qubits.filter(({ id }) => now.record(id, 'gate_error', 'u3') > 0.004))),
  ),
  ask(
    'several conditions',
    'T1 70 us or more, T2 85 us or more, readout error 4.5 % or less: any?',
    ({ now }) =>
      expects(only(now.qubits.filter((row) => row.t1 >= 70 && row.t2 >= 85 && row.readout <= 0.045))),
  ),
  ask('named months', 'whose T2 was last taken in October 2019?', ({ now }) =>
    expects(only(now.qubits.filter(({ t2At }) => t2At.toISOString().startsWith('2019-10')))),
  ),
  ask('plausibility', 'Q7 misreads some 30 % of prepared 1s. Sane value?', ({ now }) =>
    without(
      expects(error('7', now.record('7', 'prob_meas0_prep1')), SUSPECT),
      misleading(/\byes\b/iu, 'yes'),
    ),
  ),
  ask('plausibility', 'Q13のT2は約6μsしかありませんが、T1と矛盾しませんか', ({ now }) =>
    expects(us('13', qubit(now, 13).t1), us('13', qubit(now, 13).t2), POSSIBLE),
  ),
  ask('counts', 'On how many of the 20 qubits is T2 shorter than T1?', ({ now }) => {
    const less = now.qubits.filter((row) => row.t2 < row.t1);
    return naming(expects(count(less.length)), ...less.map(({ id }) => id));
  }),
  ask('counts', 'CXs beyond 3 % error: count them', ({ now }) => {
    const bad = now.pairs.filter((row) => row.error > 0.03);
    return naming(expects(count(bad.length, 2 * bad.length)), ...bad.map(({ id }) => id));
  }),
  ask('units', 'T1 of Q3 expressed in ns', ({ now }) => expects(inUnit('ns', '3', qubit(now, 3).t1 * 1000))),
  ask('typos', 'T2が一番みぢかい量子ビッドは？', ({ now }) => {
    const low = rising(now.qubits, (row) => row.t2).slice(0, 1);
    return expects(inOrder(low), ...low.map((row) => us(row.id, row.t2)));
  }),
  ask('typos', 'CNTO eror betwen 3 and 4', ({ now }) =>
    naming(expects(error('3-4', pair(now, '3-4').error)), '3', '4'),
  ),
];
