import { summarizeChip } from '../../domain/chip/chip-summary.ts';
import type { ChipSummary, ChipSummaryInput } from '../../domain/chip/chip-summary.ts';
import type { Chip } from '../../domain/chip/chip.ts';
import { METRIC_SCOPES } from '../../domain/values/metric.ts';
import { InvalidInputError } from '../../base/errors.ts';
import { scopeOf } from './chip-scope.ts';
import { describeEntity, namesToRead, type CurrentParametersDeps } from './current-parameters.ts';
import type { CouplingsService } from './couplings.ts';
import type { CurrentValuesReader } from './current-values.ts';
import { parameterNameIssue, unknownParameter, type ParameterNamesService } from './parameter-names.ts';

/** Which summary: over all parameters (null), or over the named ones. */
export type ChipSummaryRequest = { readonly chip: Chip; readonly parameters: readonly string[] | null };

export type ChipSummariesDeps = CurrentParametersDeps & {
  readonly couplings: CouplingsService;
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
      const chips = requests.map(({ chip }) => chip);
      const names = wantedNames(requests);
      const [qubits, couplings] = await Promise.all([
        qubitValues(deps, chips, names, reader),
        couplingValues(deps, chips, names, reader),
      ]);
      return Promise.all(
        requests.map((request, index) =>
          summaryOf(deps, request, { qubits: qubits[index] ?? [], couplings: couplings[index] ?? [] }),
        ),
      );
    },
  };
}

type Parts = Pick<ChipSummaryInput, 'qubits' | 'couplings'>;

/** Of each chip. */
async function qubitValues(
  deps: ChipSummariesDeps,
  chips: readonly Chip[],
  names: readonly string[] | null,
  reader: CurrentValuesReader,
): Promise<readonly Parts['qubits'][]> {
  const found = await reader.read('QUBIT', { ...scopeOf(chips), qids: null, names: namesToRead(names) });
  const at = deps.now();
  const byChip = Map.groupBy(found, ({ chipId }) => chipId);
  return chips.map(({ chipId }) =>
    (byChip.get(chipId) ?? []).map((entity) => ({
      qid: entity.qid,
      parameters: describeEntity(entity, 'QUBIT', deps.metrics, at),
      lastSeenAt: null,
    })),
  );
}

async function couplingValues(
  deps: ChipSummariesDeps,
  chips: readonly Chip[],
  names: readonly string[] | null,
  reader: CurrentValuesReader,
): Promise<readonly Parts['couplings'][]> {
  const [listed] = await Promise.all([
    deps.couplings.ofChips(chips),
    // All of them at once, for the requests that follow.
    names === null ? reader.read('COUPLING', { ...scopeOf(chips), qids: null, names }) : null,
  ]);
  const values = await deps.couplings.parameters(listed.flat(), names, reader);
  const byCoupling = new Map(listed.flat().map((coupling, index) => [coupling, values[index] ?? []]));
  return listed.map((couplings) =>
    couplings.map((coupling) => ({
      qid: coupling.couplingId,
      parameters: byCoupling.get(coupling) ?? [],
      lastSeenAt: coupling.lastSeenAt,
    })),
  );
}

const nameIssue = (name: string) => parameterNameIssue(name, ['parameters']);

/** Null (all parameters) as soon as one request wants all. */
function wantedNames(requests: readonly ChipSummaryRequest[]): string[] | null {
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
  parts: Parts,
): Promise<ChipSummary | InvalidInputError | null> {
  const issues = (parameters ?? []).flatMap((name) => nameIssue(name) ?? []);
  if (issues.length > 0) return new InvalidInputError(issues);
  if (parts.qubits.length === 0) return null;
  const found = new Set(
    [...parts.qubits, ...parts.couplings].flatMap((part) => part.parameters.map(({ name }) => name)),
  );
  const isKnown = (name: string): boolean =>
    found.has(name) || METRIC_SCOPES.some((scope) => metrics.find(name, scope) !== null);
  const unknown = parameters?.find((name) => !isKnown(name));
  if (unknown !== undefined) {
    const onChip = await parameterNames.list(chip);
    return unknownParameter(unknown, ['parameters'], chip, { onChip, metrics });
  }
  return summarizeChip({ ...parts, shown: parameters, metrics, now: now() });
}
