import { mergeCurrentValues } from '../../domain/values/stored-parameter.ts';
import type { MetricCatalog, MetricScope } from '../../domain/values/metric.ts';
import { describeParameter } from '../../domain/values/parameter-value.ts';
import type { ParameterValue } from '../../domain/values/parameter-value.ts';
import type { CalibrationStore } from '../../stores/calibration-store.ts';
import { scopeOf } from './chip-scope.ts';
import type { CurrentValuesReader } from './shared-current-values.ts';

/** Identifies a qubit or coupling. */
export type EntityKey = { readonly projectId: string; readonly chipId: string; readonly qid: string };

export type CurrentParametersDeps = {
  readonly store: CalibrationStore;
  readonly metrics: MetricCatalog;
  readonly now: () => Date;
};

/** Current values of qubits or of couplings in one read, each entity's in the order of the catalogue. */
export async function currentParameters(
  { store, metrics, now }: CurrentParametersDeps,
  kind: MetricScope,
  entities: readonly EntityKey[],
  names: readonly string[] | null,
  reader: CurrentValuesReader = store,
): Promise<readonly (readonly ParameterValue[])[]> {
  if (entities.length === 0 || names?.length === 0) return entities.map(() => []);
  const qids = [...new Set(entities.map(({ qid }) => qid))];
  const rows = await reader.currentValues(kind, { ...scopeOf(entities), qids, names });
  const byEntity = Map.groupBy(rows, ({ chipId, qid }) => JSON.stringify([chipId, qid]));
  const at = now();
  return entities.map(({ chipId, qid }) => {
    const merged = mergeCurrentValues(byEntity.get(JSON.stringify([chipId, qid])) ?? []);
    const byName = new Map(merged.map((stored) => [stored.name, stored]));
    return metrics.inOrder([...byName.keys()]).flatMap((name) => {
      const stored = byName.get(name);
      return stored ? [describeParameter(stored, metrics.find(name, kind), at)] : [];
    });
  });
}
