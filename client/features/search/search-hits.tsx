import { Anchor, Badge, Group, Mark, Skeleton, Text, Title } from '@mantine/core';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { useQuery } from 'urql';
import { Age } from '../../components/age.tsx';
import { LoadError } from '../../components/load-error.tsx';
import { MoreRows } from '../../components/more-rows.tsx';
import {
  SearchDocument,
  SearchRecordsDocument,
  type SearchFoundFragment,
  type SearchQuery,
} from '../../gql/graphql.ts';
import { usePages } from '../../lib/graphql/use-pages.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import classes from './search.module.css';
import { filterOf, hitPath, markedPieces, readSearch } from './search-view.ts';

const foundOf = ({ search }: SearchQuery) => ({
  ...search,
  nodes: search.nodes.map((hit) => ({ ...hit, isCut: search.isCut })),
});

/** `address`: the view as the query of the page's address. */
function useVariables(address: string) {
  return useMemo(() => {
    const view = readSearch(new URLSearchParams(address));
    return { text: view.text, filter: filterOf(view) };
  }, [address]);
}

/** What was found in conversations, jobs and comments, closest first. */
export function OwnHits({ address }: { readonly address: string }) {
  const { search } = useWords();
  const variables = useVariables(address);
  const list = usePages({ query: SearchDocument, variables, connectionOf: foundOf });
  const { rows, error, again } = list;
  return (
    <section aria-label={search.here}>
      <Title order={2} size="h4" mb="xs">
        {search.here}
      </Title>
      {rows === null ? (
        error ? (
          <LoadError error={error} onRetry={again} />
        ) : (
          <Skeleton h={200} />
        )
      ) : (
        <>
          <Text size="sm" c="dimmed" role="status">
            {rows.length === 0 ? search.nothing : search.found(rows.length, list.hasMore)}
          </Text>
          {rows[0]?.isCut === true && (
            <Text size="sm" c="dimmed">
              {search.isCut}
            </Text>
          )}
          <ul className={classes['hits']}>
            {rows.map((hit) => (
              <HitRow key={hit.kind + hit.key} hit={hit} />
            ))}
            <MoreRows list={list} />
          </ul>
        </>
      )}
    </section>
  );
}

/** What was found in the database of the lab, newest first. */
export function LabHits({ address }: { readonly address: string }) {
  const { search } = useWords();
  const [{ data, error }, again] = useQuery({
    query: SearchRecordsDocument,
    variables: useVariables(address),
  });
  const found = data?.searchRecords;
  return (
    <section aria-label={search.lab}>
      <Title order={2} size="h4" mb="xs">
        {search.lab}
      </Title>
      {error && !found && (
        <LoadError error={error} onRetry={() => again({ requestPolicy: 'network-only' })} />
      )}
      {!found && !error && <Skeleton h={120} />}
      {found && (
        <>
          <Text size="sm" c="dimmed" role="status">
            {found.hits.length === 0 ? search.nothing : search.found(found.hits.length, false)}{' '}
            {search.lookedAt(found.resultsOfChip)}
            {found.skippedChips > 0 && ` ${search.skipped(found.skippedChips)}`}
          </Text>
          <ul className={classes['hits']}>
            {found.hits.map((hit) => (
              <HitRow key={hit.kind + hit.key} hit={hit} />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function HitRow({ hit }: { readonly hit: SearchFoundFragment }) {
  const { search } = useWords();
  const { kind, title, titleMatches, excerpt, matches, chipId, author, at } = hit;
  return (
    <li className={classes['hit']}>
      <Anchor component={Link} to={hitPath(hit)} className={classes['title'] ?? ''} fw={550}>
        <Marked text={title} matches={titleMatches} />
      </Anchor>
      <Group gap={8} mt={2}>
        <Badge size="sm" variant="light" color="gray" tt="none">
          {search.kinds[kind]}
        </Badge>
        <Text size="xs" c="dimmed">
          {[chipId, author].filter(Boolean).join(' · ')}
          {at && (
            <>
              {(chipId ?? author) && ' · '}
              <Age at={at} />
            </>
          )}
        </Text>
      </Group>
      {excerpt !== '' && (
        <Text size="sm" mt={2} className={classes['excerpt'] ?? ''}>
          <Marked text={excerpt} matches={matches} />
        </Text>
      )}
    </li>
  );
}

function Marked({
  text,
  matches,
}: {
  readonly text: string;
  readonly matches: SearchFoundFragment['matches'];
}) {
  return markedPieces(text, matches).map((piece, index) =>
    // The pieces stay in their order.
    piece.isMatch ? <Mark key={index}>{piece.text}</Mark> : <span key={index}>{piece.text}</span>,
  );
}
