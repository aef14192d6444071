/** `search_task_results`: runs of any task and status that match some filters. */
import { z } from 'zod';
import type { Chip } from '../../domain/chip/chip.ts';
import { qidLabel } from '../../domain/qid.ts';
import { newestWords } from '../../domain/claims/timed.ts';
import { formatTime } from '../../domain/text/display-text.ts';
import type { TaskResult } from '../../domain/values/task-result.ts';
import { taskResultsTable } from '../../domain/visual-rules/record-tables.ts';
import { noDataNote } from '../../domain/visual-rules/table.ts';
import { defineTool } from '../tool.ts';
import { chipIdArg, chipOf, chipWords, storedSentence } from './chip-argument.ts';
import {
  freshnessOfRuns,
  lastNArg,
  statusArg,
  statusesOf,
  statusWords,
  taskResultData,
} from './list-arguments.ts';
import { knownTasks } from './words.ts';

const DEFAULT_LAST_N = 10;
/** Failures that the summary spells out. */
const SHOWN_FAILURES = 5;

export const searchTaskResults = defineTool({
  name: 'search_task_results',
  category: 'calibration',
  rule: 'viewer: project',
  reads: 'DIRECT',
  label: 'Searching task results',
  title: { en: 'Search task results', ja: 'タスク結果の検索' },
  example: { status: 'failed', last_n: 3 },
  description: 'Runs of any task and status, newest first: failures, what an execution did.',
  args: z.object({
    chip_id: chipIdArg,
    task_name: z.string().nullable(),
    qid: z.string().nullable(),
    status: statusArg,
    execution_id: z.string().nullable(),
    last_n: lastNArg(DEFAULT_LAST_N, 100),
  }),
  describe: ({ chip_id, ...filters }) => `task results${filterWords(filters)} on ${chipWords(chip_id)}`,
  run: async ({ chip_id, last_n, ...filters }, context) => {
    const chip = await chipOf(context, chip_id);
    const { items, hasNextPage } = await context.services.taskResults.page(chip, {
      first: last_n ?? DEFAULT_LAST_N,
      filter: {
        taskName: filters.task_name || null,
        qid: filters.qid || null,
        status: statusesOf(filters.status),
        executionId: filters.execution_id || null,
      },
    });
    const results = items.map(({ item }) => item);
    const title = `Task results${filterWords(filters)} on ${chip.chipId}`;
    const freshness = freshnessOfRuns(results);
    return {
      data: {
        chip_id: chip.chipId,
        results: results.map((result) => taskResultData(result, context.now())),
        has_more: hasNextPage,
      },
      formattedSummary: (results.length === 0
        ? [`${title}: none.`, await knownTasks(context, chip)]
        : [
            `${title}: ${newestWords(results, { at: ({ startAt }) => startAt, noun: 'run', hasMore: hasNextPage })}: ${statusWords(results)}.`,
            ...failureSentences(results, chip),
            storedSentence(freshness),
          ]
      ).join('\n'),
      preview: results.length === 0 ? 'none' : statusWords(results),
      freshness,
      source: 'SNAPSHOT',
      visuals: [
        results.length === 0 ? noDataNote(title, title) : taskResultsTable(title, chip.size, results),
      ],
    };
  },
});

function failureSentences(results: readonly TaskResult[], chip: Chip): readonly string[] {
  return results
    .filter(({ status }) => status === 'FAILED')
    .slice(0, SHOWN_FAILURES)
    .map(({ name, qid, startAt, endAt, message }) => {
      const at = endAt ?? startAt;
      const where = qid === '' ? '' : ` of ${qidLabel(qid, chip.size)}`;
      const when = at === null ? '' : ` (${formatTime(at)})`;
      return `${name}${where} failed${when}${message === '' ? '' : `: ${message}`}.`;
    });
}

type Filters = {
  readonly task_name: string | null;
  readonly qid: string | null;
  readonly status: string | null;
  readonly execution_id: string | null;
};

function filterWords({ task_name, qid, status, execution_id }: Filters): string {
  const words = [
    task_name ? ` of ${task_name}` : '',
    qid ? ` on ${qid}` : '',
    status ? `, ${status}` : '',
    execution_id ? `, execution ${execution_id}` : '',
  ];
  return words.join('');
}
