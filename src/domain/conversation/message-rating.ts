/** What was right or wrong about an answer. */
export const RATING_KINDS = [
  'CORRECT',
  'WRONG_NUMBERS',
  'OUTDATED',
  'INCOMPLETE',
  'UNCLEAR',
  'OTHER',
] as const;
/** One of {@link RATING_KINDS}. */
export type RatingKind = (typeof RATING_KINDS)[number];

/**
 * What a user thinks of an answer. It is for people who improve QPilot: no model is ever shown it, neither as an example
 * nor as history.
 */
export type MessageRating = {
  /** 1 (bad) to 5 (good). */
  readonly rating: number;
  readonly kind: RatingKind | null;
  readonly comment: string | null;
  readonly correctedAnswer: string | null;
  readonly ratedAt: Date;
};
