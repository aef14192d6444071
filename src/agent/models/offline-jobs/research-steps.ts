/** Steps of an investigation: what changed, which runs stand behind it, what else stands out. */
import { z } from 'zod';
import { countOf, formatQuantity, joinWords } from '../../../domain/display-text.ts';
import { planned, type Answers, type PlannedCall } from '../offline-analyst/answers.ts';
import { linesIn } from '../offline-analyst/text.ts';
import { citation, executions, notesOn, outliers, taskRuns, weekOf } from './calls.ts';
import { foundIn, type Step, type Subject } from './step.ts';

const comparison = z.object({
  display_unit: z.string(),
  scale: z.number(),
  rows: z.array(
    z.object({
      entity: z.string(),
      current: z.number().nullable(),
      previous: z.number().nullable(),
      sigma: z.number().nullable(),
      better: z.boolean().nullable(),
    }),
  ),
});

/** A value that became worse by more than its errors explain. */
type Suspect = {
  readonly parameter: string;
  readonly qid: string;
  readonly sigma: number;
  /** In display scale: `37.47 μs, before 60.00 μs`. */
  readonly size: string;
};

/** Below this a change is taken for scatter: of 64 qubits about one in six weeks passes it by chance. */
const SUSPECT_SIGMA = 3;
const FOLLOWED = 3;

const changesOf = ({ chipId, metrics }: Subject) => metrics.map((metric) => weekOf(chipId, metric, 'qubit'));

/** The worst first; a qubit is there once for each parameter that became worse. */
function suspectsIn(subject: Subject, answers: Answers): readonly Suspect[] {
  const all = subject.metrics.flatMap((parameter, at) => {
    const call = changesOf(subject)[at];
    const compared = comparison.safeParse(call && foundIn(answers, call)?.data);
    if (!compared.success) return [];
    const { rows, scale, display_unit: unit } = compared.data;
    return rows.flatMap(({ entity: qid, current, previous, sigma, better }) => {
      if (better !== false || sigma === null || Math.abs(sigma) < SUSPECT_SIGMA) return [];
      const [now, before] = [current, previous].map((value) => formatQuantity(value && value * scale, unit));
      return [{ parameter, qid, sigma: Math.abs(sigma), size: `${now}, before ${before}` }];
    });
  });
  return all.toSorted((a, b) => b.sigma - a.sigma);
}

/** The clearest change of each of the worst qubits. */
function followedIn(subject: Subject, answers: Answers): readonly Suspect[] {
  const all = suspectsIn(subject, answers);
  return all.filter(({ qid }, at) => all.findIndex((other) => other.qid === qid) === at).slice(0, FOLLOWED);
}

const isCompared = (subject: Subject, answers: Answers): boolean =>
  changesOf(subject).some((call) => {
    const rows = comparison.safeParse(foundIn(answers, call)?.data).data?.rows ?? [];
    return rows.some(({ current, previous }) => current !== null && previous !== null);
  });

/** What changed within a week. */
export const changes: Step = {
  id: '01-changes',
  todo: 'Compare the last week with the week before it, for each main parameter, qubit by qubit.',
  title: 'What changed',
  needs: ['compare_periods'],
  calls: changesOf,
  note(subject, answers) {
    if (!isCompared(subject, answers)) {
      return {
        headline:
          'No change can be told: of no parameter are there runs in both the last week and the week before it.',
        withLines: false,
      };
    }
    const suspects = suspectsIn(subject, answers);
    return {
      headline:
        suspects.length === 0
          ? `No value became worse by ${SUSPECT_SIGMA} sigma or more within a week.`
          : `${countOf(suspects.length, 'value')} became worse by ${SUSPECT_SIGMA} sigma or more within a week; the clearest: ${joinWords(suspects.slice(0, FOLLOWED).map(suspectWords))}.`,
    };
  },
};

const suspectWords = ({ parameter, qid, sigma, size }: Suspect): string =>
  `${parameter} of ${qid} (${size}, ${sigma.toFixed(1)} sigma)`;

/** From a changed value back to its runs. */
export const causes: Step = {
  id: '02-causes',
  todo: 'Follow the clearest changes to the runs, versions and notes behind them.',
  title: 'What stands behind the changes',
  needs: ['compare_periods', 'get_parameter_lineage', 'search_task_results'],
  reads: changesOf,
  calls(subject, answers) {
    const { chipId } = subject;
    return followedIn(subject, answers).flatMap(({ qid, parameter }) => [
      planned('get_parameter_lineage', { chip_id: chipId, parameter_name: parameter, qid, last_n: 8 }),
      taskRuns(chipId, { qid, lastN: 5 }),
      notesOn(chipId, qid),
      citation(chipId, qid, parameter),
    ]);
  },
  note(subject, answers) {
    const followed = followedIn(subject, answers);
    if (followed.length === 0) return { headline: NOTHING_TO_FOLLOW };
    const all = suspectsIn(subject, answers);
    const noted = followed.flatMap(({ qid }) => notedOn(subject, answers, qid));
    return {
      headline: [
        ...followed.map(({ qid }) => patternOf(all.filter((suspect) => suspect.qid === qid))),
        ...(noted.length === 0 ? ['Nobody left a note on them.'] : noted),
      ].join(' '),
      remarks: [
        'A change that the runs, versions and notes below do not explain is not explained; nothing here is more than what is stored.',
      ],
    };
  },
};

const NOTHING_TO_FOLLOW = 'Nothing was followed to its runs: no value became clearly worse.';

/** What people wrote on a qubit, which stands above what its figures suggest. */
const notedOn = ({ chipId }: Subject, answers: Answers, qid: string): readonly string[] =>
  linesOf(answers, notesOn(chipId, qid))
    .slice(1, 2)
    .map((line) => `A person noted: ${line}`);

/** What it means that one or several values of a qubit became worse together. */
function patternOf(ofQubit: readonly Suspect[]): string {
  const names = joinWords(ofQubit.map(({ parameter }) => parameter));
  const qid = ofQubit[0]?.qid ?? '';
  return ofQubit.length > 1
    ? `${qid}: ${names} became worse together, which speaks for the qubit itself, such as a defect or its temperature, and against a single bad run.`
    : `${qid}: only ${names} became worse; repeat that measurement before looking for a cause.`;
}

const outlierRows = z.object({
  outliers: z.array(
    z.object({
      qid: z.string(),
      label: z.string(),
      parameter: z.string(),
      value: z.number(),
      scale: z.number(),
      display_unit: z.string(),
      score: z.number(),
    }),
  ),
});

/** The farthest values first. */
function farthest({ chipId }: Subject, answers: Answers) {
  const rows = outlierRows.safeParse(foundIn(answers, outliers(chipId))?.data).data?.outliers ?? [];
  return rows.toSorted((a, b) => Math.abs(b.score) - Math.abs(a.score));
}

/** Values far from the rest of the chip. */
export const strangers: Step = {
  id: '03-outliers',
  todo: 'Find values that lie far from the rest of the chip, and cite the farthest.',
  title: 'Outliers',
  needs: ['find_outliers'],
  calls: (subject, answers) => [
    outliers(subject.chipId),
    ...farthest(subject, answers)
      .slice(0, FOLLOWED)
      .map(({ qid, parameter }) => citation(subject.chipId, qid, parameter)),
  ],
  note(subject, answers) {
    const all = farthest(subject, answers);
    const words = all.slice(0, FOLLOWED).map(({ label, parameter, value, scale, display_unit, score }) => {
      const shown = formatQuantity(value * scale, display_unit);
      return `${parameter} of ${label} with ${shown} (${scoreWords(score)} from the median)`;
    });
    if (all.length === 0) return { headline: null };
    return {
      headline: `${countOf(all.length, 'value')} far from the rest of the chip; the farthest: ${joinWords(words)}.`,
    };
  },
};

/** Beyond a hundred the number only tells how narrow the rest is. */
const scoreWords = (score: number): string =>
  Math.abs(score) > 100 ? 'more than 100 deviations' : `${Math.abs(score).toFixed(1)} deviations`;

/** Failed runs, calibrations, and what people noted. */
export const incidents: Step = {
  id: '04-incidents',
  todo: 'Look through failed runs, the newest calibrations and notes of people.',
  title: 'Failed runs and notes',
  needs: ['search_task_results', 'get_calibration_notes'],
  calls: ({ chipId }) => [
    taskRuns(chipId, { failed: true, lastN: 10 }),
    executions(chipId),
    notesOn(chipId, null),
  ],
  note({ chipId }, answers) {
    const [first, newest] = linesOf(answers, taskRuns(chipId, { failed: true, lastN: 10 }));
    if (first === undefined) return { headline: null };
    const runs =
      newest === undefined || first.endsWith('none.')
        ? 'No failed run is stored.'
        : `The newest failed run: ${newest}`;
    // Notes on results explain single runs; those on qubits hold for all that is said of them.
    const noted = linesOf(answers, notesOn(chipId, null)).filter((line) => line.startsWith('On Q'));
    return { headline: [runs, ...noted].join(' ') };
  },
};

const linesOf = (answers: Answers, call: PlannedCall): readonly string[] =>
  linesIn(foundIn(answers, call)?.formattedSummary ?? '');
