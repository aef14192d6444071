import { summarizeChip } from '../../domain/chip/chip-summary.ts';
import type { ChipSummary } from '../../domain/chip/chip-summary.ts';
import type { Chip } from '../../domain/chip/chip.ts';
import { mergeCurrentValues, type CurrentValuesRow } from '../../domain/values/stored-parameter.ts';
import { InvalidInputError } from '../../base/errors.ts';
import { scopeOf } from './chip-scope.ts';
import type { CurrentParametersDeps } from './current-parameters.ts';
import { replaceExcluded } from './excluded-values.ts';
import { parameterNameIssue, unknownParameter, type ParameterNamesService } from './parameter-names.ts';
import type { CurrentValuesReader } from './shared-current-values.ts';
import type { WritingTasksFinder } from './writing-tasks.ts';

/** Which summary: over all parameters (null), or over the named ones. */
export type ChipSummaryRequest = { readonly chip: Chip; readonly parameters: readonly string[] | null };

export type ChipSummariesDeps = CurrentParametersDeps & {
  readonly parameterNames: ParameterNamesService;
  readonly writingTasks: WritingTasksFinder;
};

/**
 * Summaries of current values. For any number of chips it reads the values, which of their task results were excluded
 * and, only if some were, the measurements before those.
 */
export function createChipSummaries(deps: ChipSummariesDeps) {
  return {
    /**
     * In the order of `requests`: null for a chip without qubits, an error for a request that names a parameter which
     * neither the catalogue nor the chip has. Pass `reader` to share the reads.
     */
    async getMany(
      requests: readonly ChipSummaryRequest[],
      reader: CurrentValuesReader = deps.store,
    ): Promise<readonly (ChipSummary | InvalidInputError | null)[]> {
      if (requests.length === 0) return [];
      const scope = scopeOf(requests.map(({ chip }) => chip));
      const names = namesToRead(requests);
      const stored = await reader.currentValues('QUBIT', { ...scope, qids: null, names });
      const byChip = Map.groupBy(await replaceExcluded(deps, scope, stored), ({ chipId }) => chipId);
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
  rows: readonly CurrentValuesRow[],
): Promise<ChipSummary | InvalidInputError | null> {
  const issues = (parameters ?? []).flatMap((name) => nameIssue(name) ?? []);
  if (issues.length > 0) return new InvalidInputError(issues);
  if (rows.length === 0) return null;
  const qubits = [...Map.groupBy(rows, ({ qid }) => qid)].map(([qid, each]) => ({
    qid,
    stored: mergeCurrentValues(each),
  }));
  const found = new Set(qubits.flatMap(({ stored }) => stored.map(({ name }) => name)));
  const unknown = parameters?.find((name) => !found.has(name) && metrics.find(name, 'QUBIT') === null);
  if (unknown !== undefined) {
    const onChip = await parameterNames.list(chip);
    return unknownParameter(unknown, ['parameters'], chip, { onChip, metrics });
  }
  return summarizeChip({ qubits, shown: parameters, metrics, now: now() });
}
