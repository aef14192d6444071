/** Planning phases: the next to-dos, the end of the job, or a question that only a person can decide. */
import { z } from 'zod';
import { foundIn, planned } from '../shared/tool-answers.ts';
import type { Reply } from '../shared/stream.ts';
import { agendaOf } from './agenda.ts';
import { expertKey } from './messages.ts';
import { assignmentOf, knownBy, notePaths, type Assignment } from './assignment.ts';
import { REPORT, callsThenText, pending, type JobPrompt, type PhaseTurn } from './phase.ts';
import { resultOf } from './report.ts';

/** The reply of a planning phase. */
export function plan(prompt: JobPrompt, turn: PhaseTurn): Reply {
  const unknown = pending(turn, knownBy(prompt));
  if (unknown.length > 0) return { calls: unknown, text: '' };
  const assignment = assignmentOf(prompt, turn);
  if (assignment.isReported) return finish(assignment, turn);
  return refusal(assignment, turn) ?? nextTodos(prompt, assignment, turn);
}

function nextTodos(prompt: JobPrompt, assignment: Assignment, turn: PhaseTurn): Reply {
  const { request, t } = assignment.subject;
  const leftovers = prompt.openTodos.map(({ id }) =>
    planned('todo_complete', { todo_id: id, result: t('notDone') }),
  );
  const { steps } = agendaOf(prompt.expertId, turn.tools, request);
  const isWriting = notePaths(prompt, assignment).length > 0 || steps.length === 0;
  const decision = planned('next_phase_todos', {
    goal: t(isWriting ? 'goal.report' : `goal.${expertKey(prompt.expertId)}`),
    todos: isWriting ? [t('reportTodo', { path: REPORT })] : steps.map(({ key }) => t(`todo.${key}`)),
  });
  const titles = steps.map(({ key }) => t(`title.${key}`));
  const text = isWriting ? t('notesComplete') : t('planned', { count: steps.length, titles });
  return callsThenText(turn, [...leftovers, decision], { t, text });
}

function finish({ subject: { t, request }, report }: Assignment, turn: PhaseTurn): Reply {
  if (report === null) return { calls: [], text: t('unreadable', { path: REPORT }) };
  const result = resultOf(report, t('result'));
  const ending = request.wantsReview
    ? planned('request_review', { question: t('askReview'), report: REPORT })
    : planned('finish_job', { report: REPORT, summary: result.slice(0, 900) || t('seeReport') });
  const parts = [result, request.wantsReview ? t('askReview') : '', t('ended', { path: REPORT })];
  const text = parts.filter((part) => part !== '').join('\n\n');
  return callsThenText(turn, [ending], { t, text });
}

const chips = z.object({ entities: z.array(z.object({ name: z.string() })) });
const listOfChips = planned('list_entities', { kind: 'chip' });

/** Asks for another chip where the project has none of that name; null where the job can be done. */
function refusal({ subject }: Assignment, turn: PhaseTurn): Reply | null {
  const { t, chipId, request } = subject;
  if (!turn.tools.has('list_entities') || (chipId !== null && request.chipId === null)) return null;
  const open = pending(turn, [listOfChips]);
  if (open.length > 0) return { calls: open, text: '' };
  const listed = chips.safeParse(foundIn(turn.answers, listOfChips)?.data);
  if (!listed.success) return null;
  const names = listed.data.entities.map(({ name }) => name);
  if (chipId === null ? names.length > 0 : names.includes(chipId)) return null;
  const question =
    names.length === 0 || chipId === null
      ? t('noChip')
      : t('noSuchChip', { chip: chipId, known: names, example: names[0] ?? '' });
  return callsThenText(turn, [planned('request_review', { question })], {
    t,
    text: question,
  });
}
