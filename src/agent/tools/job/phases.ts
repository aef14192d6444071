/** `next_phase_todos`, `todo_complete`, `finish_job`, `request_review`: how a job continues and ends. */
import { z } from 'zod';
import type { PhaseDecision } from '../../../domain/jobs/job.ts';
import { countOf } from '../../../domain/text/display-text.ts';
import { InvalidInputError } from '../../../base/errors.ts';
import { MAX_TODOS, openTodos, withEnding, withPhase, withTodoDone } from '../../../workspace/job-plan.ts';
import { workspacePath } from '../../../workspace/workspace-path.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import type { Tool } from '../../tool.ts';
import { sentenceResult, workspaceTool } from './workspace-tool.ts';

/** What these tools act on. */
export type PhaseDesk = {
  readonly workspace: Workspace;
  readonly phase: { readonly number: number; readonly kind: 'PLANNING' | 'WORKING' };
  /** Keeps what the phase decided, and the text of the report that it names. @throws InvalidInputError once the job was cancelled or taken over. */
  readonly decide: (decision: PhaseDecision, report?: string | null) => Promise<void>;
};

const oneLine = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .refine((text) => text.trim() !== '', { error: 'must hold words' });

/**
 * The tools of category `core`. The workspace is written before the database, which must not claim what is not there
 * yet.
 */
export const phaseTools = ({ workspace, phase, decide }: PhaseDesk): readonly Tool[] => [
  workspaceTool({
    name: 'next_phase_todos',
    category: 'core',
    rule: 'editor: own',
    label: 'Planning the next phase',
    title: { en: 'Plan the next phase', ja: '次のフェーズの計画' },
    example: { goal: 'Find out when T1 of Q27 began to fall', todos: ['Read the T1 history of Q27'] },
    description: `Ends a planning phase: writes the to-dos, at most ${MAX_TODOS}, that the next working phase does. Only in a planning phase.`,
    args: z.object({
      goal: oneLine(300).describe('What the working phase is to find out or make'),
      todos: z.array(oneLine(400)).min(1).max(MAX_TODOS),
    }),
    describe: ({ todos }) => countOf(todos.length, 'to-do'),
    run: async ({ goal, todos }) => {
      if (phase.kind !== 'PLANNING') {
        const message =
          'this is a working phase: do its to-dos and complete each by todo_complete; planning comes after it';
        throw new InvalidInputError([{ path: [], message }]);
      }
      const plan = withPhase(await workspace.plan(), phase.number, goal, todos);
      await workspace.savePlan(plan);
      await decide({ type: 'work', todos });
      return sentenceResult(
        `Planned ${countOf(todos.length, 'to-do')}. End this phase now with one sentence; the working phase begins then.`,
        { todos: plan.phases.at(-1)?.todos ?? [] },
      );
    },
  }),
  workspaceTool({
    name: 'todo_complete',
    category: 'core',
    rule: 'editor: own',
    label: 'Completing a to-do',
    title: { en: 'Tick off a to-do', ja: 'ToDo の完了' },
    example: { todo_id: 1, result: 'T1 of Q27 began to fall on 12 May.' },
    description:
      'Completes a to-do with what came of it, in a sentence; say so where it could not be done, and why.',
    args: z.object({ todo_id: z.int().positive(), result: oneLine(600) }),
    describe: ({ todo_id }) => `to-do ${todo_id}`,
    run: async ({ todo_id, result }) => {
      const plan = withTodoDone(await workspace.plan(), todo_id, result);
      await workspace.savePlan(plan);
      const open = openTodos(plan);
      return sentenceResult(
        open.length === 0
          ? `To-do ${todo_id} is complete, and none is open. End this phase with one sentence.`
          : `To-do ${todo_id} is complete; ${countOf(open.length, 'to-do')} open.`,
        { open },
      );
    },
  }),
  workspaceTool({
    name: 'finish_job',
    category: 'core',
    rule: 'editor: own',
    label: 'Finishing the job',
    title: { en: 'Finish with the report', ja: 'ジョブの終了と報告' },
    example: { report: 'report.md', summary: 'T1 of Q27 has fallen since the last cool-down.' },
    description:
      'Ends the job with its report, a Markdown file of the workspace that was written before. All to-dos must be complete.',
    args: z.object({
      report: z.string().min(1).describe('Path of the report, for example report.md'),
      summary: oneLine(1_000).describe('The result in a few sentences'),
    }),
    describe: ({ report }) => `with ${report}`,
    run: async ({ report: given, summary }) => {
      const { path: report, text } = await reportOf(workspace, given);
      await workspace.savePlan(withEnding(await workspace.plan(), { how: 'FINISHED', report, summary }));
      await decide({ type: 'finish', summary, reportPath: report }, text);
      return sentenceResult(
        `The job is finished with ${report}. Answer now with its result, and call no more tools.`,
        {
          report,
        },
      );
    },
  }),
  workspaceTool({
    name: 'request_review',
    category: 'core',
    rule: 'editor: own',
    label: 'Asking for a review',
    title: { en: 'Ask a person to review', ja: '人による確認の依頼' },
    example: { question: 'May Q27 be taken out of service?' },
    description:
      'Ends the job for now: a person has to look at it, because a decision is theirs or the task cannot be done as given.',
    args: z.object({
      question: oneLine(1_000).describe('What the person is to decide or to look at'),
      report: z.string().nullable().describe('Path of a report so far; null for none'),
    }),
    describe: () => 'by a person',
    run: async ({ question, report: given }) => {
      const found = given === null ? null : await reportOf(workspace, given);
      const report = found?.path ?? null;
      await workspace.savePlan(withEnding(await workspace.plan(), { how: 'REVIEW', report, question }));
      await decide({ type: 'review', note: question, reportPath: report }, found?.text ?? null);
      return sentenceResult(
        'The job waits for a review. Answer now with your question, and call no more tools.',
        {
          question,
        },
      );
    },
  }),
];

/** A report that is there, with the one spelling of its path. */
async function reportOf(
  workspace: Workspace,
  given: string,
): Promise<{ readonly path: string; readonly text: string }> {
  const path = workspacePath(given);
  const isMarkdown = path.toLowerCase().endsWith('.md');
  const text = isMarkdown ? await workspace.readText(path) : '';
  const problem = !isMarkdown
    ? 'is no Markdown file; give one that ends in .md'
    : text.trim() === ''
      ? // no claim: what to do
        'is empty; write the report first'
      : null;
  if (problem !== null) throw new InvalidInputError([{ path: ['report'], message: `${path} ${problem}` }]);
  return { path, text };
}
