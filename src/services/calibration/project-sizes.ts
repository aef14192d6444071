import { LRUCache } from 'lru-cache';
import type { CalibrationStore, EntityRow } from '../../stores/calibration-store.ts';

/** Lengths of the lists of a project's chips. */
export type ListSizes = {
  readonly chips: number;
  readonly qubits: number;
  /** In both directions. */
  readonly couplings: number;
  readonly couplingsOfQubit: number;
  readonly parametersOfQubit: number;
  readonly parametersOfCoupling: number;
};

/**
 * How much a project holds: means over all chips, whose products are the numbers of everything in the project, and the
 * sizes of each chip that no other one surpasses in all of them, for reads of one chip.
 */
export type ProjectSizes = { readonly all: ListSizes; readonly largest: readonly ListSizes[] };

/** They change with imports; an operation may be costed by those of a minute ago. */
const KEPT = { max: 1_000, ttl: 60_000 };

/** Reads {@link ProjectSizes}, with three commands a minute and project. */
export function createProjectSizes(
  store: Pick<CalibrationStore, 'chips' | 'entities'>,
): (projectId: string) => Promise<ProjectSizes> {
  const kept = new LRUCache<string, ProjectSizes>(KEPT);
  return async (projectId) => {
    const held = kept.get(projectId);
    if (held) return held;
    const chipIds = [...new Set((await store.chips(projectId, null)).map(({ chipId }) => chipId))];
    const scope = { projectId, chipIds };
    const [qubits, couplings] = await Promise.all([
      store.entities('QUBIT', scope),
      store.entities('COUPLING', scope),
    ]);
    const sizes = sizesOf(qubits, couplings);
    kept.set(projectId, sizes);
    return sizes;
  };
}

function sizesOf(qubits: readonly EntityRow[], couplings: readonly EntityRow[]): ProjectSizes {
  const qubitsOf = Map.groupBy(qubits, ({ chipId }) => chipId);
  const couplingsOf = Map.groupBy(couplings, ({ chipId }) => chipId);
  const each = [...qubitsOf].map(([chipId, ofChip]) => meansOf(1, ofChip, couplingsOf.get(chipId) ?? []));
  // Of equal chips the first one counts.
  const isSurpassed = (chip: ListSizes, index: number): boolean =>
    each.some(
      (other, place) => place !== index && covers(other, chip) && (place < index || !covers(chip, other)),
    );
  return {
    all: meansOf(qubitsOf.size, qubits, couplings),
    largest: each.filter((chip, index) => !isSurpassed(chip, index)),
  };
}

const covers = (chip: ListSizes, other: ListSizes): boolean =>
  (Object.keys(chip) as (keyof ListSizes)[]).every((size) => chip[size] >= other[size]);

function meansOf(chips: number, qubits: readonly EntityRow[], couplings: readonly EntityRow[]): ListSizes {
  const per = (count: number, of: number): number => count / Math.max(1, of);
  const parameters = (rows: readonly EntityRow[]): number =>
    rows.reduce((sum, { parameterNames }) => sum + parameterNames.length, 0);
  return {
    chips,
    qubits: per(qubits.length, chips),
    couplings: per(couplings.length, chips),
    couplingsOfQubit: per(2 * couplings.length, qubits.length),
    parametersOfQubit: per(parameters(qubits), qubits.length),
    parametersOfCoupling: per(parameters(couplings), couplings.length),
  };
}
