import type { Chip, Coupling } from '../../domain/chip/chip.ts';
import { compareQids, couplingEnds, normaliseQid, twinOf } from '../../domain/qid.ts';
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
  const getMany = async (chip: Chip, written: readonly string[]): Promise<readonly FoundCoupling[]> => {
    const listed = couplingsWorthListing(await deps.store.entities('COUPLING', scopeOf([chip])));
    return written.map((text) => findCoupling(chip, listed, text));
  };
  return {
    /** In the order of `chips`; an edge's empty direction is left out if the other one has values. */
    async ofChips(chips: readonly Chip[]): Promise<readonly (readonly Coupling[])[]> {
      if (chips.length === 0) return [];
      const rows = await deps.store.entities('COUPLING', scopeOf(chips));
      const byChip = Map.groupBy(rows, ({ chipId }) => chipId);
      return chips.map(({ projectId, chipId }) =>
        couplingsWorthListing(byChip.get(chipId) ?? []).flatMap((id) =>
          couplingOf({ projectId, chipId }, id),
        ),
      );
    },
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
    ) =>
      currentParameters(
        deps,
        'COUPLING',
        couplings.map(({ couplingId, ...coupling }) => ({ ...coupling, qid: couplingId })),
        names,
        reader,
      ),
  };
}

/** @throws NotFoundError when neither direction is listed. */
function findCoupling(chip: Chip, listed: readonly string[], written: string): FoundCoupling {
  const wanted = normaliseQid(written);
  const couplingId = [wanted, twinOf(wanted)].find((id) => listed.includes(id));
  const [coupling] = couplingId === undefined ? [] : couplingOf(chip, couplingId);
  if (coupling) return { coupling, reversed: couplingId !== wanted };
  const known = knownNames(listed);
  throw new NotFoundError(`there is no coupling ${written} on chip ${chip.chipId}; its couplings: ${known}`);
}

/**
 * QDash keeps a row for each direction of an edge and fills the calibrated one. An empty row is left out if its twin
 * has values; of two empty ones the smaller id represents the edge.
 */
function couplingsWorthListing(rows: readonly EntityRow[]): readonly string[] {
  const hasValues = valuesByCoupling(rows);
  return [...hasValues.keys()].toSorted(compareQids).filter((id) => {
    const twin = twinOf(id);
    if (hasValues.get(id) || twin === id || !hasValues.has(twin)) return true;
    return !hasValues.get(twin) && compareQids(id, twin) < 0;
  });
}

function valuesByCoupling(rows: readonly EntityRow[]): ReadonlyMap<string, boolean> {
  const hasValues = new Map<string, boolean>();
  for (const { qid, parameterNames } of rows) {
    hasValues.set(qid, (hasValues.get(qid) ?? false) || parameterNames.length > 0);
  }
  return hasValues;
}

function couplingOf(
  { projectId, chipId }: Pick<Coupling, 'projectId' | 'chipId'>,
  couplingId: string,
): Coupling[] {
  const ends = couplingEnds(couplingId);
  return ends ? [{ projectId, chipId, couplingId, controlQid: ends[0], targetQid: ends[1] }] : [];
}
