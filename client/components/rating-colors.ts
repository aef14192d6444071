import type { Rating } from '../gql/graphql.ts';

/** Colours of ratings: told apart by colour-blind people, and never alone, since the word is always there too. */
export const RATING_COLORS: Readonly<Record<Rating, string>> = {
  EXCELLENT: '#0ca678',
  GOOD: '#4c6ef5',
  FAIR: '#f08c00',
  BAD: '#e03131',
  UNKNOWN: '#868e96',
};
