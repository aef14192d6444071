/** Eight weeks of daily tables, other days than those of the third set. */
import { meanOf, medianOf } from '../data/arithmetic.ts';
import { ask, falling, type HeldOut } from '../held-out/held-out.ts';
import { deviations, NO_TREND, WINDOWS } from '../held-out-3/facts.ts';
import {
  during,
  extreme,
  on,
  type AthensMetric,
  type Point,
  type Series,
  QUBITS,
} from '../held-out-3/series.ts';
import {
  at,
  beyond,
  count,
  day,
  either,
  error,
  expects,
  misleading,
  naming,
  nothing,
  only,
  us,
  without,
} from '../scoring/expectation.ts';

type Athens = Series<AthensMetric>;

const october = (points: readonly Point[]) => during(points, '2020-10-01', '2020-10-31');
const november = (points: readonly Point[]) => during(points, '2020-11-01', '2020-11-30');
const days = (points: readonly Point[]) => points.map((point) => day(new Date(point.day)));
const TREND = misleading(
  /\b(?<!not (?:\w+ )?)(?:is|are|was|has been|keeps) (?:\w+ly )?(?:rising|falling|improving|degrading|increasing|decreasing|drifting|declining)\b|上昇しています|低下しています/iu,
  'a trend that is not there',
);

export const ATHENS: readonly HeldOut<Athens>[] = [
  ask('past or current', '2020年11月8日の0-1のCNOTエラーはいくつ？', ({ of }) =>
    expects(error('0-1', on(of('cx', '0-1'), '2020-11-08'))),
  ),
  ask('past or current', 'How bad was the readout of Q4 on November 17, 2020?', ({ of }) =>
    expects(error('4', on(of('readout', 4), '2020-11-17'))),
  ),
  ask('conditions', 'days in November 2020 when the 1-2 CNOT error exceeded 1.3 %', ({ of }) =>
    expects(
      ...days(of('cx', '1-2').filter((point) => point.day.startsWith('2020-11') && point.value > 0.013)),
    ),
  ),
  ask('conditions', 'When did the T1 of Q3 fall below 60 us?', ({ of }) =>
    expects(...days(of('t1', 3).filter(({ value }) => value < 60))),
  ),
  ask('counts', 'On how many days was T1 measured for Q0?', ({ of }) => expects(count(of('t1', 0).length))),
  ask('counts', '2020年10月にQ4の読み出しエラーが2%を超えた日は何日ありますか', ({ of }) =>
    expects(count(october(of('readout', 4)).filter((value) => value > 0.02).length)),
  ),
  ask('statistics', 'mean T1 of Q3 from 1 to 7 November 2020', ({ of }) =>
    expects(
      either(
        [us('3', meanOf(during(of('t1', 3), '2020-11-01', '2020-11-07')))],
        [us('3', meanOf(during(of('t1', 3), '2020-11-01', '2020-11-06')))],
      ),
    ),
  ),
  ask(
    'statistics',
    'How much did the readout error of Q0 spread in October 2020 (standard deviation)?',
    ({ of }) => expects(either(...deviations(october(of('readout', 0))).map((value) => [error('0', value)]))),
  ),
  ask('statistics', '2020年11月のQ4のT1の中央値', ({ of }) =>
    expects(us('4', medianOf(november(of('t1', 4))))),
  ),
  ask('rankings', 'Which day had the highest readout error on Q2?', ({ of }) => {
    const high = extreme(of('readout', 2), -1);
    return expects(day(new Date(high.day)), error('2', high.value));
  }),
  ask('rankings', "Q3's three longest T1 results ever, with their dates", ({ of }) => {
    const top = of('t1', 3)
      .toSorted((a, b) => b.value - a.value)
      .slice(0, 3);
    return expects(...top.flatMap((point) => [us('3', point.value), day(new Date(point.day))]));
  }),
  ask('rankings', 'Taken over all days, which qubit has the longest average T1?', ({ of }) => {
    const [best] = falling(
      QUBITS.map((id) => ({ id, value: meanOf(of('t1', id).map(({ value }) => value)) })),
      ({ value }) => value,
    );
    return naming(
      expects(us(best?.id ?? '', best?.value ?? 0), only(best === undefined ? [] : [best])),
      ...QUBITS,
    );
  }),
  ask('comparisons', 'Was the readout of Q1 better on 9 or on 10 November 2020?', ({ of }) =>
    expects(
      at('2020-11-09', error('1', on(of('readout', 1), '2020-11-09'))),
      at('2020-11-10', error('1', on(of('readout', 1), '2020-11-10'))),
    ),
  ),
  ask('comparisons', '2020年10月と11月で、3-4のCNOTエラーの平均はどちらが低い？', ({ of }) =>
    expects(
      at('2020-10', error('3-4', meanOf(october(of('cx', '3-4'))))),
      at('2020-11', error('3-4', meanOf(november(of('cx', '3-4'))))),
    ),
  ),
  ask('what changed', 'What happened to the readout of Q4 between 15 and 17 November 2020?', ({ of }) =>
    expects(error('4', on(of('readout', 4), '2020-11-15')), error('4', on(of('readout', 4), '2020-11-17'))),
  ),
  ask('what changed', '2020年11月28日から29日にかけて、Q0のT1はどれだけ変わった？', ({ of }) => {
    const [from, to] = [on(of('t1', 0), '2020-11-28'), on(of('t1', 0), '2020-11-29')];
    return expects(either([us('0', from - to)], [us('0', to - from)], [us('0', from), us('0', to)]));
  }),
  ask('periods and trends', 'List T1 of Q1 day by day from 24 to 30 November 2020', ({ of }) =>
    expects(
      ...of('t1', 1)
        .filter((point) => point.day >= '2020-11-24' && point.day <= '2020-11-30')
        .map(({ value }) => us('1', value)),
    ),
  ),
  ask('periods and trends', 'Did the readout error of Q3 drift during October 2020?', ({ of }) =>
    without(expects(NO_TREND, either([error('3', on(of('readout', 3), '2020-10-07'))], [NO_TREND])), TREND),
  ),
  ask('periods and trends', '2020年11月のQ0のT1の最小値と最大値は？', ({ of }) =>
    expects(us('0', Math.min(...november(of('t1', 0)))), us('0', Math.max(...november(of('t1', 0))))),
  ),
  ask('periods and trends', 'average 0-1 CNOT error for 27-30 November 2020', ({ of }) =>
    expects(
      either(
        [error('0-1', meanOf(during(of('cx', '0-1'), '2020-11-27', '2020-11-30')))],
        [error('0-1', meanOf(during(of('cx', '0-1'), '2020-11-27', '2020-11-29')))],
      ),
    ),
  ),
  ask('operational state', 'On which dates is the T1 of Q2 missing?', () =>
    expects(...['2020-11-10', '2020-11-11'].map((date) => day(new Date(date)))),
  ),
  ask('operational state', 'Do we have measurements for 2 December 2020?', () =>
    without(nothing(/\bno\b|nothing|none|2 dec|2020-12-02/iu), WINDOWS),
  ),
  ask('not in the data', 'Q1の周波数を教えて', () => nothing(/周波数|freq/iu)),
  ask('false premises', 'Why was Q1 switched off on 23 October 2020?', () =>
    without(
      nothing(/switched off|disabled|not off|no (?:record|note|reason|cause|state)|why|reason|cause/iu),
      misleading(/^(?!.*2020)[^\n]*is disabled/imu, 'the state of today'),
    ),
  ),
  ask('not in the data', 'What will the T1 of Q4 be on 15 January 2021?', () => ({
    ...beyond(),
    no: /predict|forecast|future|no (?:value|result|measurement|data)|2021|not measured|measured/iu,
  })),
  ask('two parts', 'Lowest T1 of Q0 and lowest T1 of Q1 in November 2020?', ({ of }) =>
    expects(us('0', Math.min(...november(of('t1', 0)))), us('1', Math.min(...november(of('t1', 1))))),
  ),
];
