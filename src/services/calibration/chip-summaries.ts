import { summarizeChip } from '../../domain/chip/chip-summary.ts';
import type { ChipSummary } from '../../domain/chip/chip-summary.ts';
import type { Chip } from '../../domain/chip/chip.ts';
import { InvalidInputError } from '../../base/errors.ts';
import { scopeOf } from './chip-scope.ts';
import { describeEntity, type CurrentParametersDeps } from './current-parameters.ts';
import type { CurrentEntity, CurrentValuesReader } from './current-values.ts';
import {
  couplingParameter,
  parameterNameIssue,
  unknownParameter,
  type ParameterNamesService,
} from './parameter-names.ts';

/** Which summary: over all parameters (null), or over the named ones. */
export type ChipSummaryRequest = { readonly chip: Chip; readonly parameters: readonly string[] | null };

export type ChipSummariesDeps = CurrentParametersDeps & {
  readonly parameterNames: ParameterNamesService;
};

/** Summaries of current values, for any number of chips in one read. */
export function createChipSummaries(deps: ChipSummariesDeps) {
  return {
    /**
     * In the order of `requests`: null for a chip without qubits, an error for a request that names a parameter which
     * neither the catalogue nor the chip has. Pass `reader` to share the reads.
     */
    async getMany(
      requests: readonly ChipSummaryRequest[],
      reader: CurrentValuesReader = deps.currentValues,
    ): Promise<readonly (ChipSummary | InvalidInputError | null)[]> {
      if (requests.length === 0) return [];
      const scope = scopeOf(requests.map(({ chip }) => chip));
      const names = namesToRead(requests);
      const found = await reader.read('QUBIT', { ...scope, qids: null, names });
      const byChip = Map.groupBy(found, ({ chipId }) => chipId);
      return Promise.all(
        requests.map((request) => summaryOf(deps, request, byChip.get(request.chip.chipId) ?? [])),
      );
    },
  };
}

const nameIssue = (name: string) => parameterNameIssue(name, ['parameters']);

/** Null (all parameters) as soon as one request wants all. */
function namesToRead(requests: readonly ChipSummaryRequest[]): string[] | null {
  const names: string[] = [];
  for (const { parameters } of requests) {
    if (parameters === null) return null;
    names.push(...parameters.filter((name) => nameIssue(name) === null));
  }
  return [...new Set(names)];
}

async function summaryOf(
  { metrics, now, parameterNames }: ChipSummariesDeps,
  { chip, parameters }: ChipSummaryRequest,
  entities: readonly CurrentEntity[],
): Promise<ChipSummary | InvalidInputError | null> {
  const issues = (parameters ?? []).flatMap((name) => nameIssue(name) ?? []);
  if (issues.length > 0) return new InvalidInputError(issues);
  if (entities.length === 0) return null;
  const at = now();
  const qubits = entities.map((entity) => ({
    qid: entity.qid,
    parameters: describeEntity(entity, 'QUBIT', metrics, at),
  }));
  const found = new Set(qubits.flatMap((qubit) => qubit.parameters.map(({ name }) => name)));
  const unknown = parameters?.find((name) => !found.has(name) && metrics.find(name, 'QUBIT') === null);
  if (unknown !== undefined) {
    const [onQubits, onCouplings] = await Promise.all([
      parameterNames.listOf('QUBIT', chip),
      parameterNames.listOf('COUPLING', chip),
    ]);
    return onCouplings.includes(unknown) || metrics.find(unknown, 'COUPLING') !== null
      ? couplingParameter(unknown, ['parameters'], chip, { onQubits, metrics })
      : unknownParameter(unknown, ['parameters'], chip, { onChip: onQubits, metrics });
  }
  return summarizeChip({ qubits, shown: parameters, metrics });
}
