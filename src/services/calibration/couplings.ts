import type { Chip, Coupling } from '../../domain/chip/chip.ts';
import { goneValues } from '../../domain/chip/part-state.ts';
import type { ParameterValue } from '../../domain/values/parameter-value.ts';
import { compareQids, couplingEnds, normaliseQid, twinOf } from '../../domain/qid.ts';
import { newestOf } from '../../domain/claims/timed.ts';
import { NotFoundError } from '../../base/errors.ts';
import type { EntityRow } from '../../stores/calibration-store.ts';
import { scopeOf } from './chip-scope.ts';
import { currentParameters } from './current-parameters.ts';
import type { CurrentParametersDeps } from './current-parameters.ts';
import type { CurrentValuesReader } from './current-values.ts';
import { knownNames } from './known-names.ts';

/** A coupling found; `reversed` if only its opposite direction, which holds no values itself, was asked for. */
export type FoundCoupling = { readonly coupling: Coupling; readonly reversed: boolean };

/** Directed couplings of chips and their current values. */
export type CouplingsService = ReturnType<typeof createCouplings>;

/** Directed couplings of chips and their current values. */
export function createCouplings(deps: CurrentParametersDeps) {
  const ofChips = async (
    chips: readonly Pick<Chip, 'projectId' | 'chipId' | 'snapshotAt'>[],
  ): Promise<readonly (readonly Coupling[])[]> => {
    if (chips.length === 0) return [];
    const rows = await deps.store.entities('COUPLING', scopeOf(chips));
    const byChip = Map.groupBy(rows, ({ chipId }) => chipId);
    return chips.map((chip) => couplingsWorthListing(chip, byChip.get(chip.chipId) ?? []));
  };
  const getMany = async (chip: Chip, written: readonly string[]): Promise<readonly FoundCoupling[]> => {
    const [listed = []] = await ofChips([chip]);
    return written.map((text) => findCoupling(chip, listed, text));
  };
  return {
    /** In the order of `chips`; an edge's direction without current values is left out if the other one has some. */
    ofChips,
    /** As `get`, among the chip's couplings. */
    find: findCoupling,
    /** As `get` for several, in the order given. One read. */
    getMany,
    /** @throws NotFoundError naming the chip's couplings if neither direction exists */
    async get(chip: Chip, written: string): Promise<FoundCoupling> {
      const [found] = await getMany(chip, [written]);
      if (!found) throw new Error(`coupling ${written} was found and is not there`);
      return found;
    },
    /** As `QubitsService.parameters`. */
    parameters: (
      couplings: readonly Coupling[],
      names: readonly string[] | null,
      reader?: CurrentValuesReader,
    ) => couplingParameters(deps, couplings, names, reader),
  };
}

/** @throws NotFoundError when neither direction is listed. */
function findCoupling(chip: Chip, listed: readonly Coupling[], written: string): FoundCoupling {
  const wanted = normaliseQid(written);
  const found = [wanted, twinOf(wanted)].flatMap(
    (id) => listed.find(({ couplingId }) => couplingId === id) ?? [],
  );
  const [coupling] = found;
  if (coupling) return { coupling, reversed: coupling.couplingId !== wanted };
  const known = knownNames(listed.map(({ couplingId }) => couplingId));
  throw new NotFoundError(`there is no coupling ${written} on chip ${chip.chipId}; its couplings: ${known}`);
}

/**
 * QDash keeps a row for each direction of an edge and fills the calibrated one. An empty row is left out if its twin
 * has values; of two empty ones the smaller id represents the edge. A direction that the newest snapshot lacks is left
 * out if its twin is there: a flipped direction is not a new coupling.
 */
function couplingsWorthListing(
  { projectId, chipId, snapshotAt = null }: Pick<Chip, 'projectId' | 'chipId' | 'snapshotAt'>,
  rows: readonly EntityRow[],
): readonly Coupling[] {
  const found = new Map(
    [...Map.groupBy(rows, ({ qid }) => qid)].map(([qid, each]) => {
      const seen = newestOf(each, ({ updatedAt }) => updatedAt)?.at ?? null;
      const lastSeenAt = snapshotAt !== null && seen !== null && seen < snapshotAt ? seen : null;
      const isFilled = lastSeenAt === null && each.some(({ parameterNames }) => parameterNames.length > 0);
      return [qid, { lastSeenAt, isFilled }] as const;
    }),
  );
  return [...found.keys()].toSorted(compareQids).flatMap((couplingId) => {
    const { lastSeenAt = null, isFilled = false } = found.get(couplingId) ?? {};
    const twinId = twinOf(couplingId);
    const twin = twinId === couplingId ? undefined : found.get(twinId);
    const ends = couplingEnds(couplingId);
    if (ends === null) return [];
    if (twin !== undefined && !isFilled) {
      const isFirst =
        (lastSeenAt === null) === (twin.lastSeenAt === null) && compareQids(couplingId, twinId) < 0;
      const isOnlyPresent = lastSeenAt === null && twin.lastSeenAt !== null;
      if (twin.isFilled || !(isFirst || isOnlyPresent)) return [];
    }
    return [{ projectId, chipId, couplingId, controlQid: ends[0], targetQid: ends[1], lastSeenAt }];
  });
}

/** A coupling that is gone has no current values. */
async function couplingParameters(
  deps: CurrentParametersDeps,
  couplings: readonly Coupling[],
  names: readonly string[] | null,
  reader: CurrentValuesReader | undefined,
): Promise<readonly (readonly ParameterValue[])[]> {
  const entities = couplings.map(({ couplingId, ...coupling }) => ({ ...coupling, qid: couplingId }));
  const values = await currentParameters(deps, 'COUPLING', entities, names, reader);
  return couplings.map(({ lastSeenAt }, index) => {
    const own = values[index] ?? [];
    return lastSeenAt === null ? own : goneValues(own, lastSeenAt);
  });
}
