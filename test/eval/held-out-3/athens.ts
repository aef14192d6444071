/** Eight weeks of daily tables: T1, readout error and CNOT error, with gaps; nothing else was measured. */
import { meanOf, medianOf } from '../data/arithmetic.ts';
import { ask, falling, rising, type HeldOut } from '../held-out/held-out.ts';
import {
  at,
  beyond,
  count,
  day,
  either,
  error,
  expects,
  inOrder,
  inUnit,
  misleading,
  naming,
  nothing,
  says,
  us,
  without,
} from '../scoring/expectation.ts';
import { deviations, DOUBT, NO_TREND, WINDOWS } from './facts.ts';
import {
  during,
  extreme,
  newest,
  on,
  type AthensMetric,
  type Point,
  type Series,
  nowOf,
  QUBITS,
} from './series.ts';

type Athens = Series<AthensMetric>;

const october = (points: readonly Point[]) => during(points, '2020-10-01', '2020-10-31');
const november = (points: readonly Point[]) => during(points, '2020-11-01', '2020-11-30');
const days = (points: readonly Point[]) => points.map((point) => day(new Date(point.day)));
const TREND = misleading(
  /\b(?<!not (?:\w+ )?)(?:is|are|was|has been|keeps) (?:\w+ly )?(?:rising|falling|improving|degrading|increasing|decreasing|declining)\b|上昇しています|低下しています|(?<!いえない)劣化しています/iu,
  'a trend that is not there',
);

export const ATHENS: readonly HeldOut<Athens>[] = [
  ask('one value', 'What readout error did Q1 show on October 23rd, 2020?', ({ of }) =>
    expects(error('1', on(of('readout', 1), '2020-10-23'))),
  ),
  ask('one value', '2020年11月13日のQ0のT1は？', ({ of }) => expects(us('0', on(of('t1', 0), '2020-11-13')))),
  ask('past or current', 'Is the T1 of Q0 up to date?', ({ of }) =>
    without(
      expects(us('0', newest(of('t1', 0))), says(/\bold\b|stale|not|days|2020/iu, 'that it is old')),
      misleading(/\byes\b/iu, 'yes'),
    ),
  ),
  ask('past or current', 'cnot error 3-4 as of 14 oct 2020', ({ of }) =>
    expects(error('3-4', on(of('cx', '3-4'), '2020-10-14'))),
  ),
  ask('several values', '最新の読み出しエラーを5量子ビット分ぜんぶ見せて', (athens) =>
    expects(...nowOf(athens, 'readout').map(({ id, value }) => error(id, value))),
  ),
  ask('rankings', 'rank the five qubits by their latest T1, best first', (athens) => {
    const best = falling(nowOf(athens, 't1'), (row) => row.value);
    return expects(inOrder(best), ...best.map((row) => us(row.id, row.value)));
  }),
  ask('rankings', 'which cnot has the lowest error in the newest data', ({ of }) =>
    expects(inOrder([{ id: '0-1' }]), error('0-1', newest(of('cx', '0-1')))),
  ),
  ask('statistics', 'median T1 of Q1 over the whole record', ({ of }) =>
    expects(us('1', medianOf(of('t1', 1).map(({ value }) => value)))),
  ),
  ask('statistics', 'how much does the T1 of Q2 scatter (standard deviation, all days)', ({ of }) =>
    expects(either(...deviations(of('t1', 2).map(({ value }) => value)).map((value) => [us('2', value)]))),
  ),
  ask('statistics', 'Q1のT1が40μsを下回った日は何日ありましたか', ({ of }) =>
    expects(count(of('t1', 1).filter(({ value }) => value < 40).length)),
  ),
  ask('conditions', 'On which days in October 2020 was the T1 of Q2 over 100 microseconds?', ({ of }) =>
    expects(...days(of('t1', 2).filter((point) => point.day < '2020-11' && point.value > 100))),
  ),
  ask('operational state', 'for which days of November 2020 do we have no T1 of Q4', ({ of }) => {
    const there = new Set(of('t1', 4).map((point) => point.day));
    const all = Array.from({ length: 30 }, (_, index) => `2020-11-${String(index + 1).padStart(2, '0')}`);
    return expects(...all.filter((each) => !there.has(each)).map((each) => day(new Date(each))));
  }),
  ask('operational state', 'Was anything measured on 26 November 2020?', () =>
    nothing(/26|nothing|no (?:value|result|measurement)/iu),
  ),
  ask('periods and trends', 'min and max T1 for Q1 in October 2020', ({ of }) =>
    expects(us('1', Math.min(...october(of('t1', 1)))), us('1', Math.max(...october(of('t1', 1))))),
  ),
  ask('periods and trends', 'T1 median of Q2 for October 2020 and for November 2020', ({ of }) =>
    expects(
      at('2020-10', us('2', medianOf(october(of('t1', 2))))),
      at('2020-11', us('2', medianOf(november(of('t1', 2))))),
    ),
  ),
  ask(
    'periods and trends',
    'Average readout error of Q4 between the 1st and the 15th of November 2020?',
    ({ of }) =>
      expects(
        either(
          [error('4', meanOf(during(of('readout', 4), '2020-11-01', '2020-11-15')))],
          [error('4', meanOf(during(of('readout', 4), '2020-11-01', '2020-11-14')))],
        ),
      ),
  ),
  ask('periods and trends', '2020年10月のQ1の読み出しエラーの平均', ({ of }) =>
    expects(error('1', meanOf(october(of('readout', 1))))),
  ),
  ask('periods and trends', 'lowest T1 we ever saw on Q2, and when', ({ of }) => {
    const low = extreme(of('t1', 2), 1);
    return expects(us('2', low.value), day(new Date(low.day)));
  }),
  ask('periods and trends', 'when was cnot 0 1 at its worst', ({ of }) => {
    const high = extreme(of('cx', '0-1'), -1);
    return expects(day(new Date(high.day)), error('0-1', high.value));
  }),
  ask('periods and trends', 'Is the T1 of Q4 trending upwards over these weeks?', () =>
    without(expects(NO_TREND), TREND),
  ),
  ask('periods and trends', 'does the 3-4 cnot get better over time', () =>
    without(expects(NO_TREND), TREND),
  ),
  ask('periods and trends', 'Q3のT1は全期間で劣化していますか？', () => without(expects(NO_TREND), TREND)),
  ask('what changed', 'What changed between 30 November and 1 December 2020?', ({ of }) =>
    expects(
      ...['2', '3'].flatMap((id) => [
        us(id, on(of('t1', id), '2020-11-30')),
        us(id, on(of('t1', id), '2020-12-01')),
      ]),
    ),
  ),
  ask('what changed', 'how far did Q3s T1 fall from nov 30 to dec 1 2020', ({ of }) => {
    const [before, after] = [on(of('t1', 3), '2020-11-30'), on(of('t1', 3), '2020-12-01')];
    return expects(
      either([us('3', before - after)], [us('3', after - before)], [us('3', before), us('3', after)]),
    );
  }),
  ask('what changed', 'Since 24 November 2020, which qubit has lost most T1?', ({ of }) => {
    const losses = QUBITS.map((id) => ({ id, value: newest(of('t1', id)) - on(of('t1', id), '2020-11-24') }));
    const [most] = rising(losses, (row) => row.value);
    return expects(
      inOrder(most === undefined ? [] : [most]),
      either(
        [us(most?.id ?? '', most?.value ?? 0)],
        [us(most?.id ?? '', -(most?.value ?? 0))],
        // Or since the last value before that day.
        [us('3', on(of('t1', 3), '2020-11-23')), us('3', newest(of('t1', 3)))],
        [
          us(most?.id ?? '', on(of('t1', most?.id ?? ''), '2020-11-24')),
          us(most?.id ?? '', newest(of('t1', most?.id ?? ''))),
        ],
      ),
    );
  }),
  ask('what changed', '11月と比べて12月1日のQ2の読み出しエラーはどう変わった？(2020年)', ({ of }) =>
    expects(
      error('2', on(of('readout', 2), '2020-12-01')),
      either(
        [error('2', meanOf(november(of('readout', 2))))],
        [error('2', medianOf(november(of('readout', 2))))],
        [error('2', on(of('readout', 2), '2020-11-30'))],
      ),
    ),
  ),
  ask('plausibility', 'Q1 readout on 23 Oct 2020 - outlier or real?', ({ of }) =>
    expects(error('1', on(of('readout', 1), '2020-10-23')), DOUBT),
  ),
  ask('comparisons', 'Average T1 in October 2020: Q0 against Q3', ({ of }) =>
    expects(us('0', meanOf(october(of('t1', 0)))), us('3', meanOf(october(of('t1', 3))))),
  ),
  ask('comparisons', 'Is the latest CNOT error 1→2 the same as 2→1?', ({ of }) =>
    expects(error('1-2', newest(of('cx', '1-2'))), error('1-2', newest(of('cx', '2-1')))),
  ),
  ask('units', '2020年11月30日のQ1のT1を秒で', ({ of }) =>
    expects(inUnit('s', '1', on(of('t1', 1), '2020-11-30') * 1e-6)),
  ),
  ask('not in the data', 'T2 of Q0', () => nothing(/T2/iu)),
  ask('not in the data', 'T1 of Q3 in September 2020?', () =>
    without(nothing(/sep|2020-09|no (?:value|result|measurement|data)/iu), WINDOWS),
  ),
  ask('not in the data', 'Q0のT1、2020年11月8日の値は？', () =>
    without(nothing(/11月8日|2020-11-08|8 Nov|測定|値|ありません/iu), WINDOWS),
  ),
  ask('outside the field', 'How do I get from the main station to the institute?', beyond),
  ask('follow-ups', ['T1 of Q0 on 30 November 2020', 'and a day later?'], ({ of }) =>
    expects(us('0', on(of('t1', 0), '2020-12-01'))),
  ),
  ask('follow-ups', ['mean T1 of Q1 in October 2020', 'November?'], ({ of }) =>
    naming(expects(us('1', meanOf(november(of('t1', 1)))))),
  ),
];
