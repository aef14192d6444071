/**
 * Grounding: where each number of an answer comes from. Everything here is pure: text and recorded tool results in,
 * numbers with their sources out. It must not know who asks, how results are stored, or what a model is.
 */

/**
 * `SOURCED`: appears in a tool result or in the catalogue, in any unit, within its shown rounding. `DERIVED`:
 * follows from such numbers by one step of arithmetic. `FROM_USER`: the user wrote it. `UNSOURCED`: none of
 * these.
 */
export const GROUNDING_STATUSES = ['SOURCED', 'DERIVED', 'FROM_USER', 'UNSOURCED'] as const;
export type GroundingStatus = (typeof GROUNDING_STATUSES)[number];

/** A number, date or time of an answer and its source. */
export type GroundedNumber = {
  /** As written, without its unit: `59.50`, `−0.304`, `1.5 × 10⁻⁵`, `2026-05-19 23:22 UTC`. */
  readonly text: string;
  /** UTF-16 code units of the answer before it. */
  readonly offset: number;
  readonly status: GroundingStatus;
  /**
   * The tool call whose result holds it; null for the user's words, for the catalogue's thresholds and without a
   * source.
   */
  readonly callId: string | null;
  /** The task result, else the entity, else the execution that it was read from; null where the result names none. */
  readonly recordId: string | null;
  /** Unit in which it is written; null for counts, dates and numbers without one. */
  readonly unit: string | null;
  /** When it was measured; of figures over several records the oldest of them. */
  readonly measuredAt: Date | null;
};
