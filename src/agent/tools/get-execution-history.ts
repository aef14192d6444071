/** `get_execution_history`: recent runs of calibration workflows. */
import { z } from 'zod';
import type { Execution } from '../../domain/records/execution.ts';
import { compactNumber, compactTimestamp } from '../../domain/text/compact.ts';
import { newestWords } from '../../domain/claims/timed.ts';
import { formatTime } from '../../domain/text/display-text.ts';
import { executionsTable } from '../../domain/visual-rules/record-tables.ts';
import { noDataNote } from '../../domain/visual-rules/table.ts';
import type { JsonObject } from '../../domain/visuals.ts';
import { defineTool } from '../tool.ts';
import { chipIdArg, chipOf, chipWords, storedSentence } from './chip-argument.ts';
import { freshnessOfRuns, lastNArg, statusArg, statusesOf, statusWords } from './list-arguments.ts';
import { fieldsOf } from './row-data.ts';

const DEFAULT_LAST_N = 10;
/** Failures that the summary spells out. */
const SHOWN_FAILURES = 3;

export const getExecutionHistory = defineTool({
  name: 'get_execution_history',
  category: 'calibration',
  rule: 'viewer: project',
  reads: 'DIRECT',
  label: 'Fetching execution history',
  title: { en: 'Calibration runs', ja: '較正の実行履歴' },
  example: { last_n: 3 },
  description: 'Newest executions (workflow runs) with status, tags, duration.',
  args: z.object({
    chip_id: chipIdArg,
    status: statusArg,
    tags: z.array(z.string()).nullable().describe('All of these'),
    last_n: lastNArg(DEFAULT_LAST_N, 100),
  }),
  describe: ({ chip_id, last_n }) => `last ${last_n ?? DEFAULT_LAST_N} executions on ${chipWords(chip_id)}`,
  run: async ({ chip_id, status, tags, last_n }, context) => {
    const chip = await chipOf(context, chip_id);
    const { items, hasNextPage } = await context.services.executions.page(chip, {
      first: last_n ?? DEFAULT_LAST_N,
      filter: { status: statusesOf(status), tags: tags?.length ? tags : null },
    });
    const executions = items.map(({ item }) => item);
    const narrowed = [...(status ? [status] : []), ...(tags?.length ? [`tagged ${tags.join(', ')}`] : [])];
    const title = `Executions on ${chip.chipId}${narrowed.length > 0 ? ` (${narrowed.join(', ')})` : ''}`;
    const freshness = freshnessOfRuns(executions);
    return {
      data: {
        chip_id: chip.chipId,
        executions: executions.map((execution) => executionData(execution, context.now())),
        has_more: hasNextPage,
      },
      formattedSummary:
        executions.length === 0
          ? `${title}: none.`
          : [
              `${title}: ${newestWords(executions, { at: ({ startAt }) => startAt, noun: 'execution', hasMore: hasNextPage })}: ${statusWords(executions)}.`,
              ...failureSentences(executions),
              storedSentence(freshness),
            ].join('\n'),
      preview: executions.length === 0 ? 'none' : statusWords(executions),
      freshness,
      source: 'SNAPSHOT',
      visuals: [executions.length === 0 ? noDataNote(title, title) : executionsTable(title, executions)],
    };
  },
});

function executionData(execution: Execution, now: Date): JsonObject {
  const { status, startAt, endAt, elapsedSeconds, message } = execution;
  return {
    ...fieldsOf(execution, 'executionId', 'name'),
    status: status.toLowerCase(),
    tags: execution.tags,
    start_at: compactTimestamp(startAt, now),
    end_at: compactTimestamp(endAt, now),
    elapsed_s: elapsedSeconds === null ? null : compactNumber(elapsedSeconds),
    message,
  };
}

function failureSentences(executions: readonly Execution[]): readonly string[] {
  return executions
    .filter(({ status }) => status === 'FAILED')
    .slice(0, SHOWN_FAILURES)
    .map(({ executionId, startAt, message }) => {
      const when = startAt === null ? '' : ` of ${formatTime(startAt)}`;
      return `${executionId}${when} failed${message === '' ? '' : `: ${message}`}.`;
    });
}
