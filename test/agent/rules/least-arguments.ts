import { argumentsOf } from '../../support/tool-bench.ts';

const GIVEN: Readonly<Record<string, unknown>> = {
  qid: '7',
  qids: ['7', '8'],
  parameter_name: 't1',
  metric_name: 't1',
  task_name: 'CheckT1',
  entity_id: 't1:7:x:y',
  order: 'best',
  include_series: false,
  descending: false,
  dataset: 'none',
};
const GIVEN_TO: Readonly<Record<string, object>> = {
  list_entities: { kind: 'qubit' },
  get_calibration_notes: { kind: 'human' },
  compare_periods: { level: 'qubit' },
};

/** Arguments with which a tool can be run on the demo chip, null for what it does not need. */
export function leastArguments(name: string): object {
  const known = argumentsOf(name, {});
  const given = Object.entries(GIVEN).filter(([argument]) => Object.hasOwn(known, argument));
  return { ...known, ...Object.fromEntries(given), ...GIVEN_TO[name] };
}
