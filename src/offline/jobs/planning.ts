/** Planning phases: what to do next, whether the job is done, or what only a person can decide. */
import { z } from 'zod';
import { planned } from '../analyst/answers.ts';
import { agendaOf } from './agendas.ts';
import { assignmentOf, knownBy, notePaths, type Assignment } from './assignment.ts';
import { REPORT, after, pending, type JobMove, type JobPrompt, type JobTurn } from './move.ts';
import { resultOf } from './report.ts';
import { foundIn } from './step.ts';

/** The next move of a planning phase. */
export function plan(prompt: JobPrompt, turn: JobTurn): JobMove {
  const unknown = pending(turn, knownBy(prompt));
  if (unknown.length > 0) return { calls: unknown, text: '' };
  const assignment = assignmentOf(prompt, turn);
  if (assignment.isReported) return finish(assignment, turn);
  return refusal(assignment, turn) ?? nextTodos(prompt, assignment, turn);
}

function nextTodos(prompt: JobPrompt, assignment: Assignment, turn: JobTurn): JobMove {
  const {
    brief,
    words: { course, steps: stepWords },
  } = assignment.subject;
  const leftovers = prompt.openTodos.map(({ id }) =>
    planned('todo_complete', { todo_id: id, result: course.notDone }),
  );
  const { steps } = agendaOf(prompt.expertId, turn.tools, brief);
  const isWriting = notePaths(prompt, assignment).length > 0 || steps.length === 0;
  const decision = planned('next_phase_todos', {
    goal: isWriting ? course.goalOfReport : course.goal(prompt.expertId),
    todos: isWriting ? [course.reportTodo(REPORT)] : steps.map(({ key }) => stepWords[key].todo),
  });
  const titles = steps.map(({ key }) => stepWords[key].title);
  return after(turn, [...leftovers, decision], {
    words: course,
    say: () => (isWriting ? course.notesComplete : course.planned(titles)),
  });
}

function finish({ subject: { words, brief }, report }: Assignment, turn: JobTurn): JobMove {
  const { course } = words;
  if (report === null) return { calls: [], text: course.unreadable(REPORT) };
  const result = resultOf(report, words.report.result);
  const ending = brief.wantsReview
    ? planned('request_review', { question: course.askReview, report: REPORT })
    : planned('finish_job', { report: REPORT, summary: result.slice(0, 900) || course.seeReport });
  return after(turn, [ending], {
    words: course,
    say: () =>
      [result, brief.wantsReview ? course.askReview : '', course.ended(REPORT)]
        .filter((part) => part !== '')
        .join('\n\n'),
  });
}

const chips = z.object({ entities: z.array(z.object({ name: z.string() })) });
const listOfChips = planned('list_entities', { kind: 'chip', name_contains: null });

/** A chip that is not there is for a person to name anew; null where the job can be done. */
function refusal({ subject }: Assignment, turn: JobTurn): JobMove | null {
  const {
    words: { course },
    chipId,
    brief,
  } = subject;
  if (!turn.tools.has('list_entities') || (chipId !== null && brief.chipId === null)) return null;
  const open = pending(turn, [listOfChips]);
  if (open.length > 0) return { calls: open, text: '' };
  const listed = chips.safeParse(foundIn(turn.answers, listOfChips)?.data);
  if (!listed.success) return null;
  const names = listed.data.entities.map(({ name }) => name);
  if (chipId === null ? names.length > 0 : names.includes(chipId)) return null;
  const question = names.length === 0 || chipId === null ? course.noChip : course.noSuchChip(chipId, names);
  return after(turn, [planned('request_review', { question, report: null })], {
    words: course,
    say: () => question,
  });
}
