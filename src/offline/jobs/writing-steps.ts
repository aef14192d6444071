/** Steps of a calibration report: the state of the chip, its best and worst qubits, its couplings. */
import { formatQuantity } from '../../domain/text/display-text.ts';
import { planned, type Answers, type PlannedCall } from '../shared/tool-answers.ts';
import { isCoupling } from '../../domain/questions/vocabulary.ts';
import { barChart, classesOf } from './text-chart.ts';
import { chipSummary, citation } from './calls.ts';
import { rankedIn, rankedText, rankingCalls, type Ranked } from './rankings.ts';
import type { Step } from './step.ts';
import { couplingMetrics, isNarrowed, namedQubits, qubitMetrics, titleOf, type Subject } from './subject.ts';

/** Rows of a ranking in a report, unless the request says how many. */
const REPORTED = 5;
/** Fewer values have no distribution worth a chart. */
const SHAPE = 12;
/** Most qubits that are compared in one call. */
const COMPARED = 32;

/** The values of the qubits that the job was narrowed to, side by side. */
function comparisonsOf(subject: Subject): readonly PlannedCall[] {
  const qids = namedQubits(subject);
  const param_names = subject.request.metrics.length === 0 ? null : qubitMetrics(subject);
  return Array.from({ length: Math.ceil(qids.length / COMPARED) }, (_, at) =>
    planned('compare_qubits', {
      chip_id: subject.chipId,
      qids: qids.slice(at * COMPARED, (at + 1) * COMPARED),
      param_names,
    }),
  );
}

/** The chip as a whole, or the qubits that the job names. */
export const state: Step = {
  key: 'state',
  id: '10-state',
  needs: ['get_chip_summary'],
  calls: (subject) => (namedQubits(subject).length > 0 ? comparisonsOf(subject) : [chipSummary(subject)]),
  note: () => ({ headline: null }),
};

/** The best and worst qubits. */
export const extremes: Step = {
  key: 'extremes',
  id: '25-extremes',
  needs: ['rank_qubits'],
  calls: (subject, answers) => callsOf(subject, qubitMetrics(subject), answers),
  note: (subject, answers) => {
    const { t } = subject;
    const metrics = qubitMetrics(subject);
    const rankings = rankedOf(subject, metrics, answers);
    const [first] = rankings;
    if (first === undefined)
      return { nothing: metrics.map((name) => t('noValues', { title: titleOf(name) })).join(', ') };
    return {
      headline: first.lines[0] ?? null,
      blocks: distribution(first.ranked, subject),
      remarks: rankings.flatMap(({ lines }) => lines).slice(1),
      withLines: false,
    };
  },
};

/** Two-qubit gates. */
export const couplings: Step = {
  key: 'couplings',
  id: '30-couplings',
  needs: ['rank_qubits'],
  calls: (subject, answers) => callsOf(subject, couplingMetrics(subject), answers),
  note(subject, answers) {
    const rankings = rankedOf(subject, couplingMetrics(subject), answers);
    const [first, ...others] = rankings.flatMap(({ lines }) => lines);
    return first === undefined
      ? { nothing: subject.t('noCouplings') }
      : { headline: first, remarks: others, withLines: false };
  },
};

/** The rankings, and a reference to the worst of each. */
const callsOf = (subject: Subject, metrics: readonly string[], answers: Answers): readonly PlannedCall[] =>
  metrics.flatMap((metric) => {
    const worst = rankedIn(subject, metric, answers)?.rows[0];
    return [
      ...rankingCalls(subject, metric, answers),
      ...(worst === undefined ? [] : [citation(subject, worst.qid, metric)]),
    ];
  });

/** The lines on each ranking that has rows: the worst and the best, or the end that the request names. */
function rankedOf(subject: Subject, metrics: readonly string[], answers: Answers) {
  const { t, request } = subject;
  const most = request.count ?? REPORTED;
  return metrics.flatMap((metric) => {
    const ranked = rankedIn(subject, metric, answers);
    if (ranked === null || ranked.rows.length === 0) return [];
    const { rows, title, missing } = ranked;
    const isCouplings = rows.some(({ qid }) => isCoupling(qid));
    const of = isNarrowed(subject) ? rows.length : ranked.measured;
    const textOf = (end: 'best' | 'worst'): string => {
      const shown = (end === 'worst' ? rows : rows.toReversed()).slice(0, most);
      return rankedText({ end, title, rows: shown, of, isCouplings }, subject);
    };
    const ends = request.end === null ? (['worst', 'best'] as const) : [request.end];
    const lacking =
      missing > 0 && !isNarrowed(subject) ? [t('withoutValue', { title, count: missing, isCouplings })] : [];
    // With so few rows both ends are the same list.
    return [{ ranked, lines: [...(rows.length <= most ? ends.slice(0, 1) : ends).map(textOf), ...lacking] }];
  });
}

/** The distribution as a text chart; none where there are too few values, or not all were read. */
function distribution({ rows, title, unit, isWhole }: Ranked, { t }: Subject): readonly string[] {
  if (!isWhole || rows.length < SHAPE) return [];
  const bars = classesOf(
    rows.map(({ value }) => value),
    (value) => formatQuantity(value, unit),
  );
  return [barChart(t('distribution', { title, count: rows.length }), bars)];
}
