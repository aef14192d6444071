import { describe, expect, test } from '@jest/globals';
import { makeDemo } from '../../src/import/demo.ts';
import type { TaskResultDocument } from '../../src/import/documents.ts';

const now = new Date('2026-05-20T15:30:00Z');
const demo = makeDemo(now);
const current = (qid: string) =>
  [...demo.qubits, ...demo.couplings].find((entity) => entity.qid === qid)?.data ?? {};
const resultsOf = (name: string, qid: string) =>
  demo.taskResults
    .filter((result) => result.name === name && result.qid === qid)
    .sort((a, b) => a.end_at.getTime() - b.end_at.getTime());

test('the same day gives the same demo, and another day moves it', () => {
  const again = makeDemo(new Date('2026-05-20T00:00:00Z'));
  expect(JSON.stringify(again) === JSON.stringify(demo)).toBe(true);
  const next = makeDemo(new Date('2026-05-21T00:00:00Z'));
  expect(next.chip.installed_at.getTime() - demo.chip.installed_at.getTime()).toBe(86_400_000);
});

test('it is a 64-qubit square lattice with both directions of 112 couplings', () => {
  expect(demo.chip).toMatchObject({ chip_id: 'demo-64', project_id: 'demo', size: 64 });
  expect(demo.qubits.map(({ qid }) => Number(qid))).toEqual(Array.from({ length: 64 }, (_, n) => n));
  const ids = new Set(demo.couplings.map(({ qid }) => qid));
  expect(ids.size).toBe(224);
  for (const id of ids) expect(ids).toContain(id.split('-').reverse().join('-'));
});

test('its history is 60 days long and ends before today', () => {
  const times = demo.taskResults.map(({ end_at }) => end_at.getTime());
  const newest = Math.max(...times);
  expect(newest).toBeLessThan(new Date('2026-05-20T00:00:00Z').getTime());
  expect(newest).toBeGreaterThan(new Date('2026-05-19T23:00:00Z').getTime());
  const days = new Set(demo.taskResults.map(({ start_at }) => start_at.toISOString().slice(0, 10)));
  expect(days.size).toBe(60);
});

describe('physics', () => {
  const valuesByDay = (parameter: string) =>
    new Map(
      demo.taskResults.flatMap((result: TaskResultDocument) => {
        const value = result.output_parameters[parameter]?.value;
        const key = `${result.qid} ${result.start_at.toISOString().slice(0, 10)}`;
        return value === undefined || result.excluded ? [] : [[key, value] as const];
      }),
    );

  test('no T2 is above twice the T1, and no T2* above T2', () => {
    const [t1, t2, t2Star] = ['t1', 't2_echo', 't2_star'].map(valuesByDay);
    const impossible = [...t2!].filter(
      ([key, value]) =>
        value > 2 * (t1!.get(key) ?? Number.POSITIVE_INFINITY) || value < (t2Star!.get(key) ?? 0),
    );
    expect(t2!.size).toBeGreaterThan(1_500);
    expect(impossible).toEqual([]);
    for (const { data } of demo.qubits) {
      expect(data['t2_echo']!.value).toBeLessThanOrEqual(2 * data['t1']!.value);
    }
  });

  test('fidelities lie between a half and one, and a Bell state is worse than its gate', () => {
    for (const { data } of demo.couplings) {
      const gate = data['zx90_gate_fidelity']?.value ?? 0.9;
      expect(gate).toBeGreaterThan(0.5);
      expect(gate).toBeLessThan(1);
      expect(data['bell_state_fidelity']?.value ?? 0).toBeLessThan(gate);
    }
    for (const { data } of demo.qubits) {
      expect(data['x90_gate_fidelity']!.value).toBeLessThan(1);
      expect(data['average_readout_fidelity']?.value ?? 0.9).toBeLessThan(1);
    }
  });

  test('neighbours are at least 50 MHz apart', () => {
    for (const { qid } of demo.couplings) {
      const [a, b] = qid.split('-').map((one) => current(one)['qubit_frequency']!.value);
      expect(Math.abs(a! - b!)).toBeGreaterThan(0.05);
    }
  });
});

describe('stories', () => {
  test('Q45 is bad and Q27 is getting worse', () => {
    const t1s = demo.qubits.map(({ data }) => data['t1']!.value);
    expect(Math.min(...t1s)).toBe(current('45')['t1']!.value);
    const series = resultsOf('CheckT1', '27').flatMap(
      (result) => result.output_parameters['t1']?.value ?? [],
    );
    expect(series.at(-1)!).toBeLessThan(0.55 * series.at(-30)!);
  });

  test('the newest T1 run of Q12 failed and the value before it holds', () => {
    const [good, failed] = resultsOf('CheckT1', '12').slice(-2);
    expect(failed).toMatchObject({ status: 'failed', output_parameters: {}, output_parameter_names: [] });
    expect(current('12')['t1']?.task_id).toBe(good?.task_id);
  });

  test('the newest T1 of Q18 is excluded and not its current value', () => {
    const newest = resultsOf('CheckT1', '18').at(-1);
    expect(newest).toMatchObject({ excluded: true, status: 'completed' });
    expect(current('18')['t1']?.task_id).not.toBe(newest?.task_id);
  });

  test('two couplings hold their values in the direction that was not planned', () => {
    for (const [held, empty] of [
      ['1-0', '0-1'],
      ['38-36', '36-38'],
    ] as const) {
      expect(current(held)['zx90_gate_fidelity']).toBeDefined();
      expect(current(empty)).toEqual({});
    }
  });

  test('one execution failed, Q58 was never read out, and people left notes', () => {
    expect(demo.executions.filter(({ status }) => status === 'failed')).toHaveLength(1);
    expect(resultsOf('ReadoutClassification', '58')).toEqual([]);
    expect(demo.chip.note.content).not.toBe('');
    expect(demo.qubits.filter(({ note }) => note.updated_at !== null)).toHaveLength(3);
    expect(demo.calibrationNotes.length).toBeGreaterThan(0);
  });
});

describe('consistency', () => {
  test('identities are unique', () => {
    for (const documents of [demo.taskResults, demo.executions, demo.qubits, demo.couplings] as const) {
      const ids = documents.map(({ _id }) => _id.toHexString());
      expect(new Set(ids).size).toBe(ids.length);
    }
    expect(new Set(demo.executions.map(({ execution_id }) => execution_id)).size).toBe(
      demo.executions.length,
    );
  });

  test('every result belongs to an execution and lies within it', () => {
    const executions = new Map(demo.executions.map((execution) => [execution.execution_id, execution]));
    const outside = demo.taskResults.filter(({ execution_id, start_at, end_at }) => {
      const execution = executions.get(execution_id);
      return !execution || start_at < execution.start_at || end_at > execution.end_at;
    });
    expect(outside).toEqual([]);
  });

  test('provenance has no dangling edge and one current version for each parameter', () => {
    const nodes = new Set([
      ...demo.parameterVersions.map(({ entity_id }) => entity_id),
      ...demo.provenanceActivities.map(({ activity_id }) => activity_id),
    ]);
    const dangling = demo.provenanceRelations.filter(
      ({ source_id, target_id }) => !nodes.has(source_id) || !nodes.has(target_id),
    );
    expect(demo.provenanceRelations.length).toBeGreaterThan(1_000);
    expect(dangling).toEqual([]);
    const open = demo.parameterVersions.filter(({ valid_until }) => valid_until === null);
    const keys = open.map(({ parameter_name, qid }) => `${parameter_name} ${qid}`);
    expect(new Set(keys).size).toBe(keys.length);
  });
});
