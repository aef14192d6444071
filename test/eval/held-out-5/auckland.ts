/** One snapshot of 27 qubits in which everything works. */
import { ask, falling, pair, qubit, type HeldOut } from '../held-out/held-out.ts';
import { NO } from '../held-out-3/facts.ts';
import { count, error, expects, inOrder, inUnit, naming, only, us, without } from '../scoring/expectation.ts';
import { NONE_DISABLED, saysYes } from './facts.ts';

export const AUCKLAND: readonly HeldOut[] = [
  ask('two-qubit gates', 'sort cx 21-23, 17-18 and 4-7 by fidelity, highest one at the top', ({ now }) => {
    const sorted = falling(
      ['21-23', '17-18', '4-7'].map((id) => pair(now, id)),
      (row) => 1 - row.error,
    );
    return expects(inOrder(sorted), ...sorted.map((row) => error(row.id, row.error)));
  }),
  ask('thresholds', 'cx errors below 0.7 % - pairs?', ({ now }) =>
    expects(only(now.pairs.filter((row) => row.error < 0.007))),
  ),
  ask('several conditions', 'Decent T1 (150 us +) with T2 under 130 us', ({ now }) =>
    expects(only(now.qubits.filter((row) => row.t1 >= 150 && row.t2 < 130))),
  ),
  ask('several conditions', '周波数が4.9 GHz未満かつ読み出しエラー1%未満の量子ビットは', ({ now }) =>
    expects(only(now.qubits.filter((row) => (row.frequency ?? 9) < 4.9 && row.readout < 0.01))),
  ),
  ask('disabled parts', '使えなくなっているCXはありますか？', () => without(expects(NONE_DISABLED), saysYes)),
  ask('plausibility', 'Any T2 here over the theoretical limit of 2*T1?', () => without(expects(NO), saysYes)),
  ask('counts', 'T2 in excess of 190 us: tally?', ({ now }) => {
    const long = now.qubits.filter((row) => row.t2 > 190);
    return naming(expects(count(long.length)), ...long.map(({ id }) => id));
  }),
  ask('units', 'resonance frequency of Q8 in Hz', ({ now }) =>
    expects(inUnit('Hz', '8', 1e9 * (qubit(now, 8).frequency ?? 0))),
  ),
  ask('typos', 'longets T2 on teh chip, adn where', ({ now }) => {
    const best = falling(now.qubits, (row) => row.t2).slice(0, 1);
    return expects(inOrder(best), ...best.map((row) => us(row.id, row.t2)));
  }),
];
