import { useDebouncedValue } from '@mantine/hooks';
import { useMemo } from 'react';
import { useQuery } from 'urql';
import { PaletteChipsDocument, PaletteQubitsDocument, PaletteSessionsDocument } from '../../gql/graphql.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { usePageSubject } from '../../lib/page-subject.tsx';
import { PLACES } from '../../lib/places.ts';
import type { PlaceGroup } from './find-places.ts';

/** Time after a letter of the search in which another one may come. */
const TYPING_MS = 150;

/** Everywhere one can go, as far as it has arrived. */
export type Places = {
  readonly places: readonly PlaceGroup[];
  /** Nothing is still to come for this search. */
  readonly isComplete: boolean;
};

/**
 * Everywhere one can go: pages at once, the rest as it arrives. Qubits are those of the page's chip, else of the first;
 * conversations, of which there may be thousands, the newest with the words of the search in their titles.
 */
export function usePlaces(search: string): Places {
  const { common, compare, imports, jobs, copilot, search: searching } = useWords();
  const subject = usePageSubject();
  const [{ data, fetching: hasMoreChips }] = useQuery({ query: PaletteChipsDocument });
  const [sought] = useDebouncedValue(search.trim(), TYPING_MS);
  const [{ data: found, fetching: hasMoreSessions }] = useQuery({
    query: PaletteSessionsDocument,
    variables: { search: sought },
  });
  const chipId = subject.chipId ?? data?.chips[0]?.chipId ?? null;
  const [{ data: ofChip, fetching: hasMoreQubits }] = useQuery({
    query: PaletteQubitsDocument,
    variables: { chipId: chipId ?? '' },
    pause: chipId === null,
  });
  const places = useMemo(() => {
    const pages = PLACES.map(({ to, name }) => ({ path: to, name: common[name] }));
    const chips = data?.chips.map((chip) => ({ path: chipPath(chip.chipId), name: chip.chipId })) ?? [];
    const qubits =
      ofChip?.chip?.qubits.map(({ qid, label }) => ({
        path: `${chipPath(chipId ?? '')}/qubits/${encodeURIComponent(qid)}`,
        name: label,
      })) ?? [];
    const sessions =
      found?.copilotSessions.nodes.map(({ id, title }) => ({
        path: `/copilot/${encodeURIComponent(id)}`,
        name: title,
      })) ?? [];
    return [
      {
        heading: common.pages,
        places: [
          ...pages,
          { path: '/jobs/new', name: jobs.newJob },
          { path: '/compare', name: compare.title },
          { path: '/search', name: searching.title },
          { path: '/import', name: imports.title },
        ],
      },
      { heading: common.chips, places: chips },
      { heading: common.qubitsOf(chipId ?? ''), places: qubits },
      { heading: copilot.sessions, places: sessions },
    ];
  }, [common, compare, imports, jobs, copilot, searching, data, found, ofChip, chipId]);
  const isComplete = !hasMoreChips && !hasMoreSessions && !hasMoreQubits && sought === search.trim();
  return { places, isComplete };
}

const chipPath = (chipId: string): string => `/chips/${encodeURIComponent(chipId)}`;
