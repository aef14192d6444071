/** The step that traces a change back to its course, versions, runs and notes. */
import { foundIn, planned, type Answers, type PlannedCall } from '../shared/tool-answers.ts';
import { linesIn } from '../shared/text.ts';
import { citation, course, notesOn, taskRuns } from './calls.ts';
import { comparedIn, comparisonsOf, followedIn, worseOf, type Followed } from './changes.ts';
import type { Step } from './step.ts';
import type { Subject } from './subject.ts';

export const causes: Step = {
  reads: comparisonsOf,
  calls: (subject, answers) => followedIn(subject, answers).flatMap((each) => callsBehind(subject, each)),
  note(subject, answers) {
    const { t } = subject;
    const followed = followedIn(subject, answers);
    if (followed.length === 0) return { nothing: t('nothingToFollow') };
    const noted = followed.flatMap(({ label }) => notedOn(subject, answers, label));
    const patterns = followed.map((each) => patternOf(subject, answers, each));
    return {
      headline: [
        ...patterns,
        noted.length === 0 ? t('notNoted') : t('noted', { lines: noted.join(' ') }),
      ].join(' '),
      remarks: [t('unexplained'), ...followed.flatMap((each) => linesBehind(subject, answers, each))],
      withLines: false,
    };
  },
};

/** Which values of a qubit became worse. What it comes from no row says. */
function patternOf(subject: Subject, answers: Answers, followed: Followed): string {
  const { t } = subject;
  const { qid, label, parameter } = followed;
  const titles = worseOf(subject, answers, qid);
  const [only] = titles;
  if (only === undefined) return t(comparedIn(subject, answers) === 0 ? 'notKnown' : 'notWorse', { label });
  if (titles.length > 1) return t('together', { label, titles });
  const went = foundIn(answers, course(subject, label, parameter))?.formattedSummary ?? '';
  const parts = [
    ...(went.includes('(worse)') ? [t('lasting', { label, title: only })] : []),
    ...(subject.metrics.length === 1 ? [t('onlyLookedAt', { label, title: only })] : []),
  ];
  return parts.join(' ') || t('alone', { label, title: only });
}

/** The versions of a value, its course, and its qubit's newest runs and notes. */
const callsBehind = (subject: Subject, { label, parameter }: Followed): readonly PlannedCall[] => [
  lineage(subject, label, parameter),
  course(subject, label, parameter),
  taskRuns(subject, { qid: label, lastN: 5 }),
  notesOn(subject, label),
  citation(subject, label, parameter),
];

/** Lines of these calls; the two lines of a course are joined, because the second is meaningless alone. */
function linesBehind(subject: Subject, answers: Answers, { label, parameter }: Followed): readonly string[] {
  const { toolLine } = subject;
  const linesOf = (call: PlannedCall): readonly string[] =>
    linesIn(foundIn(answers, call)?.formattedSummary ?? '')
      .filter((line) => !line.startsWith('Stored results, '))
      .map(toolLine);
  return [
    linesOf(course(subject, label, parameter)).join(' '),
    ...linesOf(lineage(subject, label, parameter)),
    ...linesOf(taskRuns(subject, { qid: label, lastN: 5 })),
    ...linesOf(notesOn(subject, label)),
  ].filter((line) => line !== '');
}

const lineage = ({ chipId: chip_id }: Subject, qid: string, parameter_name: string): PlannedCall =>
  planned('get_parameter_lineage', { chip_id, parameter_name, qid, last_n: 8 });

/** The first note on a qubit that the tool quotes, which outranks what its figures suggest. */
const notedOn = (subject: Subject, answers: Answers, label: string): readonly string[] =>
  linesIn(foundIn(answers, notesOn(subject, label))?.formattedSummary ?? '')
    .filter((line) => line.startsWith('On '))
    .slice(0, 1)
    .map(subject.toolLine);
