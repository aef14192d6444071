import { argumentsOf, everyTool } from '../../support/tool-bench.ts';

/** Arguments with which a tool can be run on the demo chip: its example's, null for what that does not name. */
export function leastArguments(name: string): object {
  const example = everyTool.get(name)?.example ?? {};
  return argumentsOf(name, typeof example === 'function' ? { entity_id: 't1:7:x:y' } : example);
}
