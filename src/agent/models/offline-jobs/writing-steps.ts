/** Steps of a calibration report: how the chip stands, its best and worst, its couplings, its week. */
import { z } from 'zod';
import type { Answers } from '../offline-analyst/answers.ts';
import { linesIn } from '../offline-analyst/text.ts';
import { chipSummary, citation, ranking, weekOf } from './calls.ts';
import { foundIn, type Step, type Subject } from './step.ts';

const ranked = z.object({ rows: z.array(z.object({ qid: z.string() })) });

/** Coupling metrics that a report tells. */
const COUPLING_METRICS = ['zx90_gate_fidelity', 'bell_state_fidelity'];
const TOLD = 5;

/** The chip as a whole. */
export const state: Step = {
  id: '01-state',
  todo: 'Take the state of the whole chip: health, statistics and problems.',
  title: 'State of the chip',
  needs: ['get_chip_summary'],
  calls: ({ chipId }) => [chipSummary(chipId)],
};

const rankings = ({ chipId, metrics }: Subject) =>
  metrics.flatMap((metric) => [
    ranking(chipId, metric, 'best', TOLD),
    ranking(chipId, metric, 'worst', TOLD),
  ]);

/** The worst of each metric, so that the report can point at its record. */
function worstOf(subject: Subject, answers: Answers) {
  return subject.metrics.flatMap((metric) => {
    const answer = foundIn(answers, ranking(subject.chipId, metric, 'worst', TOLD));
    const [first] = ranked.safeParse(answer?.data).data?.rows ?? [];
    return first === undefined ? [] : [citation(subject.chipId, first.qid, metric)];
  });
}

/** Who is best and worst. */
export const extremes: Step = {
  id: '02-extremes',
  todo: 'Rank the qubits by each main parameter, and cite the worst of each.',
  title: 'Best and worst qubits',
  needs: ['rank_qubits'],
  calls: (subject, answers) => [...rankings(subject), ...worstOf(subject, answers)],
  note(subject, answers) {
    const worst = subject.metrics.flatMap((metric) => {
      const answer = foundIn(answers, ranking(subject.chipId, metric, 'worst', TOLD));
      return answer === null ? [] : linesIn(answer.formattedSummary).slice(0, 1);
    });
    return { headline: worst[0] ?? null };
  },
};

/** Two-qubit gates. */
export const couplings: Step = {
  id: '03-couplings',
  todo: 'Rank the couplings by the fidelity of their gates.',
  title: 'Couplings',
  needs: ['rank_qubits'],
  calls: ({ chipId }) => COUPLING_METRICS.map((metric) => ranking(chipId, metric, 'worst', TOLD)),
};

const weeksOf = ({ chipId, metrics }: Subject) => metrics.map((metric) => weekOf(chipId, metric, 'chip'));

/** The chip's means over a week. */
export const week: Step = {
  id: '05-week',
  todo: "Compare the chip's means of the last week with those of the week before it.",
  title: 'The last week',
  needs: ['compare_periods'],
  calls: weeksOf,
  note(subject, answers) {
    const means = subject.metrics.flatMap((metric, at) => {
      const call = weeksOf(subject)[at];
      const lines = linesIn((call && foundIn(answers, call)?.formattedSummary) ?? '');
      const mean = lines.find((line) => line.startsWith('Mean of '));
      return mean === undefined ? [] : [`${metric}: ${mean}`];
    });
    return {
      headline:
        means.length === 0
          ? 'The last week cannot be compared: of no parameter are there runs in both weeks.'
          : means.join(' '),
    };
  },
};
