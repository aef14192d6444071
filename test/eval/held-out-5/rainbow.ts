/** A grid of 23 qubits, one calibration. */
import { ask, rising, type HeldOut } from '../held-out/held-out.ts';
import { ISWAP, P11, SYCAMORE, type Grid } from '../held-out-4/grid.ts';
import { count, error, expects, inOrder, naming } from '../scoring/expectation.ts';
import { SUSPECT } from './facts.ts';

export const RAINBOW: readonly HeldOut<Grid>[] = [
  ask(
    'two-qubit gates',
    'lowest three pairs in Sycamore XEB average error per cycle (isolated)',
    ({ rows }) => {
      const best = rising(rows(SYCAMORE), ({ value }) => value).slice(0, 3);
      return naming(
        expects(inOrder(best), ...best.map((row) => error(row.id, row.value))),
        ...best.flatMap(({ id }) => id.split('-')),
      );
    },
  ),
  ask('plausibility', 'Q14のp11エラー39%は妥当な値？', ({ value }) =>
    expects(error('14', value(P11, '14')), SUSPECT),
  ),
  ask('counts', 'sqrt iSWAP (isolated, average error per cycle) over 1 %: how many pairs', ({ rows }) => {
    const bad = rows(ISWAP).filter(({ value }) => value > 0.01);
    return naming(expects(count(bad.length)), ...bad.map(({ id }) => id));
  }),
];
