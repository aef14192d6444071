/** The times of a board in the arguments of the tools that it can hold. */
import { expect, test } from '@jest/globals';
import { isForBoards } from '../../src/agent/boards/board-reads.ts';
import { withRange } from '../../src/agent/boards/ranged-arguments.ts';
import { ALL_TOOLS } from '../../src/agent/tools/all-tools.ts';
import { spanOf } from '../../src/domain/values/time-range.ts';

const NOW = new Date('2026-05-20T01:00:00Z');
const OPEN = { kind: 'LAST', hours: 36, from: null, to: null } as const;

/** The arguments of a tool in these times. */
function ranged(name: string, given: object, span = spanOf(OPEN, { now: NOW, cooldownStart: null })) {
  const tool = ALL_TOOLS.find((each) => each.name === name)!;
  const empty = Object.fromEntries(Object.keys(tool.args.shape).map((key) => [key, null]));
  const example = typeof tool.example === 'function' ? {} : tool.example;
  return withRange(tool.args, { ...empty, ...example, ...given }, span, NOW);
}

test('histories and comparisons get both ends, and their own times go', () => {
  const history = ranged('get_chip_parameter_timeseries', {
    parameter_name: 't1',
    last_n: 3,
    from: '2020-01-01',
  });
  expect(history).toMatchObject({ from: '2026-05-18T13:00:00.000Z', to: null, last_n: 200 });
  const periods = ranged('compare_periods', {
    parameter_name: 't1',
    window_hours: 5,
    previous_from: '2020-01-01',
  });
  expect(periods).toMatchObject({ window_hours: null, previous_from: null, to: null });
});

test('current values get whole hours until now, and nothing for times that ended', () => {
  expect(ranged('generate_chip_heatmap', { metric_name: 't1' })).toMatchObject({ within_hours: 36 });
  const past = { from: new Date('2026-05-01'), to: new Date('2026-05-02') };
  expect(ranged('generate_chip_heatmap', { metric_name: 't1' }, past)).toBeNull();
  expect(ranged('generate_chip_heatmap', { metric_name: 't1' }, { from: null, to: null })).toBeNull();
});

test('a read without times is as it was', () => {
  expect(ranged('get_chip_topology', {})).toBeNull();
  // Its beginning must be given: times without one are none of it.
  expect(ranged('compare_snapshots', { from: '2026-05-01' }, { from: null, to: NOW })).toBeNull();
});

test('boards hold what reads stored values of the project, and nothing that needs a conversation', () => {
  const names = ALL_TOOLS.filter(isForBoards).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['generate_chip_heatmap', 'rank_qubits', 'get_task_history']));
  for (const other of ['make_chart', 'query_dataset', 'execute_python_analysis'])
    expect(names).not.toContain(other);
});

test('a range begins at the cool-down, some hours ago, or where it says', () => {
  const cooldownStart = new Date('2026-05-10T00:00:00Z');
  const at = { now: NOW, cooldownStart };
  const none = { hours: null, from: null, to: null };
  expect(spanOf({ ...none, kind: 'COOLDOWN' }, at)).toEqual({ from: cooldownStart, to: null });
  expect(spanOf(OPEN, at).from).toEqual(new Date('2026-05-18T13:00:00Z'));
  expect(spanOf({ ...none, kind: 'BETWEEN', to: NOW }, at)).toEqual({ from: null, to: NOW });
});
