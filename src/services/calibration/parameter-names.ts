import type { Chip } from '../../domain/chip/chip.ts';
import { isCouplingId } from '../../domain/qid.ts';
import { METRIC_SCOPES } from '../../domain/values/metric.ts';
import type { MetricCatalog, MetricScope } from '../../domain/values/metric.ts';
import { isSwitch } from '../../domain/values/switches.ts';
import { InvalidInputError } from '../../base/errors.ts';
import type { InputIssue } from '../../base/errors.ts';
import type { CalibrationStore } from '../../stores/calibration-store.ts';
import { scopeOf } from './chip-scope.ts';
import type { CouplingsService } from './couplings.ts';
import { knownNames } from './known-names.ts';
import type { QubitsService } from './qubits.ts';

/** Names of the parameters that chips have. */
export type ParameterNamesService = ReturnType<typeof createParameterNames>;

/** Names of the parameters that chips have. */
export function createParameterNames(deps: {
  readonly store: CalibrationStore;
  readonly qubits: QubitsService;
  readonly couplings: CouplingsService;
}) {
  const namesOn = async (kind: MetricScope, chip: Chip, qid: string | null): Promise<string[]> => {
    const rows = await deps.store.entities(kind, scopeOf([chip]));
    return rows
      .filter((row) => qid === null || row.qid === qid)
      .flatMap(({ parameterNames }) => parameterNames.filter((name) => !isSwitch(name)));
  };
  return {
    /** Sorted names of what was ever set on the chip's qubits and couplings, or on one of them. */
    async list(chip: Chip, written: string | null = null): Promise<readonly string[]> {
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
    /** What a parameter is set on or measured on: qubits, couplings, both, or neither for an unknown one. */
    async kinds(chip: Chip, parameter: string): Promise<readonly MetricScope[]> {
      const [onQubits, onCouplings, tasks] = await Promise.all([
        namesOn('QUBIT', chip, null),
        namesOn('COUPLING', chip, null),
        deps.store.taskOutputs(scopeOf([chip])),
      ]);
      const set = { QUBIT: onQubits, COUPLING: onCouplings };
      const isMeasured = (scope: MetricScope): boolean =>
        tasks.some(({ kind, outputs }) => kind === scope && outputs?.includes(parameter));
      return METRIC_SCOPES.filter((scope) => set[scope].includes(parameter) || isMeasured(scope));
    },
  };
}

/** Names become part of a field path in the database, so only plain names may pass. */
const PLAIN_NAME = /^[A-Za-z0-9_-]{1,100}$/u;

/** The issue with a parameter's name; null for a valid name. */
export function parameterNameIssue(name: string, path: readonly string[]): InputIssue | null {
  return PLAIN_NAME.test(name)
    ? null
    : {
        path,
        message: `${JSON.stringify(name)} is not a valid parameter name: use letters, digits, _ and -`,
      };
}

/** For a parameter that neither the chip nor the catalogue has. */
export function unknownParameter(
  name: string,
  path: readonly string[],
  { chipId }: Chip,
  { onChip, metrics }: { readonly onChip: readonly string[]; readonly metrics: MetricCatalog },
): InvalidInputError {
  const known = knownNames(metrics.inOrder(onChip));
  return InvalidInputError.at(
    path,
    `there is no parameter ${name} on chip ${chipId}; its parameters: ${known}`,
  );
}
