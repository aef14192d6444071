import type { Chip, Coupling } from '../../domain/chip/chip.ts';
import { compareQids, couplingEnds, normaliseQid, twinOf } from '../../domain/qid.ts';
import { NotFoundError } from '../../base/errors.ts';
import type { EntityRow } from '../../stores/calibration-store.ts';
import { scopeOf } from './chip-scope.ts';
import type { CouplingsService, FoundCoupling } from './chip-services.ts';
import { currentParameters } from './current-parameters.ts';
import type { CurrentParametersDeps } from './current-parameters.ts';
import { knownNames } from './known-names.ts';

/** Directed couplings of chips and what is set on them now. */
export function createCouplings(deps: CurrentParametersDeps): CouplingsService {
  const getMany = async (chip: Chip, written: readonly string[]): Promise<readonly FoundCoupling[]> => {
    const listed = couplingsWorthListing(await deps.store.entities('COUPLING', scopeOf([chip])));
    return written.map((text) => findCoupling(chip, listed, text));
  };
  return {
    async ofChips(chips) {
      if (chips.length === 0) return [];
      const rows = await deps.store.entities('COUPLING', scopeOf(chips));
      const byChip = Map.groupBy(rows, ({ chipId }) => chipId);
      return chips.map(({ projectId, chipId }) =>
        couplingsWorthListing(byChip.get(chipId) ?? []).flatMap((id) =>
          couplingOf({ projectId, chipId }, id),
        ),
      );
    },
    getMany,
    async get(chip, written) {
      const [found] = await getMany(chip, [written]);
      if (!found) throw new Error(`coupling ${written} was found and is not there`);
      return found;
    },
    parameters: (couplings, names) =>
      currentParameters(
        deps,
        'COUPLING',
        couplings.map(({ couplingId, ...coupling }) => ({ ...coupling, qid: couplingId })),
        names,
      ),
  };
}

/** @throws NotFoundError when neither direction is listed. */
function findCoupling(chip: Chip, listed: readonly string[], written: string): FoundCoupling {
  const wanted = normaliseQid(written);
  const couplingId = [wanted, twinOf(wanted)].find((id) => listed.includes(id));
  const [coupling] = couplingId === undefined ? [] : couplingOf(chip, couplingId);
  if (coupling) return { coupling, reversed: couplingId !== wanted };
  const known = knownNames(listed, 'none at all');
  throw new NotFoundError(`there is no coupling ${written} on chip ${chip.chipId}; its couplings: ${known}`);
}

/**
 * QDash keeps a row for either direction of an edge and fills the one that was calibrated. An empty row is left out beside a
 * filled twin; of two empty ones the smaller id stands for the edge.
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
