/** How T1 went. */
import { average, newestOf, type LabRecord, type Reading } from './lab-record.ts';
import { byTool, ofChip, ofQubit, type Question } from './question.ts';

type Mean = { readonly mean: number | null };

/** T1 of a qubit, newest first. */
const courseOf = (lab: LabRecord, qid: string): readonly Reading[] =>
  lab.readings
    .filter((each) => each.parameter === 't1' && each.qid === qid)
    .toSorted((a, b) => b.at.getTime() - a.at.getTime());

/** T1 now and before, in the last two days and in the two before, of qubits that have both. */
function changesOfT1(lab: LabRecord): readonly number[] {
  const ago = (days: number): Date => new Date(lab.now.getTime() - days * 24 * 3600 * 1000);
  const between = (from: Date, to: Date) =>
    newestOf({ ...lab, readings: lab.readings.filter(({ at }) => at >= from && at < to) }, 't1');
  const before = new Map(between(ago(4), ago(2)).map(({ qid, value }) => [qid, value]));
  return between(ago(2), lab.now).flatMap(({ qid, value }) => {
    const previous = before.get(qid);
    return previous === undefined ? [] : [value - previous];
  });
}

export const QUESTIONS_ABOUT_CHANGE: readonly Question[] = [
  {
    asked: 'What do the last two T1 of every qubit say: mean of the newest, how many, which are the same?',
    expected: (lab) => {
      const lastTwo = lab.qids.map((qid) => courseOf(lab, qid).slice(0, 2));
      // Of two results nothing else can be said: a trend takes more of them.
      const unchanged = lastTwo.filter(
        ([newest, before]) => newest && before && newest.value === before.value,
      );
      return [
        average(lastTwo.flatMap(([newest]) => newest?.value ?? [])),
        lastTwo.flat().length,
        unchanged.map(([newest]) => newest!.qid),
      ];
    },
    overGraphql: () =>
      ofChip<{
        timeseries: {
          statistics: Mean;
          series: { qubit: { qid: string }; points: unknown[]; trend: string | null }[];
        };
      }>(
        'timeseries(parameter: "t1", lastN: 2) { statistics { mean } series { qubit { qid } points { at } trend } }',
        ({ timeseries: { statistics, series } }) => [
          statistics.mean,
          series.flatMap(({ points }) => points).length,
          series.filter(({ trend }) => trend === 'STABLE').map(({ qubit }) => qubit.qid),
        ],
      ),
    byTool: () =>
      byTool<
        { statistics: Mean },
        { qubits: { qid: string; count: number; trend: string | null }[]; timeseries: unknown[] }
      >(
        'get_chip_parameter_timeseries',
        { parameter_name: 't1', last_n: 2 },
        ({ data: { statistics }, kept: { qubits, timeseries } }) => [
          statistics.mean,
          timeseries.length,
          qubits.filter(({ trend }) => trend === 'STABLE').map(({ qid }) => qid),
        ],
      ),
  },
  {
    asked: 'How did T1 of this qubit go?',
    expected: (lab) =>
      courseOf(lab, lab.subject)
        .toReversed()
        .map(({ at, value }) => [at.toISOString(), value]),
    overGraphql: ({ subject }) =>
      ofQubit<{ timeseries: { points: { at: string; value: number }[] } }>(
        subject,
        'timeseries(parameter: "t1") { points { at value } }',
        ({ timeseries: { points } }) => points.map(({ at, value }) => [at, value]),
      ),
    byTool: ({ subject }) =>
      byTool<{ values: { t: string; v: number }[]; scale: number }>(
        'get_parameter_timeseries',
        { parameter_name: 't1', qid: subject },
        ({ data: { values, scale } }) => values.map(({ t, v }) => [t, v * scale]),
      ),
  },
  {
    asked: 'By how much did T1 change in the last two days against the two before?',
    expected: (lab) => {
      const changes = changesOfT1(lab);
      return [average(changes), changes.length];
    },
    overGraphql: () =>
      ofChip<{ comparison: { total: { change: number | null; members: number } } }>(
        'comparison(parameter: "t1", windowHours: 48) { total { change members } }',
        ({ comparison: { total } }) => [total.change, total.members],
      ),
    byTool: () =>
      byTool<{ total: { change: number | null; members: number } }>(
        'compare_periods',
        { parameter_name: 't1', window_hours: 48, include_series: false },
        ({ data: { total } }) => [total.change, total.members],
      ),
  },
];
