/**
 * What fields cost that read the database, beside the fields under them. The unit is the time that a plain field takes
 * (about 2 μs), for a chip of 64 qubits. Aliases count each: only equal ones share their read.
 */

/** One row, or one of many that are read together. */
const ROW_READ = 20;
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

type LastN = { readonly lastN?: number | null | undefined };

/** `complexity` of a history of named parts, or of the whole chip. */
export const historyCost = ({ lastN, parts }: LastN & { readonly parts: readonly unknown[] | null }) =>
  parts?.length ? PAGE_READ + parts.length * (lastN ?? LAST_N) : RESULTS_READ + PARTS * (lastN ?? LAST_N);

/** `complexity` of a history of one part: a page, if it is asked for alone, but those of many parts are read together. */
export const partHistoryCost = ({ lastN }: LastN) => ROW_READ + (lastN ?? LAST_N);

/** `complexity` of a list of `lastN` rows of one part. */
export const lastRowsCost = ({ lastN }: LastN) => ({ field: ROW_READ, multiplier: lastN ?? LAST_N });
