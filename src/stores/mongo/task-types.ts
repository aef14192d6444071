import { METRIC_SCOPES, type MetricScope } from '../../domain/values/metric.ts';

/** `task_type` of the results of qubits and of couplings; results of a MUX, of the system and of all are neither. */
export const TASK_TYPES: Readonly<Record<MetricScope, string>> = { QUBIT: 'qubit', COUPLING: 'coupling' };

/** The scope of a `task_type`'s results, null for neither. */
export const readKind = (raw: unknown): MetricScope | null =>
  METRIC_SCOPES.find((kind) => TASK_TYPES[kind] === raw) ?? null;
