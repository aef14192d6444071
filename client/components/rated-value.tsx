import { Box, Text, VisuallyHidden } from '@mantine/core';
import type { Rating } from '../gql/graphql.ts';
import { useWords } from '../lib/i18n/i18n.tsx';
import { RATING_COLORS } from './rating-colors.ts';

type RatedValueProps = {
  readonly text: string;
  readonly rating: Rating | null;
  readonly isStale?: boolean;
};

/**
 * A value with the mark of its rating; faint, and said so, where it is stale. Tables show hundreds of them at once, so the
 * hint is the browser's own.
 */
export function RatedValue({ text, rating, isStale = false }: RatedValueProps) {
  const { common } = useWords();
  const remarks = [
    ...(rating === null || rating === 'UNKNOWN' ? [] : [common.ratings[rating]]),
    ...(isStale ? [common.staleHint] : []),
  ];
  const hint = remarks.length === 0 ? undefined : remarks.join(' · ');
  return (
    <Box component="span" display="inline-flex" title={hint} style={{ alignItems: 'center', gap: 6 }}>
      <Text span inherit fs={isStale ? 'italic' : 'normal'} c={isStale ? 'dimmed' : 'inherit'}>
        {text}
      </Text>
      <RatingMark rating={rating} />
      {remarks.length > 0 && <VisuallyHidden component="span">{remarks.join('. ')}</VisuallyHidden>}
    </Box>
  );
}

/** The mark alone, for places that say the rating in words themselves. */
export function RatingMark({ rating }: { readonly rating: Rating | null }) {
  const isRated = rating !== null && rating !== 'UNKNOWN';
  return (
    <span
      aria-hidden="true"
      style={{
        width: 8,
        height: 8,
        borderRadius: 4,
        flex: 'none',
        background: isRated ? RATING_COLORS[rating] : 'transparent',
      }}
    />
  );
}
