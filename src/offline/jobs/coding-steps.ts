/** Steps of an analysis: a script that anybody can read and run again, its tables and its result. */
import { z } from 'zod';
import { keyOf, planned, type Answers } from '../analyst/answers.ts';
import { barChart } from './bars.ts';
import { chipSummary, citation } from './calls.ts';
import { labelIn } from './labels.ts';
import { statisticsProgram } from './program.ts';
import { foundIn, type Step } from './step.ts';
import { isInScope, titleOf, type Subject } from './subject.ts';

/** Where the script stands in the workspace. */
const SCRIPT = 'scripts/chip_statistics.py';

/** A line of the script about a value far from the rest. */
const FAR_OFF = /^Far off: (\S+) of qid (\S+),/gmu;
const CITED = 3;
/** Lines of the tool that tell a model what became of its charts and tables. */
const FOR_MODELS = /^Kept for later analysis|shown to the user/iu;
const SAVED = /^Saved in the workspace: (.+)\.$/u;
const HISTOGRAM = /^Histogram: (\S+) in ?(\S*): (.+)$/u;

const summary = z.object({
  data_key: z.string(),
  statistics: z.record(
    z.string(),
    z.object({ scale: z.number(), display_unit: z.string(), median: z.number().nullable() }),
  ),
});

/** Fetches what the script reads. */
export const dataset: Step = {
  key: 'data',
  id: '50-data',
  needs: ['get_chip_summary'],
  calls: (subject) => [chipSummary(subject)],
  note: ({ brief, words }) => ({
    headline: null,
    remarks: brief.qids.length + brief.excludedQids.length > 0 ? [words.analysis.readsOnly] : [],
  }),
};

/** Writes and runs the script. */
export const analysis: Step = {
  key: 'analysis',
  id: '55-analysis',
  needs: ['get_chip_summary', 'run_python'],
  reads: (subject) => [chipSummary(subject)],
  calls(subject, answers) {
    const program = programOf(subject, answers);
    if (program === null) return [];
    const ran = planned('run_python', { code: program });
    const text = foundIn(answers, ran)?.formattedSummary ?? '';
    const far = [...text.matchAll(FAR_OFF)].slice(0, CITED);
    return [
      planned('write_file', { path: SCRIPT, content: program }),
      ran,
      ...far.map(([, parameter = '', qid = '']) => citation(subject, qid, parameter)),
    ];
  },
  note(subject, answers) {
    const { analysis: words } = subject.words;
    const program = programOf(subject, answers);
    if (program === null) return { nothing: words.notRun(null) };
    const call = planned('run_python', { code: program });
    const ran = foundIn(answers, call);
    if (ran === null) {
      const answer = answers.get(keyOf(call));
      return { nothing: words.notRun(answer !== undefined && 'error' in answer ? answer.error : null) };
    }
    if (ran.formattedSummary.startsWith('0 parameters ')) return { nothing: words.tooFew };
    const lines = ran.formattedSummary.split('\n').filter((line) => !FOR_MODELS.test(line));
    const printed = lines.filter((line) => !SAVED.test(line) && !HISTOGRAM.test(line));
    const [head = '', ...told] = printed.map((line) => words.line(withLabel(line, answers)));
    return {
      headline: head,
      blocks: lines.flatMap((line) => histogramIn(line, subject)),
      remarks: [
        words.script(SCRIPT),
        words.method,
        ...told,
        ...lines.flatMap((line) => {
          const saved = SAVED.exec(line)?.[1];
          return saved === undefined ? [] : [words.files(saved.split(', '))];
        }),
      ],
      withLines: false,
    };
  },
};

/** The script knows ids, people read labels. */
const withLabel = (line: string, answers: Answers): string =>
  line.replace(/ of qid (\S+),/u, (_, qid: string) => ` of ${labelIn(answers, qid)},`);

/** The histogram that the script printed, as a chart in letters. */
function histogramIn(line: string, { words }: Subject): readonly string[] {
  const [, name, unit = '', classes = ''] = HISTOGRAM.exec(line) ?? [];
  if (name === undefined) return [];
  const bars = classes.split('; ').flatMap((each) => {
    const [label, count] = each.split(' = ');
    return label === undefined || count === undefined
      ? []
      : [{ label: label.replace(' to ', ' – '), value: Number(count), shown: count }];
  });
  return [barChart(words.analysis.histogram(titleOf(name), unit), bars)];
}

/** The script for what was fetched; null where nothing was. */
function programOf(subject: Subject, answers: Answers): string | null {
  const fetched = summary.safeParse(foundIn(answers, chipSummary(subject))?.data);
  if (!fetched.success) return null;
  const { data_key: key, statistics } = fetched.data;
  const isNarrowed = subject.brief.qids.length + subject.brief.excludedQids.length > 0;
  return statisticsProgram({
    key,
    columns: Object.entries(statistics).map(([name, { scale, display_unit: unit, median }]) => ({
      name,
      scale,
      unit,
      median: isNarrowed ? null : median,
    })),
    qids: subject.brief.qids.filter((qid) => isInScope(subject, qid)),
    excluded: subject.brief.excludedQids,
  });
}
