/** Five qubits in a line, one snapshot. */
import { ask, falling, meanBy, type HeldOut } from '../held-out/held-out.ts';
import { error, expects, inOrder, inUnit, naming, only, us } from '../scoring/expectation.ts';

export const MANILA: readonly HeldOut[] = [
  ask('two-qubit gates', 'which CNOT is the weakest link in the line, error?', ({ now }) => {
    const worst = falling(now.pairs, (row) => row.error).slice(0, 1);
    return naming(
      expects(inOrder(worst), ...worst.map((row) => error(row.id, row.error))),
      ...worst.flatMap(({ id }) => id.split('-')),
    );
  }),
  ask('several conditions', 'T1 > 140us, T2 > 45us, readout error < 5%', ({ now }) =>
    expects(only(now.qubits.filter((row) => row.t1 > 140 && row.t2 > 45 && row.readout < 0.05))),
  ),
  ask('units', 'readout length here, but in us', ({ now }) =>
    expects(inUnit('μs', null, now.record('0', 'readout_length') / 1000)),
  ),
  ask('typos', 'averge T1 over all 5 quibts', ({ now }) =>
    expects(
      us(
        null,
        meanBy(now.qubits, (row) => row.t1),
      ),
    ),
  ),
];
