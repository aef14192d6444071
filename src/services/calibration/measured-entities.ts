import type { Chip, Coupling } from '../../domain/chip/chip.ts';
import { isCouplingId, normaliseQid, qidLabel } from '../../domain/qid.ts';
import type { TwinAnswer } from '../../domain/qid.ts';
import { METRIC_SCOPES } from '../../domain/values/metric.ts';
import type { Metric, MetricCatalog, MetricScope } from '../../domain/values/metric.ts';
import { InvalidInputError } from '../../base/errors.ts';
import type { CouplingsService } from './couplings.ts';
import { knownNames } from './known-names.ts';
import { parameterNameIssue, unknownParameter, type ParameterNamesService } from './parameter-names.ts';
import type { QubitsService } from './qubits.ts';

/** The qubits or the couplings, never both, that a request about one parameter covers. */
export type MeasuredEntities = {
  readonly kind: MetricScope;
  /** Null for a parameter that the catalogue lacks. */
  readonly metric: Metric | null;
  readonly entities: readonly MeasuredEntity[];
  /** For the store: null for the whole chip. */
  readonly qids: readonly string[] | null;
  readonly twins: readonly TwinAnswer[];
  /** False for a parameter that neither the catalogue nor the chip has, as far as known without reading results. */
  readonly isKnown: boolean;
};

/** `lastSeenAt` of a coupling that the newest snapshot lacks, else null. */
export type MeasuredEntity = {
  readonly qid: string;
  readonly label: string;
  readonly lastSeenAt: Date | null;
};

/** `qids` null or empty means all; `kind` is set if only that kind will do. */
export type MeasuredEntitiesRequest = {
  readonly parameter: string;
  readonly qids?: readonly string[] | null | undefined;
  readonly kind?: MetricScope | null | undefined;
};

/** Finds what a parameter is measured on and which entities a request covers. */
export type MeasuredEntitiesFinder = ReturnType<typeof createMeasuredEntities>;

export type MeasuredEntitiesDeps = {
  readonly metrics: MetricCatalog;
  readonly qubits: QubitsService;
  readonly couplings: CouplingsService;
  readonly parameterNames: ParameterNamesService;
};

/** Reads the chip's qubits or couplings once and, for a parameter that the catalogue lacks, where the chip has it. */
export function createMeasuredEntities(deps: MeasuredEntitiesDeps) {
  const { metrics, parameterNames } = deps;
  return {
    /**
     * For a parameter of both qubits and couplings the ids decide; without ids it means qubits.
     * @throws InvalidInputError for an invalid name, a parameter or ids of the other kind; NotFoundError for unknown
     * ids
     */
    async find(chip: Chip, request: MeasuredEntitiesRequest): Promise<MeasuredEntities> {
      const { parameter } = request;
      const issue = parameterNameIssue(parameter, ['parameter']);
      if (issue) throw new InvalidInputError([issue]);
      const catalogued = METRIC_SCOPES.filter((kind) => metrics.find(parameter, kind) !== null);
      const kinds = catalogued.length > 0 ? catalogued : await parameterNames.kinds(chip, parameter);
      const kind = kindOf(request, kinds);
      const written = request.qids?.length ? request.qids : null;
      const found =
        kind === 'QUBIT' ? qubitsOf(deps, chip, written) : couplingsOf(deps, chip, parameter, written);
      return { kind, metric: metrics.find(parameter, kind), ...(await found), isKnown: kinds.length > 0 };
    },
    /**
     * Empty results must mean that nothing was measured, not a wrong name. @throws InvalidInputError naming the known
     * ones
     */
    async requireKnown(chip: Chip, parameter: string, { isKnown }: MeasuredEntities): Promise<void> {
      if (isKnown) return;
      const onChip = await parameterNames.list(chip);
      throw unknownParameter(parameter, ['parameter'], chip, { onChip, metrics });
    },
  };
}

const WORDS: Readonly<Record<MetricScope, string>> = { QUBIT: 'qubits', COUPLING: 'couplings' };

/** @throws InvalidInputError if the caller needs the other kind */
function kindOf(
  { parameter, qids, kind: wanted }: MeasuredEntitiesRequest,
  kinds: readonly MetricScope[],
): MetricScope {
  const [only, ...others] = kinds;
  if (wanted && only !== undefined && !kinds.includes(wanted)) {
    const message = `${parameter} is measured on ${WORDS[only]}, not on ${WORDS[wanted]}`;
    throw InvalidInputError.at(['parameter'], message);
  }
  if (wanted) return wanted;
  if (only !== undefined && others.length === 0) return only;
  return qids?.length && qids.every(isCouplingId) ? 'COUPLING' : 'QUBIT';
}

type Found = Pick<MeasuredEntities, 'entities' | 'qids' | 'twins'>;

async function qubitsOf(
  { qubits }: MeasuredEntitiesDeps,
  chip: Chip,
  written: readonly string[] | null,
): Promise<Found> {
  const [all = []] = written === null ? await qubits.ofChips([chip]) : [await qubits.named(chip, written)];
  const entities = all.map(({ qid, label }) => ({ qid, label, lastSeenAt: null }));
  return { entities, qids: written === null ? null : entities.map(({ qid }) => qid), twins: [] };
}

async function couplingsOf(
  { couplings }: MeasuredEntitiesDeps,
  chip: Chip,
  parameter: string,
  written: readonly string[] | null,
): Promise<Found> {
  const entityOf = ({ couplingId, lastSeenAt }: Coupling): MeasuredEntity => ({
    qid: couplingId,
    label: qidLabel(couplingId, chip.size),
    lastSeenAt,
  });
  if (written === null) {
    const [all = []] = await couplings.ofChips([chip]);
    return { entities: all.map(entityOf), qids: null, twins: [] };
  }
  const notCouplings = written.filter((id) => !isCouplingId(id));
  if (notCouplings.length > 0) throw await notACoupling(couplings, chip, parameter, notCouplings);
  const found = await couplings.getMany(chip, written);
  const entities = new Map(found.map(({ coupling }) => [coupling.couplingId, entityOf(coupling)]));
  const twins = found.flatMap(({ coupling: { couplingId }, reversed }, index) =>
    reversed ? [{ asked: written[index] ?? '', couplingId, label: qidLabel(couplingId, chip.size) }] : [],
  );
  return { entities: [...entities.values()], qids: [...entities.keys()], twins };
}

/** Lists the couplings of the qubits that were given instead of couplings. */
async function notACoupling(
  couplings: CouplingsService,
  chip: Chip,
  parameter: string,
  written: readonly string[],
): Promise<InvalidInputError> {
  const [all = []] = await couplings.ofChips([chip]);
  return new InvalidInputError(
    written.map((text) => {
      const qid = normaliseQid(text);
      const own = all.filter(({ controlQid, targetQid }) => controlQid === qid || targetQid === qid);
      const known = knownNames((own.length > 0 ? own : all).map(({ couplingId }) => couplingId));
      const listed = own.length > 0 ? `the couplings of ${text}` : 'the couplings of this chip';
      const message = `${text} is not a coupling, and ${parameter} is measured on couplings; ${listed}: ${known}`;
      return { path: ['qids'], message };
    }),
  );
}
