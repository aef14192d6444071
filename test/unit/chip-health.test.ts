import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { summarizeChip } from '../../src/domain/chip/chip-summary.ts';
import { severityOf } from '../../src/domain/chip/part-problems.ts';
import { describeParameter } from '../../src/domain/values/parameter-value.ts';
import { readStoredParameter } from '../../src/domain/values/stored-parameter.ts';
import { problemSentences } from '../../src/agent/tools/chip-state-words.ts';
import { shippedMetrics } from '../support/catalogue.ts';

/** What the health of a chip claims. */

const now = new Date('2026-02-25T00:00:00Z');
const daysAgo = (days: number): Date => new Date(now.getTime() - days * 86_400_000);

type Values = Readonly<Record<string, number>>;

function partOf(kind: 'QUBIT' | 'COUPLING', qid: string, values: Values, days = 0) {
  const parameters = Object.entries(values).map(([name, value]) => {
    const metric = shippedMetrics.find(name, kind);
    const unit = metric?.unit === '%' ? 'a.u.' : (metric?.unit ?? '');
    const stored = readStoredParameter(name, { value, unit, calibrated_at: daysAgo(days) });
    return describeParameter(stored, metric, now);
  });
  return { qid, parameters, lastSeenAt: null };
}

const chipOf = (
  qubits: readonly ReturnType<typeof partOf>[],
  couplings: readonly ReturnType<typeof partOf>[] = [],
) => summarizeChip({ qubits, couplings, shown: null, metrics: shippedMetrics, now });

const GOOD_QUBIT = { t1: 300, t2_echo: 300, average_readout_fidelity: 0.999 };
const qubits = (count: number, days = 0) =>
  Array.from({ length: count }, (_, qid) => partOf('QUBIT', String(qid), GOOD_QUBIT, days));

describe('the health of a chip', () => {
  test('is excellent where everything is', () => {
    const { health } = chipOf(qubits(3), [partOf('COUPLING', '0-1', { cz_gate_fidelity: 0.999 })]);
    expect(health).toMatchObject({ score: 3, label: 'EXCELLENT' });
    expect(health.components.map(({ name, weight }) => [name, weight])).toEqual([
      ['QUBITS', 0.5],
      ['GATES', 0.5],
    ]);
  });

  test('is never good when every two-qubit gate is disabled, however good the qubits are', () => {
    const { health, parts } = chipOf(qubits(3), [
      partOf('COUPLING', '0-1', { cz_gate_fidelity: 0 }),
      partOf('COUPLING', '1-2', { cz_gate_fidelity: -3 }),
    ]);
    expect(health.score).toBe(1.5);
    expect(health.components.find(({ name }) => name === 'GATES')?.reason).toBe(
      '50 % of the score, every two-qubit gate is disabled',
    );
    expect(parts.filter(({ state }) => state === 'DISABLED').map(({ qid }) => qid)).toEqual(['0-1', '1-2']);
  });

  test('does not count a gate against the chip that is disabled everywhere while another works', () => {
    const couplings = ['0-1', '1-2'].map((qid) =>
      partOf('COUPLING', qid, { cz_gate_fidelity: 0.999, zx90_gate_fidelity: 0 }),
    );
    const { health, parts } = chipOf(qubits(3), couplings);
    expect(health.score).toBe(3);
    expect(health.components[1]?.reason).toMatch(/ZX90 Gate Fidelity does not count: disabled everywhere$/);
    expect(parts.filter(({ kind }) => kind === 'COUPLING')).toMatchObject([
      { state: 'ENABLED', parameters: [{ name: 'zx90_gate_fidelity', state: 'DISABLED' }] },
      { state: 'ENABLED', parameters: [{ name: 'zx90_gate_fidelity', state: 'DISABLED' }] },
    ]);
  });

  test('is never good when its values are 600 days old', () => {
    const { health } = chipOf(qubits(3, 600), [partOf('COUPLING', '0-1', { cz_gate_fidelity: 0.999 }, 600)]);
    expect(health.label).toBe('POOR');
    const age = health.components.find(({ name }) => name === 'AGE');
    expect(age).toMatchObject({
      count: 10,
      weight: 1,
      title: '10 values older than allowed, up to 600 days',
    });
    expect(age?.contribution).toBeCloseTo(-3 * (1 - Math.sqrt(2 / 600)), 9);
  });

  test('counts what most parts have and one lacks as missing', () => {
    const { health, parts } = chipOf([...qubits(3), partOf('QUBIT', '3', { t1: 300, t2_echo: 300 })]);
    expect(health.score).toBeCloseTo((3 * 11) / 12, 9);
    expect(parts.at(-1)).toMatchObject({
      state: 'ENABLED',
      parameters: [{ name: 'average_readout_fidelity', state: 'MISSING' }],
    });
  });

  const value = fc.record({
    t1: fc.double({ min: 1, max: 400, noNaN: true }),
    average_readout_fidelity: fc.double({ min: 0.4, max: 1, noNaN: true }),
    x90_gate_fidelity: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  const gate = fc.record({ cz_gate_fidelity: fc.double({ min: -1, max: 1, noNaN: true }) });
  const chips = fc.record({
    qubits: fc.array(value, { minLength: 1, maxLength: 30 }),
    couplings: fc.array(gate, { maxLength: 30 }),
    days: fc.integer({ min: 0, max: 900 }),
  });
  const made = ({ qubits: of, couplings, days }: { qubits: Values[]; couplings: Values[]; days: number }) =>
    chipOf(
      of.map((each, qid) => partOf('QUBIT', String(qid), each, days)),
      couplings.map((each, at) => partOf('COUPLING', `${at}-${at + 1}`, each, days)),
    );

  test('stays within its scale, and its components add up to it', () => {
    fc.assert(
      fc.property(chips, (chip) => {
        const { health } = made(chip);
        const sum = health.components.reduce((total, { contribution }) => total + contribution, 0);
        expect(health.score).toBeCloseTo(sum, 9);
        expect(health.score).toBeGreaterThanOrEqual(0);
        expect(health.score).toBeLessThanOrEqual(3);
        if (chip.days >= 600) expect(['FAIR', 'POOR']).toContain(health.label);
        const gates = chip.couplings.map(({ cz_gate_fidelity: fidelity }) => fidelity);
        if (gates.length > 0 && gates.every((fidelity) => fidelity <= 0)) {
          expect(['FAIR', 'POOR']).toContain(health.label);
        }
      }),
    );
  });

  test('falls when any one value gets worse', () => {
    fc.assert(
      fc.property(chips, fc.nat(), (chip, at) => {
        const index = at % chip.qubits.length;
        const worse = chip.qubits.map((each, qid) => (qid === index ? { ...each, t1: 1 } : each));
        const before = made(chip).health.score ?? 0;
        expect(made({ ...chip, qubits: worse }).health.score ?? 0).toBeLessThanOrEqual(before + 1e-9);
      }),
    );
  });

  test('names as worst the parts that no unnamed one is past its limits further than', () => {
    fc.assert(
      fc.property(chips, (chip) => {
        const { health } = made(chip);
        const [line = ''] = problemSentences(health, { falls: [], notJudged: [] }, { size: 30 });
        const labelOf = (qid: string) =>
          qid
            .split('-')
            .map((part) => `Q${part.padStart(2, '0')}`)
            .join('-');
        const parts = [...new Set(health.problems.map(({ qid }) => qid))];
        const worstOf = (qid: string) =>
          Math.max(...health.problems.flatMap((each) => (each.qid === qid ? [each.severity] : [])));
        const isNamed = (qid: string) => new RegExp(`[:;] ${labelOf(qid)} `, 'u').test(line);
        const [named, unnamed] = [parts.filter(isNamed), parts.filter((qid) => !isNamed(qid))];
        expect(named).toHaveLength(Math.min(6, parts.length));
        for (const qid of unnamed) {
          expect(worstOf(qid)).toBeLessThanOrEqual(Math.min(...named.map(worstOf)));
        }
        const order = named.toSorted(
          (a, b) => line.indexOf(` ${labelOf(a)} `) - line.indexOf(` ${labelOf(b)} `),
        );
        expect(order.map(worstOf)).toEqual(order.map(worstOf).toSorted((a, b) => b - a));
        expect(/worst first/u.test(line)).toBe(parts.length > 1);
      }),
    );
  });
});

test('the distance past a limit is 0 at good and 1 at bad, whatever the unit', () => {
  for (const metric of shippedMetrics.metrics) {
    if (metric.good === null || metric.bad === null) continue;
    expect(severityOf(metric, metric.good)).toBe(0);
    expect(severityOf(metric, metric.bad)).toBeCloseTo(1, 9);
    expect(severityOf(metric, metric.bad + (metric.bad - metric.good))).toBeCloseTo(2, 9);
  }
});
