/** Steps of an analysis: a script that anybody can read and run again, its tables and its results. */
import { z } from 'zod';
import { foundIn, keyOf, planned, type Answers } from '../shared/tool-answers.ts';
import { chipSummary, citation } from './calls.ts';
import { statisticsProgram } from './program.ts';
import type { Step } from './step.ts';
import { isInScope, isNarrowed, labelIn, type Subject } from './subject.ts';

/** Path of the script in the workspace. */
const SCRIPT = 'scripts/chip_statistics.py';

/** A line that the script prints on an outlier. */
const FAR_OFF = /^Far off: (\S+) of qid (\S+),/gmu;
const CITED = 3;
/** Lines of the tool on where charts and tables are kept, meant for models. */
const FOR_MODELS = /^Kept for later analysis|shown to the user/iu;
const SAVED = /^Saved in the workspace: (.+)\.$/u;

const summary = z.object({
  data_key: z.string(),
  statistics: z.record(
    z.string(),
    z.object({ scale: z.number(), display_unit: z.string(), median: z.number().nullable() }),
  ),
});

/** Fetches what the script reads. */
export const dataset: Step = {
  calls: (subject) => [chipSummary(subject)],
  note: (subject) => ({
    headline: null,
    remarks: isNarrowed(subject) ? [subject.t('readsOnly')] : [],
  }),
};

/** Writes and runs the script. */
export const analysis: Step = {
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
    const { t, scriptLine } = subject;
    const program = programOf(subject, answers);
    if (program === null) return { nothing: t('notRun', { reason: null }) };
    const call = planned('run_python', { code: program });
    const ran = foundIn(answers, call);
    if (ran === null) {
      const answer = answers.get(keyOf(call));
      const reason = answer !== undefined && 'error' in answer ? answer.error : null;
      return { nothing: t('notRun', { reason }) };
    }
    if (ran.formattedSummary.startsWith('0 parameters ')) return { nothing: t('tooFew') };
    const lines = ran.formattedSummary.split('\n').filter((line) => !FOR_MODELS.test(line));
    const printed = lines.filter((line) => !SAVED.test(line));
    const [head = '', ...others] = printed.map((line) => scriptLine(withLabel(line, answers)));
    return {
      headline: head,
      remarks: [
        t('script', { path: SCRIPT }),
        t('method'),
        ...others,
        ...lines.flatMap((line) => {
          const saved = SAVED.exec(line)?.[1];
          return saved === undefined ? [] : [t('files', { paths: saved.split(', ') })];
        }),
      ],
      withLines: false,
    };
  },
};

/** The script prints ids, reports have labels. */
const withLabel = (line: string, answers: Answers): string =>
  line.replace(/ of qid (\S+),/u, (_, qid: string) => ` of ${labelIn(answers, qid)},`);

/** The script for the fetched summary; null where there is none. */
function programOf(subject: Subject, answers: Answers): string | null {
  const fetched = summary.safeParse(foundIn(answers, chipSummary(subject))?.data);
  if (!fetched.success) return null;
  const { data_key: key, statistics } = fetched.data;
  const isPart = isNarrowed(subject);
  return statisticsProgram({
    key,
    columns: Object.entries(statistics).map(([name, { scale, display_unit: unit, median }]) => ({
      name,
      scale,
      unit,
      median: isPart ? null : median,
    })),
    qids: subject.request.qids.filter((qid) => isInScope(subject, qid)),
    excluded: subject.request.excludedQids,
  });
}
