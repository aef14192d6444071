/** The step from what changed back to what stands behind it: course, versions, runs and notes. */
import { z } from 'zod';
import { formatQuantity } from '../../domain/text/display-text.ts';
import { planned, type Answers, type PlannedCall } from '../analyst/answers.ts';
import { linesIn } from '../analyst/text.ts';
import { barChart, baseOf } from './bars.ts';
import { citation, course, notesOn, taskRuns } from './calls.ts';
import { comparedIn, comparisonsOf, followedIn, worseOf, type Followed } from './changes.ts';
import { foundIn, type Step } from './step.ts';
import { titleOf, type Subject } from './subject.ts';

/** From a changed value back to its runs. */
export const causes: Step = {
  key: 'causes',
  id: '20-causes',
  needs: ['compare_periods', 'get_parameter_lineage', 'search_task_results'],
  reads: comparisonsOf,
  calls: (subject, answers) => followedIn(subject, answers).flatMap((each) => callsBehind(subject, each)),
  note(subject, answers) {
    const { changes: words } = subject.words;
    const followed = followedIn(subject, answers);
    if (followed.length === 0) return { nothing: words.nothingToFollow };
    const noted = followed.flatMap(({ label }) => notedOn(subject, answers, label));
    const patterns = followed.map((each) => patternOf(subject, answers, each));
    return {
      headline: [...patterns, noted.length === 0 ? words.notNoted : words.noted(noted)].join(' '),
      blocks: followed.slice(0, 1).flatMap(({ label, parameter }) => {
        const chart = courseChart(subject, answers, { label, parameter });
        return chart === null
          ? []
          : [
              barChart(
                `${words.course(titleOf(parameter), label)} ${chart.axis}`.trim(),
                chart.bars,
                chart.from,
              ),
            ];
      }),
      remarks: [words.unexplained, ...followed.flatMap((each) => linesBehind(subject, answers, each))],
      withLines: false,
    };
  },
};

/** What it means that one or several values of a qubit became worse, or none. */
function patternOf(subject: Subject, answers: Answers, followed: Followed): string {
  const { changes: words } = subject.words;
  const { qid, label, parameter } = followed;
  const titles = worseOf(subject, answers, qid);
  const [only] = titles;
  if (only === undefined)
    return comparedIn(subject, answers) === 0 ? words.notKnown(label) : words.notWorse(label);
  if (titles.length > 1) return words.together(label, titles);
  const went = foundIn(answers, course(subject, label, parameter))?.formattedSummary ?? '';
  const parts = [
    ...(went.includes('(worse)') ? [words.lasting(label, only)] : []),
    ...(subject.metrics.length === 1 ? [words.onlyLookedAt(label, only)] : []),
  ];
  return parts.join(' ') || words.alone(label, only);
}

/** The versions of a value, its course, the newest runs of its qubit and what people wrote on it. */
const callsBehind = (subject: Subject, { label, parameter }: Followed): readonly PlannedCall[] => [
  lineage(subject, label, parameter),
  course(subject, label, parameter),
  taskRuns(subject, { qid: label, lastN: 5 }),
  notesOn(subject, label),
  citation(subject, label, parameter),
];

/** What these calls said; a course takes two lines, of which the second says nothing alone. */
function linesBehind(subject: Subject, answers: Answers, { label, parameter }: Followed): readonly string[] {
  const { toolLine } = subject.words;
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

/** What people wrote on a qubit, which stands above what its figures suggest. */
const notedOn = (subject: Subject, answers: Answers, label: string): readonly string[] =>
  linesIn(foundIn(answers, notesOn(subject, label))?.formattedSummary ?? '')
    .slice(1, 2)
    .map(subject.words.toolLine);

const series = z.object({
  scale: z.number(),
  display_unit: z.string(),
  values: z.array(z.object({ t: z.string(), v: z.number().nullable() })),
});

/** The newest values of a course, as bars; null where there are too few for a shape. */
function courseChart(
  subject: Subject,
  answers: Answers,
  of: { readonly label: string; readonly parameter: string },
) {
  const read = series.safeParse(foundIn(answers, course(subject, of.label, of.parameter))?.data).data;
  const { scale = 1, display_unit: unit = '', values = [] } = read ?? {};
  const bars = values.flatMap(({ t, v }) =>
    v === null ? [] : [{ label: t.slice(0, 10), value: v * scale, shown: formatQuantity(v * scale, unit) }],
  );
  if (bars.length < 3) return null;
  const from = baseOf(bars.map(({ value }) => value));
  return { bars, from, axis: from === 0 ? '' : `[${formatQuantity(from, unit)} …]` };
}
