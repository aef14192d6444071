/** One snapshot of 133 qubits: eleven disabled pairs, no frequencies, values of three months. */
import {
  ask,
  falling,
  meanBy,
  medianBy,
  otherEnd,
  pair,
  pairsOf,
  qubit,
  rising,
  type HeldOut,
} from '../held-out/held-out.ts';
import { NO, ns, percentiles } from '../held-out-3/facts.ts';
import {
  beyond,
  count,
  either,
  error,
  expects,
  inOrder,
  misleading,
  naming,
  nothing,
  only,
  says,
  us,
  without,
} from '../scoring/expectation.ts';

export const TORINO: readonly HeldOut[] = [
  ask('one value', 'How long does the CZ between 40 and 41 take?', ({ now }) =>
    naming(expects(ns('40-41', now.record('40-41', 'gate_length', 'cz'))), '40', '41'),
  ),
  ask('one value', 'Q110のT2はどのくらいですか', ({ now }) => expects(us('110', qubit(now, 110).t2))),
  ask('conditions', 'CZ gates that are worse than 3 % but not switched off', ({ now }) =>
    naming(expects(only(now.working.filter((row) => row.error > 0.03))), ...now.disabled.map(({ id }) => id)),
  ),
  ask('conditions', '読み出しエラーが0.6%以下の量子ビットを列挙して', ({ now }) =>
    expects(only(now.qubits.filter((row) => row.readout <= 0.006))),
  ),
  ask('conditions', 'at least 290 us of T1 plus at least 200 us of T2, who makes it?', ({ now }) =>
    expects(only(now.qubits.filter((row) => row.t1 >= 290 && row.t2 >= 200))),
  ),
  ask('rankings', 'the bottom five in T2', ({ now }) => {
    const low = rising(now.qubits, (row) => row.t2).slice(0, 5);
    return expects(inOrder(low), ...low.map((row) => us(row.id, row.t2)));
  }),
  ask('rankings', 'T1トップ3を教えて', ({ now }) => {
    const best = falling(now.qubits, (row) => row.t1).slice(0, 3);
    return expects(inOrder(best), ...best.map((row) => us(row.id, row.t1)));
  }),
  ask('two-qubit gates', 'Which coupling has the second best CZ?', ({ now }) => {
    const second = rising(now.working, (row) => row.error).slice(1, 2);
    const first = rising(now.working, (row) => row.error).slice(0, 1);
    return naming(
      expects(...second.map((row) => error(row.id, row.error))),
      ...[...first, ...second].map(({ id }) => id),
    );
  }),
  ask('counts', 'How many qubits have a longer T2 than T1?', ({ now }) =>
    expects(count(now.qubits.filter((row) => row.t2 > row.t1).length)),
  ),
  ask('counts', 'CZエラーが0.3%を下回るカップリングは何本？', ({ now }) => {
    const good = now.working.filter((row) => row.error < 0.003).length;
    return expects(count(good, 2 * good));
  }),
  ask('statistics', 'mean and median CZ error over the gates that work', ({ now }) =>
    expects(
      error(
        null,
        meanBy(now.working, (row) => row.error),
      ),
      error(
        null,
        medianBy(now.working, (row) => row.error),
      ),
    ),
  ),
  ask('statistics', '10th percentile of T1 across the device', ({ now }) =>
    expects(
      either(
        ...percentiles(
          now.qubits.map((row) => row.t1),
          10,
        ).map((value) => [us(null, value)]),
      ),
    ),
  ),
  ask('disabled parts', 'Does Q86 still have a two-qubit gate I can use?', ({ now }) =>
    without(
      naming(expects(NO), '86', ...pairsOf(now, 86).flatMap((row) => [row.id, otherEnd(row, 86)])),
      misleading(/\byes\b/iu, 'yes'),
    ),
  ),
  ask('disabled parts', '97番で無効になっているゲートはどれ？', ({ now }) =>
    naming(
      expects(only(pairsOf(now, 97).filter((row) => row.isDisabled))),
      '97',
      ...pairsOf(now, 97).map((row) => otherEnd(row, 97)),
    ),
  ),
  ask('disabled parts', 'Which qubits have lost every one of their CZ gates?', ({ now }) =>
    naming(
      expects(only(now.qubits.filter(({ id }) => pairsOf(now, id).every((row) => row.isDisabled)))),
      ...now.disabled.map(({ id }) => id),
    ),
  ),
  ask('topology', 'Neighbours of Q41 with the CZ error to each of them', ({ now }) =>
    naming(
      expects(...pairsOf(now, 41).map((row) => error(row.id, row.error))),
      '41',
      ...pairsOf(now, 41).map((row) => otherEnd(row, 41)),
    ),
  ),
  ask('comparisons', '40-41と41-42、CZエラーが小さいのはどちら？', ({ now }) =>
    expects(
      inOrder([{ id: '40-41' }]),
      error('40-41', pair(now, '40-41').error),
      error('41-42', pair(now, '41-42').error),
    ),
  ),
  ask('comparisons', "By what factor is Q128's T1 above the chip average?", ({ now }) =>
    expects(us('128', qubit(now, 128).t1), says(/\b1\.77\d*|\b1\.8\b|\b77(?:\.\d+)? ?%/u, 'the factor')),
  ),
  ask('false premises', 'Q85 has the best T1 here, how come?', ({ now }) =>
    expects(
      us('85', qubit(now, 85).t1),
      says(/\blow(?:est)?\b|short|worst|\bnot\b|133 of 133/iu, 'that it is the worst'),
    ),
  ),
  ask('periods and trends', 'Were any T1 values taken in December 2024?', () =>
    nothing(/dec|2024-12|\bno\b|none/iu),
  ),
  ask('not in the data', 'Q10の非調和性は？', () => nothing(/非調和|anharm|アンハーモ/iu)),
  ask('not in the data', 'Predict the T1 of Q0 for next month.', beyond),
];
