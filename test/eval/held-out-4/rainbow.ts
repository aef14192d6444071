/** A grid of 23 qubits, one calibration, four and a half years old: T1, readout and cycles of two gates, no T2. */
import { meanOf, medianOf } from '../data/arithmetic.ts';
import { ask, falling, rising, type HeldOut } from '../held-out/held-out.ts';
import { DOUBT, YES, NO } from '../held-out-3/facts.ts';
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
  says,
  us,
  without,
} from '../scoring/expectation.ts';
import {
  ISWAP,
  P00,
  P11,
  PARALLEL_ISWAP,
  PARALLEL_SYCAMORE,
  RB,
  SYCAMORE,
  T1,
  type Grid,
  type Row,
} from './grid.ts';

const size = ({ value }: Row): number => value;
const neighbours = ({ pairs }: Grid, id: string): readonly string[] =>
  [...pairs].flatMap((pair) => {
    const ends = pair.split('-');
    return ends.includes(id) ? ends.filter((end) => end !== id) : [];
  });
const ONE_DAY =
  /only one|one (?:snapshot|value|measurement|day|calibration)|single|no (?:earlier|previous|other|older|second)|nothing (?:earlier|older|to compare)|no .*(?:measured|data|values|results?)|not measured|2021|ありません|測定/iu;

export const RAINBOW: readonly HeldOut<Grid>[] = [
  ask('one value', 'Energy relaxation time of Q18?', ({ value }) => expects(us('18', value(T1, '18')))),
  ask('one value', 'p11 error Q14', ({ value }) => expects(error('14', value(P11, '14')))),
  ask('one value', 'What is the Sycamore error per cycle of the pair 12-13?', ({ value }) =>
    expects(error('12-13', value(SYCAMORE, '12-13'))),
  ),
  ask('one value', 'T1 of the qubit at row 4, column 1 (4_1)', ({ value }) =>
    expects(us('1', value(T1, '1'))),
  ),
  ask('one value', 'parallel sqrt(iSWAP) cycle fidelity on 14-15', ({ value }) =>
    expects(error('14-15', value(PARALLEL_ISWAP, '14-15'))),
  ),
  ask('conditions', 'Whose T1 stays under 14 microseconds?', ({ rows }) =>
    expects(only(rows(T1).filter(({ value }) => value < 14))),
  ),
  ask('conditions', 'T1が20μs以上のものをすべて挙げて', ({ rows }) =>
    expects(only(rows(T1).filter(({ value }) => value >= 20))),
  ),
  ask('conditions', 'Sycamoreのサイクルエラーが1%を超えているペアはどれですか', ({ rows }) =>
    expects(only(rows(SYCAMORE).filter(({ value }) => value > 0.01))),
  ),
  ask('conditions', 'qubits that misread a prepared 0 more than 2 % of the time', ({ rows }) =>
    expects(only(rows(P00).filter(({ value }) => value > 0.02))),
  ),
  ask('conditions', 'I need qubits with T1 above 18 us and a p11 error below 5 %.', ({ rows, value }) =>
    expects(only(rows(T1).filter((row) => row.value > 18 && value(P11, row.id) < 0.05))),
  ),
  ask('two-qubit gates', 'three pairs with the largest sqrt iSWAP cycle error', ({ rows }) => {
    const worst = falling(rows(ISWAP), size).slice(0, 3);
    return expects(inOrder(worst), ...worst.map((row) => error(row.id, row.value)));
  }),
  ask('rankings', 'Who is worst at reading out the excited state?', ({ rows }) => {
    const worst = falling(rows(P11), size).slice(0, 1);
    return expects(inOrder(worst), ...worst.map((row) => error(row.id, row.value)));
  }),
  ask('rankings', 'T1の上位5量子ビットを値と一緒に', ({ rows }) => {
    const best = falling(rows(T1), size).slice(0, 5);
    return expects(inOrder(best), ...best.map((row) => us(row.id, row.value)));
  }),
  ask(
    'two-qubit gates',
    'Which pair does best with Sycamore when everything runs in parallel?',
    ({ rows }) => {
      const best = rising(rows(PARALLEL_SYCAMORE), size).slice(0, 1);
      return expects(inOrder(best), ...best.map((row) => error(row.id, row.value)));
    },
  ),
  ask('counts', 'Number of qubits and number of couplers on this device?', ({ rows }) =>
    expects(count(rows(T1).length), count(rows(SYCAMORE).length)),
  ),
  ask('counts', '並列動作のSycamoreエラーが1%より大きいペアは何組？', ({ rows }) =>
    expects(count(rows(PARALLEL_SYCAMORE).filter(({ value }) => value > 0.01).length)),
  ),
  ask('statistics', 'chip-wide median of T1', ({ rows }) => expects(us(null, medianOf(rows(T1).map(size))))),
  ask('statistics', 'average p11 error, Q14 left aside', ({ rows }) =>
    naming(
      expects(
        error(
          null,
          meanOf(
            rows(P11)
              .filter(({ id }) => id !== '14')
              .map(size),
          ),
        ),
      ),
      '14',
    ),
  ),
  ask('statistics', '単独動作のSycamoreサイクルエラーの平均はいくらですか', ({ rows }) =>
    expects(error(null, meanOf(rows(SYCAMORE).map(size)))),
  ),
  ask('comparisons', 'Does the Sycamore gate on 10-14 get worse in parallel operation?', ({ value }) =>
    expects(
      error('10-14', value(SYCAMORE, '10-14')),
      error('10-14', value(PARALLEL_SYCAMORE, '10-14')),
      either([YES], [says(/worse|higher|lower|larger|increase|drop/iu, 'that it does')]),
    ),
  ),
  ask('comparisons', '1-5ではSycamoreとsqrt iSWAPのどちらが良いですか', ({ value }) =>
    expects(
      error('1-5', value(SYCAMORE, '1-5')),
      error('1-5', value(ISWAP, '1-5')),
      says(/sycamore/iu, 'which one'),
    ),
  ),
  ask('topology', 'What is Q11 connected to?', (grid) =>
    naming(
      expects(only(neighbours(grid, '11').map((id) => ({ id })))),
      '11',
      ...neighbours(grid, '11').map((id) => [id, '11'].toSorted((a, b) => Number(a) - Number(b)).join('-')),
    ),
  ),
  ask('topology', '隣が4つある量子ビットを全部教えて', (grid) =>
    expects(only(grid.rows(T1).filter(({ id }) => neighbours(grid, id).length === 4))),
  ),
  ask('disabled parts', 'Is any two-qubit gate out of order on this device?', () =>
    without(
      expects(either([NO], [says(/\ball\b/iu, 'all')])),
      misleading(/(?:is|are) disabled: Q?\d/iu, 'a disabled gate'),
    ),
  ),
  ask('operational state', 'このキャリブレーションはいつのもの？', () =>
    expects(day(new Date('2021-11-16'))),
  ),
  ask('operational state', "Q14's RB error per gate is about 1e-5. Should I trust it?", ({ value }) =>
    expects(error('14', value(RB, '14')), DOUBT),
  ),
  ask('false premises', "Q14's T2 is shorter than its T1, right?", () => nothing(/T2/iu)),
  ask('not in the data', 'T1 of Q23', () => nothing(/23/u)),
  ask('not in the data', 'qubit frequency of Q8', () => nothing(/freq/iu)),
  ask('two parts', 'Largest and smallest T1, and on which qubits?', ({ rows }) => {
    const all = falling(rows(T1), size);
    return expects(
      ...[all[0], all.at(-1)].flatMap((row) => (row === undefined ? [] : [us(row.id, row.value)])),
    );
  }),
  ask('two parts', 'Q2のp00エラーとp11エラーは？', ({ value }) =>
    expects(error('2', value(P00, '2')), error('2', value(P11, '2'))),
  ),
  ask('what changed', 'Anything different since the calibration of 10 November 2021?', () =>
    nothing(ONE_DAY),
  ),
  ask('not in the data', 'Did anyone write down why Q14 reads out so badly?', () =>
    nothing(/\bnote|remark|comment|nobody|wrote|why/iu),
  ),
  ask('not in the data', 'Write me a Cirq circuit that prepares a four-qubit GHZ state.', beyond),
];
