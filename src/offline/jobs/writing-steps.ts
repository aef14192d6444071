/** Steps of a calibration report: the state of the chip, its best and worst qubits, its couplings. */
import { planned, type PlannedCall } from '../shared/tool-answers.ts';
import { isCoupling } from '../../domain/questions/vocabulary.ts';
import { chipSummary, citation } from './calls.ts';
import { rankedText, rankingCalls, rankingsIn, type Ranking } from './rankings.ts';
import type { Step } from './step.ts';
import { couplingMetrics, isNarrowed, namedQubits, qubitMetrics, titleOf, type Subject } from './subject.ts';

/** Rows of a ranking in a report, unless the request says how many. */
const REPORTED = 5;
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
  calls: (subject) => (namedQubits(subject).length > 0 ? comparisonsOf(subject) : [chipSummary(subject)]),
  note: () => ({ headline: null }),
};

type RankingStep = {
  readonly metricsOf: (subject: Subject) => readonly string[];
  readonly nothing: (subject: Subject) => string;
};

/** A step that ranks by parameters: both ends of each, and a reference to the value in front. */
const rankingStep = ({ metricsOf, nothing }: RankingStep): Step => ({
  calls: (subject, answers) =>
    metricsOf(subject).flatMap((metric) => [
      ...rankingCalls(subject, metric, answers),
      ...rankingsIn(subject, [metric], answers).flatMap((ranking) =>
        ranking
          .from(subject.request.end ?? 'worst')
          .rows.slice(0, 1)
          .map(({ row }) => citation(subject, row.qid, metric)),
      ),
    ]),
  note(subject, answers) {
    const rankings = rankingsIn(subject, metricsOf(subject), answers).filter(({ rows }) => rows.length > 0);
    const [headline, ...remarks] = rankings.flatMap((ranking) => linesOf(ranking, subject));
    if (headline === undefined) return { nothing: nothing(subject) };
    return { headline, remarks, withLines: false };
  },
});

/** The best and worst qubits. */
export const extremes = rankingStep({
  metricsOf: qubitMetrics,
  nothing: (subject) =>
    qubitMetrics(subject)
      .map((name) => subject.t('noValues', { title: titleOf(name) }))
      .join(', '),
});

/** Two-qubit gates. */
export const couplings = rankingStep({
  metricsOf: couplingMetrics,
  nothing: ({ t }) => t('noCouplings'),
});

const isOfCouplings = ({ rows }: Ranking): boolean => rows.some(({ qid }) => isCoupling(qid));

/** The worst and the best values, or the end that the request names, and how many parts have none. */
function linesOf(ranking: Ranking, subject: Subject): readonly string[] {
  const { t, request } = subject;
  const { metric, rows, missing } = ranking;
  const most = request.count ?? REPORTED;
  const ends = request.end === null ? (['worst', 'best'] as const) : [request.end];
  // With so few rows both ends are the same list.
  const shown = rows.length <= most ? ends.slice(0, 1) : ends;
  const values = { title: titleOf(metric), count: missing, isCouplings: isOfCouplings(ranking) };
  return [
    ...shown.map((end) => rankedText(ranking, end, most, subject)),
    ...(missing > 0 && !isNarrowed(subject) ? [t('withoutValue', values)] : []),
  ];
}
