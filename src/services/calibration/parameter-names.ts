import type { Chip } from '../../domain/chip/chip.ts';
import { isCouplingId } from '../../domain/qid.ts';
import { METRIC_SCOPES } from '../../domain/values/metric.ts';
import type { MetricCatalog, MetricScope } from '../../domain/values/metric.ts';
import { InvalidInputError } from '../../base/errors.ts';
import type { InputIssue } from '../../base/errors.ts';
import type { CalibrationStore } from '../../stores/calibration-store.ts';
import { scopeOf } from './chip-scope.ts';
import type { CouplingsService, ParameterNamesService, QubitsService } from './chip-services.ts';
import { knownNames } from './known-names.ts';

/** Names of the parameters that chips have. */
export function createParameterNames(deps: {
  readonly store: CalibrationStore;
  readonly qubits: QubitsService;
  readonly couplings: CouplingsService;
}): ParameterNamesService {
  const namesOn = async (kind: MetricScope, chip: Chip, qid: string | null): Promise<string[]> => {
    const rows = await deps.store.entities(kind, scopeOf([chip]));
    return rows
      .filter((row) => qid === null || row.qid === qid)
      .flatMap(({ parameterNames }) => parameterNames);
  };
  return {
    async list(chip, written = null) {
      if (written === null) {
        const both = await Promise.all([namesOn('QUBIT', chip, null), namesOn('COUPLING', chip, null)]);
        return [...new Set(both.flat())].toSorted();
      }
      if (!isCouplingId(written)) {
        const { qid } = await deps.qubits.get(chip, written);
        return [...new Set(await namesOn('QUBIT', chip, qid))].toSorted();
      }
      const { coupling } = await deps.couplings.get(chip, written);
      return [...new Set(await namesOn('COUPLING', chip, coupling.couplingId))].toSorted();
    },
    async kinds(chip, parameter) {
      const [onQubits, onCouplings, tasks] = await Promise.all([
        namesOn('QUBIT', chip, null),
        namesOn('COUPLING', chip, null),
        deps.store.taskOutputs(scopeOf([chip])),
      ]);
      const set = { QUBIT: onQubits, COUPLING: onCouplings };
      const isPutOut = (scope: MetricScope): boolean =>
        tasks.some(({ kind, outputs }) => kind === scope && outputs?.includes(parameter));
      return METRIC_SCOPES.filter((scope) => set[scope].includes(parameter) || isPutOut(scope));
    },
  };
}

/** Names become part of a field path in the database, so nothing but a plain name may pass. */
const PLAIN_NAME = /^[A-Za-z0-9_-]{1,100}$/u;

/** What is wrong with a parameter's name, null when it can be one. */
export function parameterNameIssue(name: string, path: readonly string[]): InputIssue | null {
  return PLAIN_NAME.test(name)
    ? null
    : { path, message: `${JSON.stringify(name)} cannot be a parameter: use letters, digits, _ and -` };
}

/** The error for a parameter that neither the chip nor the catalogue has. */
export function unknownParameter(
  name: string,
  path: readonly string[],
  { chipId }: Chip,
  { onChip, metrics }: { readonly onChip: readonly string[]; readonly metrics: MetricCatalog },
): InvalidInputError {
  const known = knownNames(metrics.inOrder(onChip), 'none yet');
  return new InvalidInputError([
    { path, message: `there is no parameter ${name} on chip ${chipId}; its parameters: ${known}` },
  ]);
}
