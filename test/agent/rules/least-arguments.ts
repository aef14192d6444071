import { argumentsOf, everyTool } from '../../support/tool-bench.ts';

/** Instead of examples that are looked up in the data. */
const LOOKED_UP: Readonly<Record<string, object>> = {
  get_provenance_lineage_graph: { entity_id: 't1:7:x:y' },
  compare_snapshots: { from: '2026-05-10T00:00:00Z', param_names: ['t1'] },
};

/** Arguments with which a tool can be run on the demo chip: its example's, null for what that does not name. */
export function leastArguments(name: string): object {
  const example = everyTool.get(name)?.example ?? {};
  return argumentsOf(name, typeof example === 'function' ? (LOOKED_UP[name] ?? {}) : example);
}
