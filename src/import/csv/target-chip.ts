/** The chip that a table is of: one that is stored, or one that the table makes. */
import { compareQids, couplingEnds, twinOf } from '../../domain/qid.ts';
import { InvalidInputError, NotFoundError } from '../../base/errors.ts';
import type { CalibrationWriter } from '../calibration-writer.ts';
import { documentId, IMPORT_USERNAME, NO_NOTE, type ChipDocument } from '../documents.ts';
import { numberGrid } from '../grid-names.ts';
import type { Entity, Naming } from './entities.ts';

/** The `source` of a chip created only from tables. */
const MADE_OF_TABLES = 'csv';

/** Which chip, and whether it may be made. */
export type ChipRequest = {
  readonly projectId: string;
  readonly chipId: string;
  /** Make it with the qubits that the table names, or let them join those that earlier tables named. */
  readonly create: boolean;
  /** Make it with this many qubits, counted from 0; null: as stored. */
  readonly size: number | null;
};

/** A chip as far as a table has to fit to it. */
export type TargetChip = {
  /** It names its qubits by row and column. */
  readonly isGrid: boolean;
  /** Reads the places of a table, named in its way, as those of the chip. `named`: those on a grid. */
  placesFor(named: Iterable<string>, naming: Naming): Places;
  /** Qubits that it has whether or not the table lists them; those of a stored chip are there already. */
  readonly newQids: readonly string[];
  /** The chip after values of these qubits from this time were added. */
  documentWith(qids: ReadonlySet<string>, layout: ChipDocument['layout'], from: Date, to: Date): ChipDocument;
};

/** Where the values of a table belong. */
export type Places = {
  /** The place as stored, or the error for one that the chip lacks. */
  of(named: Entity): Entity | string;
  readonly layout: ChipDocument['layout'];
};

/**
 * @throws NotFoundError for a missing chip that must not be created; InvalidInputError for a size that does
 * not match.
 */
export async function findTargetChip(writer: CalibrationWriter, request: ChipRequest): Promise<TargetChip> {
  const { projectId, chipId, create, size } = request;
  const stored = await writer.chipOf(projectId, chipId);
  if (stored === null && size === null && !create) {
    const others = (await writer.chipIdsOf(projectId)).toSorted().join(', ') || 'none yet';
    throw new NotFoundError(
      `there is no chip ${chipId} in project ${projectId} (existing: ${others}); pass --create to create it from the qubits in the table, or --size N for qubits 0 to N - 1`,
    );
  }
  if (stored !== null && size !== null && stored.chip.size !== size) {
    const message = `chip ${chipId} has ${stored.chip.size} qubits, not ${size}: leave out --size`;
    throw InvalidInputError.at([], message);
  }
  const newQids = size === null ? [] : Array.from({ length: size }, (_, index) => String(index));
  const qids = new Set([...(stored?.qids ?? []), ...newQids]);
  const isGrowing = create && size === null && (stored === null || stored.chip.source === MADE_OF_TABLES);
  const chip = stored?.chip ?? null;
  const layout = chip?.layout ?? null;
  const isGrid = Object.values(layout ?? {}).some(({ name }) => name !== undefined);
  const issueOf = (entity: Entity): string | null =>
    isGrowing ? null : placeIssue(entity, chipId, qids, stored?.couplingIds ?? new Set());
  return {
    isGrid,
    newQids,
    placesFor(named, naming) {
      if (naming === 'numbers') return { of: (entity) => issueOf(entity) ?? entity, layout };
      if (qids.size > 0 && !isGrid) {
        const issue = `chip ${chipId} counts its qubits: it has none by row and column`;
        return { of: () => issue, layout };
      }
      const names = isGrowing ? [...named].flatMap((qid) => couplingEnds(qid) ?? [qid]) : [];
      const numbers = numberGrid(names, layout);
      return {
        of(entity) {
          const qid = numbers.qidOf(entity.qid);
          if (qid === null) return `chip ${chipId} has no qubit at ${entity.qid.replace('-', ' or ')}`;
          return issueOf({ ...entity, qid }) ?? { ...entity, qid };
        },
        layout: numbers.layout,
      };
    },
    documentWith: (places, placed, from, to) =>
      chip !== null && chip.source !== MADE_OF_TABLES
        ? chip
        : chipOfTables(request, chip, { size: new Set([...qids, ...places]).size, layout: placed, from, to }),
  };
}

/** A pair that is not among the couplings of a chip that has some is a mistake; either direction may be measured. */
function placeIssue(
  { qid, kind }: Entity,
  chipId: string,
  qids: ReadonlySet<string>,
  couplingIds: ReadonlySet<string>,
): string | null {
  const missing = (couplingEnds(qid) ?? [qid]).find((end) => !qids.has(end));
  if (missing !== undefined) {
    const sorted = [...qids].toSorted(compareQids);
    return `chip ${chipId} has no qubit ${missing}; it has ${sorted.length}, from ${sorted[0]} to ${sorted.at(-1)}`;
  }
  if (kind === 'qubit' || couplingIds.size === 0) return null;
  return couplingIds.has(qid) || couplingIds.has(twinOf(qid))
    ? null
    : `chip ${chipId} has no coupling between ${qid.replace('-', ' and ')}`;
}

/** The same chip in whatever order its tables came. */
function chipOfTables(
  { projectId, chipId }: ChipRequest,
  stored: ChipDocument | null,
  {
    size,
    layout,
    from,
    to,
  }: { readonly size: number; readonly from: Date; readonly to: Date } & Pick<ChipDocument, 'layout'>,
): ChipDocument {
  const times = stored === null ? [from, to] : [from, to, ...Object.values(stored.system_info)];
  const inOrder = times.toSorted((a, b) => a.getTime() - b.getTime());
  const [created_at, updated_at] = [inOrder[0] ?? from, inOrder.at(-1) ?? to];
  return {
    _id: documentId('chip', projectId, chipId),
    project_id: projectId,
    username: IMPORT_USERNAME,
    chip_id: chipId,
    size,
    topology_id: null,
    layout,
    source: MADE_OF_TABLES,
    installed_at: created_at,
    activity_status: 'active',
    current_cooldown_id: null,
    note: stored?.note ?? NO_NOTE,
    system_info: { created_at, updated_at },
  };
}
