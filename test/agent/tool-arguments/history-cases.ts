/** Arguments of the tools about what was measured, run, written and derived over time. */
import { expect } from '@jest/globals';
import type { ToolBench } from '../../support/tool-bench.ts';
import { argumentsOf } from '../../support/tool-bench.ts';
import { argument, type ArgumentCase } from './argument-case.ts';

type Period = { readonly from: string; readonly to: string; readonly series?: readonly object[] };
type Compared = {
  readonly rows: readonly { readonly entity: string }[];
  readonly current: Period;
  readonly previous: Period;
};
type Run = {
  readonly task_id: string;
  readonly task_name: string;
  readonly qid: string;
  readonly status: string;
  readonly execution_id: string;
};
type Runs = { readonly results: readonly Run[]; readonly has_more: boolean };
type Executions = {
  readonly executions: readonly { readonly status: string; readonly tags: readonly string[] }[];
};
type Notes = {
  readonly human_notes: readonly { readonly qid: string | null; readonly task_id: string | null }[];
  readonly machine_notes: readonly { readonly execution_id: string; readonly task_id: string }[];
};
type Changes = {
  readonly from: string;
  readonly to: string;
  readonly parameters: readonly { readonly parameter: string }[];
  readonly changes: readonly { readonly part: string }[];
};
type Graph = { readonly nodes: readonly { readonly id: string; readonly depth: number }[] };

const LAST_NIGHT = '20260519-002';
const t1 = { parameter_name: 't1' };
const compared = { ...t1, include_series: false };
const entitiesOf = ({ rows }: Compared) => rows.map(({ entity }) => entity);
const distinct = <Key extends keyof Run>({ results }: Runs, key: Key) => [
  ...new Set(results.map((run) => run[key])),
];

/** The id of a result that people excluded and wrote about. */
async function excludedTaskId(bench: ToolBench): Promise<string> {
  const { data } = await bench.result(
    'get_task_history',
    argumentsOf('get_task_history', { task_name: 'CheckT1', qid: '18', last_n: 1 }),
  );
  return (data as Runs).results[0]!.task_id;
}

/** The version of T1 of Q07 that holds now. */
async function currentEntityId(bench: ToolBench): Promise<string> {
  const { data } = await bench.result(
    'get_parameter_lineage',
    argumentsOf('get_parameter_lineage', { ...t1, qid: '7' }),
  );
  return (data as { versions: { entity_id: string }[] }).versions[0]!.entity_id;
}

export const HISTORY_CASES: readonly ArgumentCase[] = [
  argument<Compared>('compare_periods', 'how long', { ...compared, window_hours: 72 }, ({ current }) =>
    expect([current.from, current.to]).toEqual(['05-17 01:00 UTC', '05-20 01:00 UTC']),
  ),
  argument<Compared>(
    'compare_periods',
    'from when to when',
    { ...compared, from: '2026-05-12', to: '2026-05-15T12:00:00+00:00' },
    ({ current, previous }) =>
      expect([previous.from, current.from, current.to]).toEqual([
        '05-08 12:00 UTC',
        '05-12 00:00 UTC',
        '05-15 12:00 UTC',
      ]),
  ),
  argument<Compared>(
    'compare_periods',
    'with which other window',
    { ...compared, from: '2026-05-12', previous_from: '2026-04-01', previous_to: '2026-04-15' },
    ({ previous }) => expect([previous.from, previous.to]).toEqual(['04-01 00:00 UTC', '04-15 00:00 UTC']),
  ),
  argument<Compared>('compare_periods', 'each qubit', { ...compared, level: 'qubit' }, (data) =>
    expect(entitiesOf(data).slice(0, 3)).toEqual(['Q00', 'Q01', 'Q02']),
  ),
  argument<Compared>('compare_periods', 'each readout group', { ...compared, level: 'mux' }, (data) =>
    expect(entitiesOf(data)).toHaveLength(16),
  ),
  argument<Compared>('compare_periods', 'the chip', { ...compared, level: 'chip' }, (data) =>
    expect(entitiesOf(data)).toEqual(['demo-64']),
  ),
  argument<Compared>('compare_periods', 'which qubits', { ...compared, qids: ['Q8', '0'] }, (data) =>
    expect(entitiesOf(data).toSorted()).toEqual(['Q00', 'Q08']),
  ),
  argument<Compared>('compare_periods', 'with its course', { ...t1, include_series: true }, ({ current }) =>
    expect(current.series).toHaveLength(7),
  ),
  argument<Compared>('compare_periods', 'without it', compared, ({ current }) =>
    expect(current.series).toBeUndefined(),
  ),
  argument<Changes>('compare_snapshots', 'since when', { from: '2026-05-10T00:00:00Z' }, ({ from, to }) =>
    expect([from, to]).toEqual(['2026-05-10T00:00:00.000Z', '2026-05-20T01:00:00.000Z']),
  ),
  argument<Changes>(
    'compare_snapshots',
    'the end of one day against another, of which values',
    { from: '2026-05-01', to: '2026-05-10', param_names: ['t1'], qids: ['Q8', '0'] },
    ({ from, to, parameters, changes }) => {
      expect([from, to]).toEqual(['2026-05-01T23:59:59.999Z', '2026-05-10T23:59:59.999Z']);
      expect(parameters.map(({ parameter }) => parameter)).toEqual(['t1']);
      expect(changes.map(({ part }) => part).toSorted()).toEqual(['Q00', 'Q08']);
    },
  ),
  argument<{ timeseries: { qid: string }[] }>(
    'get_chip_parameter_timeseries',
    'which qubits, and how many results of each',
    { parameter_name: 't2_echo', qids: ['Q02', '10'], last_n: 3 },
    ({ timeseries }) =>
      expect(timeseries.map(({ qid }) => qid).toSorted()).toEqual(['10', '10', '10', '2', '2', '2']),
  ),
  argument<{ timeseries: { t: string }[] }>(
    'get_chip_parameter_timeseries',
    'of which time',
    { parameter_name: 't1', qids: ['3'], last_n: 200, from: '2026-05-01', to: '2026-05-08T00:00:00Z' },
    ({ timeseries }, { formattedSummary }) => {
      const days = timeseries.map(({ t }) => t.slice(0, 10)).toSorted();
      expect(days.length).toBeGreaterThan(0);
      expect([days[0]! >= '2026-05-01', days.at(-1)! <= '2026-05-07']).toEqual([true, true]);
      expect(formattedSummary).toContain(
        'at most 200 of each, 2026-05-01 00:00 UTC to 2026-05-08 00:00 UTC.',
      );
    },
  ),
  argument<{ qid: string; parameter_name: string; values: object[] }>(
    'get_parameter_timeseries',
    'which parameter of which qubit, and how many results',
    { parameter_name: 't2_star', qid: 'q7', last_n: 4 },
    ({ qid, parameter_name, values }) => {
      expect([parameter_name, qid]).toEqual(['t2_star', '7']);
      expect(values).toHaveLength(4);
    },
  ),
  argument<{ result: Run }>(
    'get_latest_task_result',
    'which task, which coupling',
    { task_name: 'CheckBellStateTomography', qid: '1-0' },
    ({ result }) => expect([result.task_name, result.qid]).toEqual(['CheckBellStateTomography', '1-0']),
  ),
  argument<Runs>(
    'get_task_history',
    'which task, which qubit, how many',
    { task_name: 'CheckRamsey', qid: 'Q09', last_n: 2 },
    (data) => {
      expect(data.results).toHaveLength(2);
      expect([distinct(data, 'task_name'), distinct(data, 'qid')]).toEqual([['CheckRamsey'], ['9']]);
    },
  ),
  argument<Runs>('search_task_results', 'which task', { task_name: 'CheckRabi' }, (data) =>
    expect(distinct(data, 'task_name')).toEqual(['CheckRabi']),
  ),
  argument<Runs>('search_task_results', 'which qubit', { qid: 'Q03' }, (data) =>
    expect(distinct(data, 'qid')).toEqual(['3']),
  ),
  argument<Runs>('search_task_results', 'which status', { status: 'FAILED' }, (data) =>
    expect(distinct(data, 'status')).toEqual(['failed']),
  ),
  argument<Runs>('search_task_results', 'which execution', { execution_id: LAST_NIGHT }, (data) =>
    expect(distinct(data, 'execution_id')).toEqual([LAST_NIGHT]),
  ),
  argument<Runs>('search_task_results', 'how many', { last_n: 3 }, ({ results, has_more }) => {
    expect(results).toHaveLength(3);
    expect(has_more).toBe(true);
  }),
  argument<Executions>('get_execution_history', 'which status', { status: 'failed' }, ({ executions }) =>
    expect(new Set(executions.map(({ status }) => status))).toEqual(new Set(['failed'])),
  ),
  argument<Executions>('get_execution_history', 'which tags', { tags: ['daily', '1q'] }, ({ executions }) => {
    expect(executions.length).toBeGreaterThan(0);
    for (const { tags } of executions) expect(tags).toEqual(expect.arrayContaining(['daily', '1q']));
  }),
  argument<Executions>('get_execution_history', 'how many', { last_n: 4 }, ({ executions }) =>
    expect(executions).toHaveLength(4),
  ),
  argument<Notes>('get_calibration_notes', 'of people', { kind: 'human' }, (notes) => {
    expect(notes.human_notes.length).toBeGreaterThan(0);
    expect(notes.machine_notes).toEqual([]);
  }),
  argument<Notes>(
    'get_calibration_notes',
    'of machines, how many',
    { kind: 'machine', last_n: 2 },
    ({ human_notes, machine_notes }) => {
      expect(human_notes).toEqual([]);
      expect(machine_notes).toHaveLength(2);
    },
  ),
  argument<Notes>('get_calibration_notes', 'about which qubit', { kind: 'human', qid: 'Q45' }, (notes) =>
    // On the qubit, its thread with a reply, and the note on the chip that names it.
    expect(new Set(notes.human_notes.map(({ qid }) => qid))).toEqual(new Set(['45', null])),
  ),
  argument<Notes>(
    'get_calibration_notes',
    'of which execution',
    { kind: 'machine', execution_id: LAST_NIGHT },
    ({ machine_notes }) =>
      expect(machine_notes).toEqual([expect.objectContaining({ execution_id: LAST_NIGHT })]),
  ),
  argument<Notes>(
    'get_calibration_notes',
    'about which result',
    async (bench) => ({ kind: 'human', task_id: await excludedTaskId(bench) }),
    ({ human_notes }) => expect(new Set(human_notes.map(({ qid }) => qid))).toEqual(new Set(['18'])),
  ),
  argument<Notes>('get_calibration_notes', 'after which', { kind: 'human', last_n: 1, skip: 2 }, (notes) =>
    expect(notes.human_notes).toEqual([expect.objectContaining({ qid: '58' })]),
  ),
  argument<{ versions: object[]; qid: string }>(
    'get_parameter_lineage',
    'which parameter of which coupling, and how many versions',
    { parameter_name: 'zx90_gate_fidelity', qid: '1-0', last_n: 1 },
    ({ versions, qid }) => {
      expect(qid).toBe('1-0');
      expect(versions).toHaveLength(1);
    },
  ),
  argument<Graph>(
    'get_provenance_lineage_graph',
    'which version, how deep',
    async (bench) => ({ entity_id: await currentEntityId(bench), max_depth: 1 }),
    ({ nodes }) => {
      expect(nodes[0]).toMatchObject({ id: expect.stringMatching(/^t1:7:/), depth: 0 });
      expect(new Set(nodes.map(({ depth }) => depth))).toEqual(new Set([0, 1]));
    },
  ),
];
