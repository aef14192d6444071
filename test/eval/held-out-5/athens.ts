/** Eight weeks of daily tables, other days and qubits than those of the third and fourth set. */
import { meanOf, medianOf } from '../data/arithmetic.ts';
import { ask, type HeldOut } from '../held-out/held-out.ts';
import { during, extreme, on, type AthensMetric, type Point, type Series } from '../held-out-3/series.ts';
import { at, count, day, error, expects, inUnit, us, without } from '../scoring/expectation.ts';
import { saysNo, strayTimes, SUSPECT } from './facts.ts';

type Athens = Series<AthensMetric>;

const october = (points: readonly Point[]) => during(points, '2020-10-01', '2020-10-31');
const november = (points: readonly Point[]) => during(points, '2020-11-01', '2020-11-30');
const inNovember = (points: readonly Point[]) => points.filter((point) => point.day.startsWith('2020-11'));

export const ATHENS: readonly HeldOut<Athens>[] = [
  ask('periods', 'Mean T1 on Q2: October 2020 / November 2020', ({ of }) =>
    expects(
      at('2020-10', us('2', meanOf(october(of('t1', 2))))),
      at('2020-11', us('2', meanOf(november(of('t1', 2))))),
    ),
  ),
  ask('periods', 'CNOT 0-1 error on 7 November 2020 and a day later, on 8 November 2020', ({ of }) =>
    expects(
      at('2020-11-07', error('0-1', on(of('cx', '0-1'), '2020-11-07'))),
      at('2020-11-08', error('0-1', on(of('cx', '0-1'), '2020-11-08'))),
    ),
  ),
  ask('periods', '3-4のCNOTエラーの最大値は、2020年10月と11月でそれぞれいくつ？', ({ of }) =>
    expects(
      at('2020-10', error('3-4', Math.max(...october(of('cx', '3-4'))))),
      at('2020-11', error('3-4', Math.max(...november(of('cx', '3-4'))))),
    ),
  ),
  ask('named months', 'Minimum T1 for Q1 in November 2020, with the date', ({ of }) => {
    const low = extreme(inNovember(of('t1', 1)), 1);
    return expects(us('1', low.value), day(new Date(low.day)));
  }),
  ask('named months', 'Oct 2020: on how many days did the readout error of Q2 exceed 1.7 %?', ({ of }) =>
    expects(count(october(of('readout', 2)).filter((value) => value > 0.017).length)),
  ),
  ask('named months', '2020年11月のQ3の平均T1は？', ({ of }) =>
    without(
      expects(us('3', meanOf(november(of('t1', 3))))),
      strayTimes('the mean of October', '10月|2020-10|Oct', meanOf(october(of('t1', 3)))),
    ),
  ),
  ask('named months', 'median CNOT error of 3-4, Nov 2020', ({ of }) =>
    expects(error('3-4', medianOf(november(of('cx', '3-4'))))),
  ),
  ask(
    'named months',
    'which day of October 2020 was the worst for readout on Q4, and how bad was it',
    ({ of }) => {
      const high = extreme(
        of('readout', 4).filter((point) => point.day.startsWith('2020-10')),
        -1,
      );
      return expects(error('4', high.value), day(new Date(high.day)));
    },
  ),
  ask('plausibility', 'Q2 readout on 7 Oct 2020: is that value out of line with the days after?', ({ of }) =>
    without(expects(error('2', on(of('readout', 2), '2020-10-07')), SUSPECT), saysNo),
  ),
  ask('units', 'T1 of Q4 on 30 Nov 2020, given in ms', ({ of }) =>
    expects(inUnit('ms', '4', on(of('t1', 4), '2020-11-30') / 1000)),
  ),
];
