/** Five qubits in a line, one snapshot, two years old; its lengths differ by direction. */
import { ask, falling, rising, meanBy, pair, qubit, type HeldOut } from '../held-out/held-out.ts';
import { ns } from '../held-out-3/facts.ts';
import {
  beyond,
  count,
  error,
  expects,
  ghz,
  inOrder,
  inUnit,
  naming,
  only,
  us,
} from '../scoring/expectation.ts';

export const MANILA: readonly HeldOut[] = [
  ask('one value', 'anharmonicity of Q3, in MHz', ({ now }) =>
    expects(inUnit('MHz', '3', (qubit(now, 3).anharmonicity ?? 0) * 1000)),
  ),
  ask('rankings', 'T1が一番短いのはどの量子ビットで、何μs？', ({ now }) => {
    const low = rising(now.qubits, (row) => row.t1).slice(0, 1);
    return expects(inOrder(low), ...low.map((row) => us(row.id, row.t1)));
  }),
  ask('two-qubit gates', 'Order the CX gates by error, largest first', ({ now }) => {
    const all = falling(now.pairs, (row) => row.error);
    return expects(inOrder(all), ...all.map((row) => error(row.id, row.error)));
  }),
  ask('counts', '誤り率1%未満のCXゲートはいくつある？', ({ now }) => {
    const good = now.pairs.filter((row) => row.error < 0.01).length;
    return expects(count(2 * good, good));
  }),
  ask('comparisons', 'Is CX 0→1 faster than 1→0?', ({ now }) =>
    expects(
      ns('0-1', now.record('0-1', 'gate_length', 'cx')),
      ns('0-1', now.record('1-0', 'gate_length', 'cx')),
    ),
  ),
  ask('statistics', 'mean qubit frequency', ({ now }) =>
    expects(
      ghz(
        null,
        meanBy(now.qubits, (row) => row.frequency ?? 0),
      ),
    ),
  ),
  ask('topology', '端にある量子ビットはどれ？(隣が1つだけのもの)', () =>
    expects(only([{ id: '0' }, { id: '4' }])),
  ),
  ask('two parts', 'Readout error of Q2, and the CX error between Q2 and Q3?', ({ now }) =>
    naming(expects(error('2', qubit(now, 2).readout), error('2-3', pair(now, '2-3').error)), '3'),
  ),
  ask('not in the data', '量子コンピュータの冗談をひとつ言って', beyond),
];
