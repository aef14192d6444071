import type { ListSizes } from '../src/services/calibration/project-sizes.ts';
import type { GraphQLContext } from './context.ts';

/**
 * What fields cost that read the database, beside the fields under them. The unit is the time that two plain fields take,
 * for a chip of 64 qubits. Aliases count each: only equal ones share their read.
 */

/** One row, or one of many that are read together. */
export const ROW_READ = 20;
/** A page of a list, along an index. */
export const PAGE_READ = 200;
/** Current values of a whole chip, and what is computed from them. */
export const VALUES_READ = 2_000;
/** Results of all qubits or couplings of a chip, of one parameter. */
export const RESULTS_READ = 4_000;

/** Assumed number of the qubits or couplings of a chip. */
export const PARTS = 64;
/** Results of each part, unless the client asks for another number. */
const LAST_N = 10;

/** Assumed lengths of lists: generous, so that what they let through needs no closer look. */
const ASSUMED: ListSizes = {
  chips: 10,
  qubits: PARTS,
  couplings: PARTS,
  couplingsOfQubit: 10,
  parametersOfQubit: 10,
  parametersOfCoupling: 10,
};

/** Qubits of the layouts in use have at most so many neighbours. */
export const NEIGHBORS = 4;

/** The lengths by which an operation is costed: the real ones of its project where somebody read them. */
export const sizesFor = ({ sizes = ASSUMED }: Pick<GraphQLContext, 'sizes'>): ListSizes => sizes;

/** `complexity` of a list of current values; `names` are those that the client asks for. */
export const valuesCost =
  (size: 'parametersOfQubit' | 'parametersOfCoupling') =>
  ({ names }: { readonly names?: readonly string[] | null | undefined }, context: GraphQLContext) => ({
    field: 1,
    multiplier: Math.min(sizesFor(context)[size], names?.length ?? Number.POSITIVE_INFINITY),
  });

type LastN = { readonly lastN?: number | null | undefined };

/** `complexity` of a history of named parts, or of the whole chip. */
export const historyCost = ({ lastN, parts }: LastN & { readonly parts: readonly unknown[] | null }) =>
  parts?.length ? PAGE_READ + parts.length * (lastN ?? LAST_N) : RESULTS_READ + PARTS * (lastN ?? LAST_N);

/** `complexity` of a history of one part: a page, if it is asked for alone, but those of many parts are read together. */
export const partHistoryCost = ({ lastN }: LastN) => ROW_READ + (lastN ?? LAST_N);

/** `complexity` of a list of `lastN` rows of one part. */
export const lastRowsCost = ({ lastN }: LastN) => ({ field: ROW_READ, multiplier: lastN ?? LAST_N });
