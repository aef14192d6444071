/** `get_latest_task_result`: what a task last measured on one qubit or coupling, and whether a newer run failed. */
import { z } from 'zod';
import { newestOf } from '../../domain/claims/timed.ts';
import { formatTime } from '../../domain/text/display-text.ts';
import type { TaskResult } from '../../domain/values/task-result.ts';
import { parametersTable } from '../../domain/visual-rules/value-tables.ts';
import { noDataNote } from '../../domain/visual-rules/table.ts';
import { valueCard } from '../../domain/visual-rules/value-card.ts';
import type { Visual } from '../../domain/visuals.ts';
import { defineTool } from '../tool.ts';
import { chipIdArg, chipOf, chipWords, storedSentence } from './chip-argument.ts';
import { entityOf, freshnessOfRuns, outputWords, qidArg, taskResultData } from './list-arguments.ts';
import { knownTasks } from './words.ts';

export const getLatestTaskResult = defineTool({
  name: 'get_latest_task_result',
  category: 'calibration',
  rule: 'viewer: project',
  reads: 'DIRECT',
  label: 'Fetching latest task result',
  title: { en: 'Newest result of a task', ja: 'タスクの最新の結果' },
  example: { task_name: 'CheckT1', qid: '12' },
  description: 'Newest valid result of a task on a qubit or coupling; says when a newer run failed.',
  args: z.object({
    chip_id: chipIdArg,
    task_name: z.string().describe('For example CheckT1'),
    qid: qidArg,
  }),
  describe: ({ chip_id, task_name, qid }) => `latest ${task_name} of ${qid} on ${chipWords(chip_id)}`,
  run: async ({ chip_id, task_name, qid: asked }, context) => {
    const chip = await chipOf(context, chip_id);
    const { qid, label, remark } = await entityOf(context, chip, asked);
    const { taskResults } = context.services;
    const [latest, newest] = await Promise.all([
      taskResults.latest(chip, { taskName: task_name, qids: [qid] }),
      taskResults.page(chip, { first: 1, filter: { taskName: task_name, qid } }),
    ]);
    const result = latest.get(qid) ?? null;
    const attempt = newest.items[0]?.item ?? null;
    const runs = [attempt, result].filter((run) => run !== null);
    const newer = newestOf(runs, ({ startAt, endAt }) => startAt ?? endAt)?.row === attempt ? attempt : null;
    const title = `${task_name} of ${label} on ${chip.chipId}`;
    const freshness = freshnessOfRuns(result === null ? [] : [result]);
    return {
      data: {
        chip_id: chip.chipId,
        result: result && taskResultData(result, context.now()),
        newer_run: newer && taskResultData(newer, context.now()),
      },
      formattedSummary: [
        result === null ? `${title}: no completed result.` : `${title}: ${wordsOf(result)}.`,
        ...(newer === null ? [] : [newerSentence(newer)]),
        ...(remark === null ? [] : [remark]),
        ...(result === null && newer === null ? [await knownTasks(context, chip)] : []),
        ...(result === null ? [] : [storedSentence(freshness)]),
      ].join('\n'),
      preview: result === null ? 'no completed result' : wordsOf(result).slice(0, 160),
      freshness,
      source: 'SNAPSHOT',
      visuals: [result === null ? noDataNote(title, title) : visualOf(title, label, result)],
    };
  },
});

const wordsOf = (result: TaskResult): string => outputWords(result).join(', ') || 'completed without output';

function newerSentence({ status, excluded, excludedReason, startAt, endAt, message }: TaskResult): string {
  const at = endAt ?? startAt;
  const when = at === null ? '' : ` of ${formatTime(at)}`;
  if (excluded) return `A newer result${when} was excluded: ${excludedReason ?? 'no reason given'}.`;
  const how = status === 'FAILED' ? 'failed' : `is ${status.toLowerCase()}`;
  return `A newer run${when} ${how}${message === '' ? '' : `: ${message}`}.`;
}

/** A card for a single number, else a table. */
function visualOf(title: string, label: string, { outputParameters }: TaskResult): Visual {
  const [only, ...others] = outputParameters;
  const card = only !== undefined && others.length === 0 ? valueCard(label, only) : null;
  return card ?? parametersTable(title, outputParameters);
}
