import { describe, expect, test } from '@jest/globals';
import {
  EMPTY_PLAN,
  planAfter,
  type JobEvent,
  type PlanView,
} from '../../../client/features/jobs/job/plan-view.ts';

type Call = readonly [tool: string, args: unknown, status?: 'OK' | 'ERROR'];

/** The events of calls, one after the other; fields that a plan does not read are left out. */
const eventsOf = (...calls: readonly Call[]): readonly JobEvent[] =>
  calls.flatMap(([tool, args, toolStatus = 'OK'], at) => [
    { __typename: 'ToolCallStartedEvent', callId: `${at}`, tool, arguments: args } as JobEvent,
    { __typename: 'ToolCallFinishedEvent', callId: `${at}`, toolStatus } as JobEvent,
  ]);
const planOf = (...calls: readonly Call[]): PlanView => eventsOf(...calls).reduce(planAfter, EMPTY_PLAN);

const plan = (goal: string, ...todos: readonly string[]): Call => ['next_phase_todos', { goal, todos }];
const done = (id: number, result: string): Call => ['todo_complete', { todo_id: id, result }];
const resultsOf = ({ groups }: PlanView) =>
  groups.map(({ goal, todos }) => [goal, ...todos.map(({ id, result }) => `${id} ${result ?? 'open'}`)]);

describe('the plan of a job, read from its events', () => {
  test('to-dos are counted through all phases, and have their results', () => {
    const read = planOf(plan('look', 'a', 'b'), done(1, 'seen'), done(2, 'none'), plan('write', 'c'));
    expect(resultsOf(read)).toEqual([
      ['look', '1 seen', '2 none'],
      ['write', '3 open'],
    ]);
  });

  test('a plan that is made again takes the place of the one nobody finished', () => {
    const read = planOf(plan('look', 'a', 'b'), done(1, 'seen'), plan('look again', 'a'));
    expect(resultsOf(read)).toEqual([['look again', '1 open']]);
  });

  test('calls that failed, are cut, or are of other tools change nothing', () => {
    const [started] = eventsOf(plan('running', 'a'));
    const read = planOf(
      ['next_phase_todos', { goal: 'refused', todos: ['a'] }, 'ERROR'],
      ['next_phase_todos', 'cut to 4 KB'],
      ['write_file', { path: 'report.md', content: '' }],
    );
    expect(read).toEqual(EMPTY_PLAN);
    expect(planAfter(EMPTY_PLAN, started!).groups).toEqual([]);
  });
});
