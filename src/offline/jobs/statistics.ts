/** The section with a script that anybody can read and run again: statistics, outliers and correlations. */
import { z } from 'zod';
import { firstCalls } from '../analyst/plan.ts';
import { pythonProgram } from '../shared/python.ts';
import { foundIn, keyOf, planned, type Answers, type PlannedCall } from '../shared/tool-answers.ts';
import { askOf, isNarrowed, labelOf, metricsOf, partsOf, type Job } from './job.ts';
import { listOf, type Step } from './section.ts';

const program = pythonProgram(new URL('chip_statistics.py', import.meta.url));
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

/** The values that the script reads: all parameters, or those that the job names. */
const fetchOf = (job: Job): readonly PlannedCall[] =>
  firstCalls(
    askOf(job, { kind: 'figures', metrics: job.request.metrics.only.length > 0 ? metricsOf(job) : [] }),
  );

/** The call that runs the script over the fetched summary, in the standard library alone; null where there is none. */
function runOf(job: Job, answers: Answers): PlannedCall | null {
  const [fetch] = fetchOf(job);
  const fetched = summary.safeParse(fetch && foundIn(answers, fetch)?.data);
  if (!fetched.success) return null;
  const { data_key: key, statistics } = fetched.data;
  // The stored median is to check the script against, where it reads the same qubits.
  const columns = Object.entries(statistics).map(([name, { scale, display_unit: unit, median }]) => [
    name,
    scale,
    unit,
    isNarrowed(job) ? null : median,
  ]);
  const code = program({
    ROWS: `data[${JSON.stringify(key)}]["qubits"]`,
    COLUMNS: JSON.stringify(columns).replaceAll(/\bnull\b/gu, 'None'),
    ONLY: JSON.stringify(partsOf(job, answers)),
    EXCLUDED: JSON.stringify(job.request.parts.less),
  });
  return planned('run_python', { code });
}

/** Writes and runs the script. */
export const analysis: Step = {
  asks: () => [],
  calls(job, answers) {
    const run = runOf(job, answers);
    if (run === null) return fetchOf(job);
    const { code } = z.object({ code: z.string() }).parse(JSON.parse(run.arguments));
    return [...fetchOf(job), planned('write_file', { path: SCRIPT, content: code }), run];
  },
  cites(job, answers) {
    const run = runOf(job, answers);
    const text = (run && foundIn(answers, run)?.formattedSummary) ?? '';
    return [...text.matchAll(FAR_OFF)]
      .slice(0, CITED)
      .map(([, parameter = '', qid = '']) => ({ qid, parameter }));
  },
  text(job, answers) {
    const { t, words } = job;
    const run = runOf(job, answers);
    const answer = run === null ? undefined : answers.get(keyOf(run));
    if (answer === undefined || 'error' in answer)
      return { head: [t('notRun', { reason: answer?.error ?? null })] };
    if (answer.formattedSummary.startsWith('0 parameters ')) return { head: [t('tooFew')] };
    const lines = answer.formattedSummary.split('\n').filter((line) => line !== '' && !FOR_MODELS.test(line));
    // The script prints ids, reports have labels.
    const labelled = (line: string): string =>
      line.replace(/ of qid (\S+),/u, (_, qid: string) => ` of ${labelOf(qid)},`);
    const [head = '', ...others] = lines
      .filter((line) => !SAVED.test(line))
      .map((line) => words.scriptLine(labelled(line)));
    const saved = lines.flatMap((line) => SAVED.exec(line)?.[1]?.split(', ') ?? []);
    return {
      head: [head],
      tail: listOf([
        t('script', { path: SCRIPT }),
        t('method'),
        ...others,
        ...(saved.length > 0 ? [t('files', { paths: saved })] : []),
      ]),
    };
  },
};
