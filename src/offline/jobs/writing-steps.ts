/** Steps of a calibration report: how the chip stands, its best and worst, its couplings. */
import { formatQuantity } from '../../domain/text/display-text.ts';
import { planned, type Answers, type PlannedCall } from '../analyst/answers.ts';
import { isCoupling } from '../../domain/questions/vocabulary.ts';
import { barChart, classesOf } from './bars.ts';
import { chipSummary, citation } from './calls.ts';
import { rankedIn, rankingCalls, rowWords, type Ranked } from './rankings.ts';
import type { Step } from './step.ts';
import { couplingMetrics, namedQubits, qubitMetrics, titleOf, type Subject } from './subject.ts';

/** Rows of a ranking that a report tells where nobody said how many. */
const TOLD = 5;
/** Fewer values have no shape. */
const SHAPE = 12;
/** Most qubits that are compared in one call. */
const COMPARED = 32;

/** The values of the qubits that the job was narrowed to, side by side. */
function comparisonsOf(subject: Subject): readonly PlannedCall[] {
  const qids = namedQubits(subject);
  const param_names = subject.brief.metrics.length === 0 ? null : qubitMetrics(subject);
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

/** Who is best and worst. */
export const extremes: Step = {
  key: 'extremes',
  id: '25-extremes',
  needs: ['rank_qubits'],
  calls: (subject, answers) => callsOf(subject, qubitMetrics(subject), answers),
  note: (subject, answers) => {
    const { values: words } = subject.words;
    const metrics = qubitMetrics(subject);
    const told = rankedOf(subject, metrics, answers);
    const [first] = told;
    if (first === undefined)
      return { nothing: metrics.map((name) => words.noValues(titleOf(name))).join(', ') };
    return {
      headline: first.lines[0] ?? null,
      blocks: told.slice(0, 1).flatMap(({ ranked }) => distribution(ranked, subject)),
      remarks: told.flatMap(({ lines }) => lines).slice(1),
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
    const { values: words } = subject.words;
    const told = rankedOf(subject, couplingMetrics(subject), answers);
    const [first, ...others] = told.flatMap(({ lines }) => lines);
    return first === undefined
      ? { nothing: words.noCouplings }
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

/** What is told of each ranking that has rows: the worst and the best, or the end that the job names. */
function rankedOf(subject: Subject, metrics: readonly string[], answers: Answers) {
  const { values: words } = subject.words;
  const { count, end } = subject.brief;
  return metrics.flatMap((metric) => {
    const ranked = rankedIn(subject, metric, answers);
    if (ranked === null || ranked.rows.length === 0) return [];
    const { rows, title, missing } = ranked;
    const isCouplings = rows.some(({ qid }) => isCoupling(qid));
    const isNarrowed = subject.brief.qids.length + subject.brief.excludedQids.length > 0;
    const of = isNarrowed ? rows.length : ranked.measured;
    const tell = (which: 'best' | 'worst'): string => {
      const shown = (which === 'worst' ? rows : rows.toReversed()).slice(0, count ?? TOLD);
      return words.ranked(
        which,
        title,
        shown.map((row) => rowWords(row, subject)),
        of,
        isCouplings,
      );
    };
    const ends = end === null ? (['worst', 'best'] as const) : [end];
    const isAllTold = rows.length <= (count ?? TOLD);
    const lacking = missing > 0 && !isNarrowed ? [words.withoutValue(title, missing, isCouplings)] : [];
    return [{ ranked, lines: [...(isAllTold ? ends.slice(0, 1) : ends).map(tell), ...lacking] }];
  });
}

/** How the values lie, as a chart in letters; none where there are too few, or not all were read. */
function distribution({ rows, title, unit, isWhole }: Ranked, { words }: Subject): readonly string[] {
  if (!isWhole || rows.length < SHAPE) return [];
  const bars = classesOf(
    rows.map(({ value }) => value),
    (value) => formatQuantity(value, unit),
  );
  return [barChart(words.values.distribution(title, rows.length), bars)];
}
