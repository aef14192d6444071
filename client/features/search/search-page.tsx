import { Button, Group, MultiSelect, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useQuery } from 'urql';
import { PageTitle } from '../../components/page-title.tsx';
import { SearchChipsDocument, SharingMembersDocument } from '../../gql/graphql.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { LabHits, OwnHits } from './search-hits.tsx';
import { readSearch, SEARCH_KINDS, searchesOf, writeSearch, type SearchView } from './search-view.ts';

/** Finds words in everything that one may read: `/search`. The address has the words and the filters. */
export function SearchPage() {
  const { search } = useWords();
  const [query, setQuery] = useSearchParams();
  const view = readSearch(query);
  const change = (part: Partial<SearchView>): void =>
    setQuery(writeSearch({ ...view, ...part }), { replace: view.text !== '', preventScrollReset: true });
  const { here, lab } = searchesOf(view);
  const address = writeSearch(view).toString();
  return (
    <Stack p="md" gap="md" maw={960} mx="auto">
      <PageTitle>{view.text === '' ? search.title : `${view.text} · ${search.title}`}</PageTitle>
      <Title order={1}>{search.title}</Title>
      <Words key={view.text} text={view.text} onText={(text) => change({ text })} />
      <Filters view={view} onChange={change} />
      {view.text === '' ? (
        <Text size="sm" c="dimmed">
          {search.about}
        </Text>
      ) : (
        <>
          {here && <OwnHits key={`own ${address}`} address={address} />}
          {lab && <LabHits key={`lab ${address}`} address={address} />}
        </>
      )}
    </Stack>
  );
}

function Words({ text, onText }: { readonly text: string; readonly onText: (text: string) => void }) {
  const { search } = useWords();
  const [typed, setTyped] = useState(text);
  useEffect(() => setTyped(text), [text]);
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        onText(typed.trim());
      }}
    >
      <Group gap="xs" wrap="nowrap">
        <TextInput
          flex={1}
          type="search"
          maxLength={200}
          autoFocus={text === ''}
          leftSection={<IconSearch size={16} />}
          aria-label={search.words}
          placeholder={search.hint}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <Button type="submit" variant="default">
          {search.find}
        </Button>
      </Group>
    </form>
  );
}

function Filters({
  view,
  onChange,
}: {
  readonly view: SearchView;
  readonly onChange: (part: Partial<SearchView>) => void;
}) {
  const { search } = useWords();
  const [{ data: chips }] = useQuery({ query: SearchChipsDocument });
  const [{ data: people }] = useQuery({ query: SharingMembersDocument });
  const members = people?.members ?? [];
  const chipIds = new Set([
    ...(chips?.chips ?? []).map(({ chipId }) => chipId),
    ...(view.chipId ? [view.chipId] : []),
  ]);
  return (
    <Group align="flex-end" gap="sm">
      <MultiSelect
        size="xs"
        miw={200}
        clearable
        label={search.kind}
        data={SEARCH_KINDS.map((value) => ({ value, label: search.kinds[value] }))}
        value={[...view.kinds]}
        onChange={(values) => onChange({ kinds: SEARCH_KINDS.filter((kind) => values.includes(kind)) })}
      />
      <Select
        size="xs"
        clearable
        searchable
        label={search.chip}
        data={[...chipIds]}
        value={view.chipId}
        onChange={(chipId) => onChange({ chipId })}
      />
      {(members.length > 1 || view.personId !== null) && (
        <Select
          size="xs"
          clearable
          searchable
          label={search.person}
          data={members.map(({ userId, name }) => ({ value: userId, label: name }))}
          value={view.personId}
          onChange={(personId) => onChange({ personId })}
        />
      )}
      {(['from', 'until'] as const).map((end) => (
        <TextInput
          key={end}
          size="xs"
          type="date"
          label={search[end]}
          value={view[end] ?? ''}
          onChange={({ currentTarget: { value } }) => onChange({ [end]: value || null })}
        />
      ))}
    </Group>
  );
}
