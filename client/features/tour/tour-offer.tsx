import { Button, CloseButton, Group } from '@mantine/core';
import { useState } from 'react';
import { useQuery } from 'urql';
import { TourViewerDocument } from '../../gql/graphql.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { hasSeenTour, rememberTour } from './seen-tour.ts';

/** Offers the tour to who has neither taken nor declined it. */
export function TourOffer({ isTaken, onTake }: { readonly isTaken: boolean; readonly onTake: () => void }) {
  const { tour } = useWords();
  const [{ data }] = useQuery({ query: TourViewerDocument });
  const [isDeclined, setDeclined] = useState(false);
  const personId = data?.viewer.id;
  if (personId === undefined || isDeclined || isTaken || hasSeenTour(personId)) return null;
  const remember = (): void => rememberTour(personId);
  return (
    <Group gap={2} wrap="nowrap" visibleFrom="md">
      <Button
        size="compact-sm"
        variant="light"
        onClick={() => {
          remember();
          onTake();
        }}
      >
        {tour.offer}
      </Button>
      <CloseButton
        size="sm"
        aria-label={tour.decline}
        onClick={() => {
          remember();
          setDeclined(true);
        }}
      />
    </Group>
  );
}
