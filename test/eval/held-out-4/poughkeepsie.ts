/** One snapshot of 2020, 20 qubits, cx and u gates; two readout errors are the same. */
import { meanOf } from '../data/arithmetic.ts';
import {
  ask,
  falling,
  meanBy,
  otherEnd,
  pairsOf,
  qubit,
  rising,
  type HeldOut,
} from '../held-out/held-out.ts';
import { plain } from '../held-out-3/facts.ts';
import {
  count,
  either,
  error,
  expects,
  ghz,
  inOrder,
  naming,
  nothing,
  only,
  says,
  us,
} from '../scoring/expectation.ts';

const HISTORY =
  /only one|one (?:snapshot|value|measurement|day)|single|no (?:earlier|previous|other|older|second)|nothing (?:earlier|older|to compare)|no .*(?:measured|data|values|results?)|not measured|2019|2020-01|jan|ありません|測定/iu;

function correlation(x: readonly number[], y: readonly number[]): number {
  const [mx, my] = [meanOf(x), meanOf(y)];
  const sum = (of: (index: number) => number): number => x.reduce((total, _, index) => total + of(index), 0);
  const dx = (index: number): number => (x[index] ?? 0) - mx;
  const dy = (index: number): number => (y[index] ?? 0) - my;
  return (
    sum((index) => dx(index) * dy(index)) /
    Math.sqrt(sum((index) => dx(index) ** 2) * sum((index) => dy(index) ** 2))
  );
}

export const POUGHKEEPSIE: readonly HeldOut[] = [
  ask('one value', 'At which frequency does Q13 sit?', ({ now }) =>
    expects(ghz('13', qubit(now, 13).frequency ?? 0)),
  ),
  ask('one value', 'u3 error on Q7', ({ now }) => expects(error('7', now.record('7', 'gate_error', 'u3')))),
  ask('conditions', 'qubits with less than 20 us of T2', ({ now }) =>
    expects(only(now.qubits.filter((row) => row.t2 < 20))),
  ),
  ask('conditions', '4.7〜4.8 GHzにある量子ビットは？', ({ now }) =>
    expects(only(now.qubits.filter(({ frequency }) => (frequency ?? 0) >= 4.7 && (frequency ?? 0) <= 4.8))),
  ),
  ask('conditions', 'Couplings with a CX error from 4 to 7 percent', ({ now }) =>
    expects(only(now.pairs.filter((row) => row.error >= 0.04 && row.error <= 0.07))),
  ),
  ask('rankings', 'Which qubits tie for the second-lowest readout error?', ({ now }) => {
    const low = rising(now.qubits, (row) => row.readout);
    const tied = low.filter((row) => row.readout === low[1]?.readout);
    return naming(
      expects(...tied.map((row) => error(row.id, row.readout))),
      ...low.slice(0, 1).map(({ id }) => id),
    );
  }),
  ask('two-qubit gates', 'Q7のCXゲートを悪い順に並べて', ({ now }) => {
    const worst = falling(pairsOf(now, 7), (row) => row.error);
    return expects(inOrder(worst), ...worst.map((row) => error(row.id, row.error)));
  }),
  ask('counts', 'T2 above 80 us: how many?', ({ now }) =>
    expects(count(now.qubits.filter((row) => row.t2 > 80).length)),
  ),
  ask('statistics', 'How far apart are the shortest and the longest T1?', ({ now }) => {
    const all = now.qubits.map((row) => row.t1);
    const [low, high] = [Math.min(...all), Math.max(...all)];
    return expects(either([us(null, high - low)], [us(null, low), us(null, high)]));
  }),
  ask('statistics', 'Are T1 and T2 correlated on this machine?', ({ now }) => {
    const r = correlation(
      now.qubits.map((row) => row.t1),
      now.qubits.map((row) => row.t2),
    );
    return expects(plain(null, r));
  }),
  ask('comparisons', 'Q12とQ13ではどちらのT2が短い？', ({ now }) =>
    expects(
      us('12', qubit(now, 12).t2),
      us('13', qubit(now, 13).t2),
      says(/Q0*13[^。]*(?:短|低|小さ|悪)|(?:短|低|小さ|悪)[^。]*Q0*13/u, 'which one is shorter'),
    ),
  ),
  ask('topology', 'How many neighbours has Q7, and which are they?', ({ now }) =>
    naming(
      expects(count(pairsOf(now, 7).length), only(pairsOf(now, 7).map((row) => ({ id: otherEnd(row, 7) })))),
      '7',
      ...pairsOf(now, 7).map(({ id }) => id),
    ),
  ),
  ask('operational state', 'How stale are these numbers?', () =>
    expects(says(/2020|years|\d{4} days|\d{4}日|\d年/iu, 'how old they are')),
  ),
  ask('what changed', '2020年1月と比べて何が変わった？', () => nothing(HISTORY)),
  ask('periods and trends', 'T1 trend of Q0 during 2019', () => nothing(HISTORY)),
  ask('not in the data', "Q3's sx error, please", () => nothing(/\bsx\b|x90/iu)),
  ask('two parts', 'Average readout error, and who lies above it?', ({ now }) => {
    const mean = meanBy(now.qubits, (row) => row.readout);
    return expects(error(null, mean), only(now.qubits.filter((row) => row.readout > mean)));
  }),
  ask('disabled parts', 'Which of the disabled CX gates involve Q10?', ({ now }) =>
    naming(nothing(/disabled|none|\bno\b/iu), '10', ...pairsOf(now, 10).map(({ id }) => id)),
  ),
];
