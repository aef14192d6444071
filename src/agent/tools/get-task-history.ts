/**
 * `get_task_history`: the newest completed results of a task on one qubit or coupling; excluded ones are there,
 * marked.
 */
import { z } from 'zod';
import { newestOf, newestText, newestWords } from '../../domain/claims/timed.ts';
import { countOf } from '../../domain/text/display-text.ts';
import { taskResultsTable } from '../../domain/visual-rules/record-tables.ts';
import { noDataNote } from '../../domain/visual-rules/table.ts';
import { defineTool } from '../tool.ts';
import { chipIdArg, chipOf, chipWords, storedSentence } from './chip-argument.ts';
import {
  entityOf,
  freshnessOfRuns,
  lastNArg,
  outputWords,
  qidArg,
  taskResultData,
} from './list-arguments.ts';
import { knownTasks } from './words.ts';

const DEFAULT_LAST_N = 5;

export const getTaskHistory = defineTool({
  name: 'get_task_history',
  category: 'calibration',
  rule: 'viewer: project',
  reads: 'DIRECT',
  label: 'Fetching task history',
  title: { en: 'Results of a task over time', ja: 'タスク結果の履歴' },
  example: { task_name: 'CheckT1', qid: '12', last_n: 3 },
  description: 'Newest completed results of a task on a qubit or coupling, excluded ones marked.',
  args: z.object({
    chip_id: chipIdArg,
    task_name: z.string(),
    qid: qidArg,
    last_n: lastNArg(DEFAULT_LAST_N, 100),
  }),
  describe: ({ chip_id, task_name, qid, last_n }) =>
    `last ${last_n ?? DEFAULT_LAST_N} ${task_name} of ${qid} on ${chipWords(chip_id)}`,
  run: async ({ chip_id, task_name, qid: asked, last_n }, context) => {
    const chip = await chipOf(context, chip_id);
    const { qid, label, remark } = await entityOf(context, chip, asked);
    const { items, hasNextPage } = await context.services.taskResults.page(chip, {
      first: last_n ?? DEFAULT_LAST_N,
      filter: { taskName: task_name, qid, status: ['COMPLETED'] },
    });
    const results = items.map(({ item }) => item);
    const title = `${task_name} of ${label} on ${chip.chipId}`;
    const freshness = freshnessOfRuns(results);
    const excluded = results.filter((result) => result.excluded).length;
    const counted = results.filter((result) => !result.excluded);
    const newest = newestOf(counted.toReversed(), ({ startAt, endAt }) => endAt ?? startAt);
    return {
      data: {
        chip_id: chip.chipId,
        results: results.map((result) => taskResultData(result, context.now())),
        has_more: hasNextPage,
      },
      formattedSummary: (results.length === 0
        ? [`${title}: no completed results.`, await knownTasks(context, chip)]
        : [
            `${title}: ${newestWords(results, { at: ({ startAt }) => startAt, noun: 'result', hasMore: hasNextPage })}${excluded > 0 ? `, ${excluded} excluded` : ''}${newest === null ? '' : `; ${newestText(newest, (each) => outputWords(each).join(', ') || 'without output')}`}.`,
            ...(remark === null ? [] : [remark]),
            storedSentence(freshness),
          ]
      ).join('\n'),
      preview: countOf(results.length, 'result'),
      freshness,
      source: 'SNAPSHOT',
      visuals: [
        results.length === 0 ? noDataNote(title, title) : taskResultsTable(title, chip.size, results),
      ],
    };
  },
});
