import type { Rating } from '../gql/graphql.ts';
import { useWords } from '../lib/i18n/i18n.tsx';
import { RATING_COLORS } from './rating-colors.ts';
import classes from './rated-value.module.css';

type RatedValueProps = {
  readonly text: string;
  readonly rating: Rating | null;
  readonly isStale?: boolean;
};

/**
 * A value with the mark of its rating; faint and labelled if it is stale. Tables show hundreds of them at once, so
 * its elements are plain ones and the hint is the browser's own.
 */
export function RatedValue({ text, rating, isStale = false }: RatedValueProps) {
  const { common } = useWords();
  const remarks = [
    ...(rating === null || rating === 'UNKNOWN' ? [] : [common.ratings[rating]]),
    ...(isStale ? [common.staleHint] : []),
  ];
  const hint = remarks.length === 0 ? undefined : remarks.join(' · ');
  return (
    <span className={classes['value']} title={hint} data-stale={isStale}>
      <span>{text}</span>
      <RatingMark rating={rating} />
      {remarks.length > 0 && <span className={classes['remarks']}>{remarks.join('. ')}</span>}
    </span>
  );
}

/** The mark alone, for places that already show the rating in words. */
export function RatingMark({ rating }: { readonly rating: Rating | null }) {
  const isRated = rating !== null && rating !== 'UNKNOWN';
  return (
    <span
      aria-hidden="true"
      className={classes['mark']}
      style={{ background: isRated ? RATING_COLORS[rating] : 'transparent' }}
    />
  );
}
