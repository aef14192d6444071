/**
 * A job's to-dos and their results, read from its events: the server reports to-dos by the calls of
 * the tools that write them. Only calls that ended well count. Pure.
 */
import { z } from 'zod';
import type { JobEventsSubscription } from '../../../gql/graphql.ts';

/** An event of a job as the page asks for it. */
export type JobEvent = JobEventsSubscription['jobEvents'];

/** A to-do; they are counted through the whole job, from 1. */
export type Todo = { readonly id: number; readonly text: string; readonly result: string | null };

/** The plan of a job so far. */
export type PlanView = {
  /** One group for each working phase, as its planning phase wrote it. */
  readonly groups: readonly { readonly goal: string; readonly todos: readonly Todo[] }[];
  /** Calls that have not ended yet, by their ids. */
  readonly pending: Readonly<Record<string, Call>>;
};

const call = z.discriminatedUnion('tool', [
  z.object({
    tool: z.literal('next_phase_todos'),
    args: z.object({ goal: z.string(), todos: z.array(z.string()) }),
  }),
  z.object({ tool: z.literal('todo_complete'), args: z.object({ todo_id: z.number(), result: z.string() }) }),
]);
type Call = z.infer<typeof call>;

/** Before the first event. */
export const EMPTY_PLAN: PlanView = { groups: [], pending: {} };

/** The plan after one more event. */
export function planAfter(plan: PlanView, event: JobEvent): PlanView {
  if (event.__typename === 'ToolCallStartedEvent') {
    // Arguments of other tools, and those that were cut because they are long, are not the plan's.
    const read = call.safeParse({ tool: event.tool, args: event.arguments });
    return read.success ? { ...plan, pending: { ...plan.pending, [event.callId]: read.data } } : plan;
  }
  if (event.__typename !== 'ToolCallFinishedEvent') return plan;
  const { [event.callId]: ended, ...pending } = plan.pending;
  if (ended === undefined) return plan;
  return event.toolStatus === 'OK' ? { ...applied(plan, ended), pending } : { ...plan, pending };
}

function applied(plan: PlanView, { tool, args }: Call): PlanView {
  switch (tool) {
    case 'next_phase_todos':
      return withGroup(plan, args.goal, args.todos);
    case 'todo_complete':
      return {
        ...plan,
        groups: plan.groups.map((group) => ({
          ...group,
          todos: group.todos.map((todo) =>
            todo.id === args.todo_id ? { ...todo, result: args.result } : todo,
          ),
        })),
      };
    default:
      return tool satisfies never;
  }
}

/** The server plans on only when nothing is open, unless a planning phase that lost its worker is done again. */
function withGroup(plan: PlanView, goal: string, texts: readonly string[]): PlanView {
  const isAgain = plan.groups.at(-1)?.todos.some(({ result }) => result === null) ?? false;
  const before = isAgain ? plan.groups.slice(0, -1) : plan.groups;
  const done = before.reduce((sum, { todos }) => sum + todos.length, 0);
  const todos = texts.map((text, at) => ({ id: done + at + 1, text, result: null }));
  return { ...plan, groups: [...before, { goal, todos }] };
}
