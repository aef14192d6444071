import type { MetricCatalog, MetricScope } from '../../domain/values/metric.ts';
import { describeParameter } from '../../domain/values/parameter-value.ts';
import type { ParameterValue } from '../../domain/values/parameter-value.ts';
import { withCoherenceDoubts } from '../../domain/values/coherence.ts';
import type { CalibrationStore } from '../../stores/calibration-store.ts';
import { switchesOf, withSwitches } from '../../domain/values/switches.ts';
import { scopeOf } from './chip-scope.ts';
import type { CurrentEntity, CurrentValuesReader } from './current-values.ts';

/** Identifies a qubit or coupling. */
export type EntityKey = { readonly projectId: string; readonly chipId: string; readonly qid: string };

export type CurrentParametersDeps = {
  readonly store: CalibrationStore;
  readonly currentValues: CurrentValuesReader;
  readonly metrics: MetricCatalog;
  readonly now: () => Date;
};

/** Current values of qubits or of couplings in one read, each entity's in the order of the catalogue. */
export async function currentParameters(
  { currentValues, metrics, now }: CurrentParametersDeps,
  kind: MetricScope,
  entities: readonly EntityKey[],
  names: readonly string[] | null,
  reader: CurrentValuesReader = currentValues,
): Promise<readonly (readonly ParameterValue[])[]> {
  if (entities.length === 0 || names?.length === 0) return entities.map(() => []);
  const qids = [...new Set(entities.map(({ qid }) => qid))];
  const found = await reader.read(kind, { ...scopeOf(entities), qids, names: namesToRead(names) });
  const keyOf = ({ chipId, qid }: Pick<EntityKey, 'chipId' | 'qid'>) => JSON.stringify([chipId, qid]);
  const byEntity = new Map(found.map((entity) => [keyOf(entity), entity]));
  return entities.map((key) => {
    const values = describeEntity(byEntity.get(keyOf(key)), kind, metrics, now());
    return names === null ? values : values.filter(({ name }) => names.includes(name));
  });
}

/** With the switches that decide about them; null for all. */
export const namesToRead = (names: readonly string[] | null): readonly string[] | null =>
  names && [...new Set([...names, ...names.flatMap(switchesOf)])];

/** Its values in the order of the catalogue. */
export function describeEntity(
  entity: CurrentEntity | undefined,
  kind: MetricScope,
  metrics: MetricCatalog,
  now: Date,
): readonly ParameterValue[] {
  const byName = new Map(entity?.values.map((value) => [value.stored.name, value]));
  const values = metrics.inOrder([...byName.keys()]).flatMap((name) => {
    const value = byName.get(name);
    return value ? [describeParameter(value.stored, metrics.find(name, kind), now, value.before)] : [];
  });
  return withSwitches(kind === 'QUBIT' ? withCoherenceDoubts(values) : values);
}
