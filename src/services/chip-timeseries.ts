import type { Chip } from '../domain/chip.ts';
import { chipTimeseries } from '../domain/chip-timeseries.ts';
import { latestByQubit } from '../domain/measurement.ts';
import type { MetricCatalog } from '../domain/metric.ts';
import { InvalidInputError } from '../errors.ts';
import type { InputIssue } from '../errors.ts';
import type { CalibrationStore } from '../stores/calibration-store.ts';
import type { ParameterNamesService, QubitsService } from './chip-services.ts';
import type { ChipTimeseriesRequest, ChipTimeseriesService } from './value-services.ts';
import { scopeOf } from './chip-scope.ts';
import { parameterNameIssue, unknownParameter } from './parameter-names.ts';
import { pickQubits } from './qubits.ts';
import { tasksThatWrite } from './writing-tasks.ts';

const DEFAULT_LAST_N = 10;
const MAX_LAST_N = 200;

/** What histories are made from. */
export type ChipTimeseriesDeps = {
  readonly store: CalibrationStore;
  readonly metrics: MetricCatalog;
  readonly qubits: QubitsService;
  readonly parameterNames: ParameterNamesService;
};

/** Histories of parameters, each qubit's newest results. */
export function createChipTimeseries(deps: ChipTimeseriesDeps): ChipTimeseriesService {
  return {
    async get(chip, request) {
      const issues = issuesOf(request);
      if (issues.length > 0) throw new InvalidInputError(issues);
      const { parameter, lastN = DEFAULT_LAST_N, from = null, to = null } = request;
      const [all = []] = await deps.qubits.ofChips([chip]);
      const wanted = request.qids?.length ? pickQubits(chip, all, request.qids) : all;
      const metric = deps.metrics.find(parameter, 'QUBIT');
      const qids = wanted === all ? null : wanted.map(({ qid }) => qid);
      const scope = scopeOf([chip]);
      const taskNames = await tasksThatWrite(deps.store, scope, parameter);
      const query = { ...scope, parameter, taskNames, qids, from, to };
      const rows = await deps.store.latestMeasurements(query, lastN);
      if (rows.length === 0 && metric === null) await requireParameter(deps, chip, parameter);
      return chipTimeseries({ parameter, metric, qubits: wanted, measurements: latestByQubit(rows, lastN) });
    },
  };
}

function issuesOf({ parameter, lastN = DEFAULT_LAST_N, from, to }: ChipTimeseriesRequest): InputIssue[] {
  const nameIssue = parameterNameIssue(parameter, ['parameter']);
  const issues = nameIssue ? [nameIssue] : [];
  if (!Number.isInteger(lastN) || lastN < 1 || lastN > MAX_LAST_N) {
    issues.push({ path: ['lastN'], message: `${lastN} is not a whole number from 1 to ${MAX_LAST_N}` });
  }
  if (from && to && from >= to) {
    issues.push({ path: ['to'], message: `must be later than from, ${from.toISOString()}` });
  }
  return issues;
}

/** An empty answer must mean that nothing was measured, not that the name was wrong. */
async function requireParameter(
  { parameterNames, metrics }: ChipTimeseriesDeps,
  chip: Chip,
  parameter: string,
): Promise<void> {
  const onChip = await parameterNames.list(chip);
  if (!onChip.includes(parameter))
    throw unknownParameter(parameter, ['parameter'], chip, { onChip, metrics });
}
