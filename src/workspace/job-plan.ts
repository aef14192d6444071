/**
 * The plan of a job: its phases, their to-dos, and how it ends. A job alternates: each planning phase writes the
 * to-dos of the next working phase, or ends the job. Pure; the workspace stores it.
 */
import { z } from 'zod';
import { countOf } from '../domain/text/display-text.ts';
import { InvalidInputError } from '../base/errors.ts';

const todo = z.object({
  /** Numbered through the whole job, from 1. */
  id: z.int().positive(),
  text: z.string(),
  /** Outcome; null while open. */
  result: z.string().nullable(),
});

const ending = z.discriminatedUnion('how', [
  z.object({ how: z.literal('FINISHED'), report: z.string(), summary: z.string() }),
  /** A user has to review what `question` asks. */
  z.object({ how: z.literal('REVIEW'), report: z.string().nullable(), question: z.string() }),
]);

/** Stored form of the plan. */
export const jobPlan = z.object({
  /** Working phases so far, as the planning phases wrote them. */
  phases: z.array(
    z.object({
      /** Number of its planning phase. */
      plannedIn: z.int().positive(),
      goal: z.string(),
      todos: z.array(todo),
    }),
  ),
  ending: ending.nullable(),
});

/** One to-do. */
export type Todo = Readonly<z.infer<typeof todo>>;
/** How a job asked to end. */
export type JobEnding = Readonly<z.infer<typeof ending>>;
/** Plan and progress of a job. */
export type JobPlan = Readonly<z.infer<typeof jobPlan>>;

/** Before the first phase. */
export const emptyPlan: JobPlan = { phases: [], ending: null };

/** Most to-dos of one phase. */
export const MAX_TODOS = 12;

/** Open to-dos of the latest working phase. */
export const openTodos = ({ phases }: JobPlan): readonly Todo[] =>
  phases.at(-1)?.todos.filter(({ result }) => result === null) ?? [];

/**
 * Adds the outcome of planning phase `plannedIn`, replacing an earlier one, so that a phase which lost its worker can
 * be repeated.
 * @throws InvalidInputError while to-dos are open, and once the job asked to end.
 */
export function withPhase(
  { phases, ...plan }: JobPlan,
  plannedIn: number,
  goal: string,
  texts: readonly string[],
): JobPlan {
  const before = { ...plan, phases: phases.filter((phase) => phase.plannedIn !== plannedIn) };
  assertGoesOn(before);
  assertNothingOpen(before, 'plan the next phase');
  const done = before.phases.reduce((sum, { todos }) => sum + todos.length, 0);
  const todos = texts.map((text, at) => ({ id: done + at + 1, text, result: null }));
  return { ...before, phases: [...before.phases, { plannedIn, goal, todos }] };
}

/** @throws InvalidInputError for a to-do that is not open, listing the open ones. */
export function withTodoDone(plan: JobPlan, id: number, result: string): JobPlan {
  assertGoesOn(plan);
  const open = openTodos(plan);
  if (!open.some((each) => each.id === id)) {
    const names = open.map((each) => String(each.id)).join(', ');
    throw refused(`there is no open to-do ${id}; ${names === '' ? 'none is open' : `open are ${names}`}`);
  }
  const phases = plan.phases.map(({ todos, ...phase }) => ({
    ...phase,
    todos: todos.map((each) => (each.id === id ? { ...each, result } : each)),
  }));
  return { ...plan, phases };
}

/** @throws InvalidInputError if the job would finish with open to-dos; a review may have some. */
export function withEnding(plan: JobPlan, how: JobEnding): JobPlan {
  assertGoesOn(plan);
  if (how.how === 'FINISHED') assertNothingOpen(plan, 'finish the job');
  return { ...plan, ending: how };
}

/** A job sent back by its reviewer continues with a planning phase. */
export const withoutEnding = (plan: JobPlan): JobPlan => ({ ...plan, ending: null });

/** The plan as Markdown. */
export function planText({ phases, ending: end }: JobPlan): string {
  const parts = phases.map(({ goal, todos }, at) =>
    [`## Phase ${at + 1}: ${line(goal)}`, '', ...todos.map(todoText)].join('\n'),
  );
  return [
    '# Plan',
    ...(parts.length === 0 ? ['Nothing is planned yet.'] : parts),
    ...(end === null ? [] : [endingText(end)]),
    '',
  ].join('\n\n');
}

const todoText = ({ id, text, result }: Todo): string =>
  `- [${result === null ? ' ' : 'x'}] ${id}. ${line(text)}${result === null ? '' : ` — ${line(result)}`}`;

function endingText(end: JobEnding): string {
  switch (end.how) {
    case 'FINISHED':
      return `Finished with ${end.report}: ${line(end.summary)}`;
    case 'REVIEW':
      return `Waits for a review: ${line(end.question)}`;
    default: {
      const unknown: never = end;
      throw new Error(`no words for ${JSON.stringify(unknown)}`);
    }
  }
}

const line = (text: string): string => text.replaceAll(/\s+/gu, ' ').trim();

function assertGoesOn({ ending: end }: JobPlan): void {
  if (end !== null) throw refused('the job has ended already; answer with a last sentence and call no tool');
}

function assertNothingOpen(plan: JobPlan, wanted: string): void {
  const open = openTodos(plan);
  if (open.length === 0) return;
  const names = open.map(({ id, text }) => `${id}. ${line(text)}`).join('; ');
  throw refused(
    `${countOf(open.length, 'to-do')} must be completed by todo_complete before you ${wanted}: ${names}`,
  );
}

const refused = (message: string): InvalidInputError => new InvalidInputError([{ path: [], message }]);
