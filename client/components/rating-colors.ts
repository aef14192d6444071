import type { Rating } from '../gql/graphql.ts';

/** Colours of ratings: distinguishable for colour-blind readers, and always shown with the word. */
export const RATING_COLORS: Readonly<Record<Rating, string>> = {
  EXCELLENT: '#0ca678',
  GOOD: '#4c6ef5',
  FAIR: '#f08c00',
  BAD: '#e03131',
  UNKNOWN: '#868e96',
};
