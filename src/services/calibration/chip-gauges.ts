/** Current values of chips as gauges for Prometheus, so that Grafana shows and alerts on them like on anything else. */
import { Gauge, Registry } from 'prom-client';
import type { Chip } from '../../domain/chip/chip.ts';
import type { ChipSummary } from '../../domain/chip/chip-summary.ts';
import { PART_STATES } from '../../domain/values/current.ts';

const OF_VALUE = ['chip', 'qid', 'parameter', 'unit'] as const;
const OF_STATE = ['chip', 'qid', 'parameter', 'state'] as const;

/**
 * The text that a scrape returns. Values are in the display unit of their metric, which is a label. A disabled or
 * missing parameter has no value, only its state.
 */
export function chipGauges(summaries: readonly (readonly [Chip, ChipSummary])[]): Promise<string> {
  const registry = new Registry();
  const gauge = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  const value = gauge('qpilot_parameter', 'Current value in its display unit', OF_VALUE);
  const measuredAt = gauge(
    'qpilot_parameter_measured_at_seconds',
    'Unix time of the current value',
    OF_VALUE,
  );
  const state = gauge(
    'qpilot_parameter_state',
    '1 for each parameter that is disabled, missing or doubtful',
    OF_STATE,
  );
  const parts = gauge('qpilot_chip_parts', 'Qubits and couplings by state', ['chip', 'kind', 'state']);
  const score = gauge('qpilot_chip_health', 'Health of the chip, 0 (bad) to 3 (excellent)', ['chip']);
  for (const [{ chipId: chip }, summary] of summaries) {
    for (const { qid, parameters } of [...summary.rows, ...summary.couplingRows]) {
      for (const { name, displayValue, displayUnit, calibratedAt, state: isIn } of parameters) {
        const labels = { chip, qid, parameter: name, unit: displayUnit };
        if (displayValue === null || isIn === 'DISABLED' || isIn === 'MISSING') continue;
        value.set(labels, displayValue);
        if (calibratedAt !== null) measuredAt.set(labels, calibratedAt.getTime() / 1_000);
      }
    }
    for (const kind of ['QUBIT', 'COUPLING'] as const) {
      for (const each of PART_STATES) parts.set({ chip, kind, state: each }, 0);
    }
    for (const part of summary.parts) {
      parts.inc({ chip, kind: part.kind, state: part.state });
      for (const { name, state: isIn } of part.parameters) {
        state.set({ chip, qid: part.qid, parameter: name, state: isIn }, 1);
      }
    }
    if (summary.health.score !== null) score.set({ chip }, summary.health.score);
  }
  return registry.metrics();
}
