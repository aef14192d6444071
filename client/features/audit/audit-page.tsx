import {
  Anchor,
  Checkbox,
  Group,
  MultiSelect,
  Skeleton,
  Stack,
  Table,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useMemo, useState } from 'react';
import { auditExportUrl } from '../../../src/domain/audit/export-url.ts';
import { LoadError } from '../../components/load-error.tsx';
import { MoreRows } from '../../components/more-rows.tsx';
import { PageTitle } from '../../components/page-title.tsx';
import {
  AuditLogDocument,
  AuditViewerDocument,
  type AuditKind,
  type AuditLogQuery,
} from '../../gql/graphql.ts';
import { useKeptQuery } from '../../lib/graphql/use-kept-query.ts';
import { usePages } from '../../lib/graphql/use-pages.ts';
import { useFormat, useWords } from '../../lib/i18n/i18n.tsx';
import { useViewer } from '../sharing/use-viewer.ts';

const PAGE_ROWS = 50;
const logOf = ({ auditLog }: AuditLogQuery) => auditLog;
type Entry = AuditLogQuery['auditLog']['nodes'][number];

/** Which records are shown. Days are those of the browser. */
type Chosen = {
  readonly personId: string;
  readonly kinds: readonly AuditKind[];
  readonly from: string;
  readonly to: string;
  readonly everywhere: boolean;
};
const ALL: Chosen = { personId: '', kinds: [], from: '', to: '', everywhere: false };

/** Who did what in the project: `/settings/audit`. */
export function AuditPage() {
  const { audit } = useWords();
  const [chosen, choose] = useState(ALL);
  const filter = useMemo(() => filterOf(chosen), [chosen]);
  const [{ data }] = useKeptQuery({ query: AuditViewerDocument });
  const projectId = data?.viewer.projectId;
  const viewer = useViewer();
  // Those who may not are told by the list.
  const mayRead = viewer?.role === 'admin' || viewer?.role === 'owner';
  return (
    <Stack p="md" gap="sm" maw={1400} mx="auto">
      <PageTitle>{audit.title}</PageTitle>
      <Group justify="space-between">
        <Title order={1}>{audit.title}</Title>
        {mayRead && projectId !== undefined && (
          <Group gap="sm">
            {(['csv', 'jsonl'] as const).map((format) => (
              <Anchor key={format} size="sm" href={auditExportUrl({ ...filter, projectId, format })} download>
                {format === 'csv' ? audit.exportCsv : audit.exportLines}
              </Anchor>
            ))}
          </Group>
        )}
      </Group>
      <Text size="sm" c="dimmed">
        {audit.about}
      </Text>
      {mayRead && <Filters chosen={chosen} choose={choose} />}
      <Entries filter={filter} onPerson={(personId) => choose({ ...chosen, personId })} />
    </Stack>
  );
}

/** A day ends where the next one begins. */
function filterOf({ personId, kinds, from, to, everywhere }: Chosen) {
  const start = (day: string, plus: number): string | null => {
    const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
    return day === '' ? null : new Date(year, month - 1, date + plus).toISOString();
  };
  return {
    personId: personId.trim() || null,
    kinds: kinds.length > 0 ? [...kinds] : null,
    from: start(from, 0),
    to: start(to, 1),
    everywhere,
  };
}

function Filters({ chosen, choose }: { readonly chosen: Chosen; readonly choose: (to: Chosen) => void }) {
  const { audit } = useWords();
  const kinds = Object.entries(audit.kinds).map(([value, label]) => ({ value: value as AuditKind, label }));
  return (
    <Group align="flex-end" gap="sm">
      <TextInput
        size="xs"
        label={audit.person}
        value={chosen.personId}
        onChange={({ currentTarget }) => choose({ ...chosen, personId: currentTarget.value })}
      />
      <MultiSelect
        size="xs"
        miw={200}
        label={audit.kind}
        data={kinds}
        value={[...chosen.kinds]}
        onChange={(values) =>
          choose({
            ...chosen,
            kinds: kinds.map(({ value }) => value).filter((each) => values.includes(each)),
          })
        }
      />
      {(['from', 'to'] as const).map((end) => (
        <TextInput
          key={end}
          size="xs"
          type="date"
          label={audit[end]}
          value={chosen[end]}
          onChange={({ currentTarget }) => choose({ ...chosen, [end]: currentTarget.value })}
        />
      ))}
      <Checkbox
        size="xs"
        label={audit.everywhere}
        checked={chosen.everywhere}
        onChange={({ currentTarget }) => choose({ ...chosen, everywhere: currentTarget.checked })}
      />
    </Group>
  );
}

function Entries({
  filter,
  onPerson,
}: {
  readonly filter: ReturnType<typeof filterOf>;
  readonly onPerson: (id: string) => void;
}) {
  const { audit } = useWords();
  const variables = useMemo(() => ({ first: PAGE_ROWS, filter }), [filter]);
  const list = usePages({ query: AuditLogDocument, variables, connectionOf: logOf });
  const { rows, error, again } = list;
  if (rows === null) return error ? <LoadError error={error} onRetry={again} /> : <Skeleton h={300} />;
  const { at, who, what, outcome, about, address, project } = audit.columns;
  return (
    <>
      <Table.ScrollContainer
        minWidth={900}
        scrollAreaProps={{ viewportProps: { tabIndex: 0, role: 'region', 'aria-label': audit.title } }}
      >
        <Table verticalSpacing={4} fz="xs" aria-label={audit.title}>
          <Table.Thead>
            <Table.Tr>
              {[at, who, what, outcome, about, address, project].map((title) => (
                <Table.Th key={title} style={ONE_LINE}>
                  {title}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((entry) => (
              <EntryRow key={entry.number} entry={entry} onPerson={onPerson} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {rows.length === 0 && <Text size="sm">{audit.none}</Text>}
      <MoreRows list={list} as="div" />
    </>
  );
}

/** The column that has long texts. */
const ABOUT = 4;
/** Chinese characters may break anywhere, one below the other in a narrow column. */
const ONE_LINE = { whiteSpace: 'nowrap' } as const;

function EntryRow({ entry, onPerson }: { readonly entry: Entry; readonly onPerson: (id: string) => void }) {
  const { audit, common } = useWords();
  const format = useFormat();
  const { personId, personName, keyId, kind, action, outcome, ids } = entry;
  const who = [personName ?? personId ?? audit.nobody, ...(keyId === null ? [] : [audit.byKey])].join(' · ');
  const about = ids.filter(({ name, id }) => name !== 'projectId' || id !== entry.projectId);
  const cells = [
    format.time(entry.at),
    personId === null ? (
      who
    ) : (
      <Anchor
        component="button"
        type="button"
        inherit
        title={audit.onlyOf(personName ?? personId)}
        onClick={() => onPerson(personId)}
      >
        {who}
      </Anchor>
    ),
    `${audit.kinds[kind]}: ${action}`,
    outcome === 'DONE' ? audit.done : outcome,
    about.map(({ name, id }) => `${name} ${id}`).join(', '),
    entry.address ?? common.none,
    entry.projectId ?? common.none,
  ];
  return (
    <Table.Tr>
      {cells.map((cell, index) => (
        // The columns are fixed.
        <Table.Td key={index} {...(index !== ABOUT && { style: ONE_LINE })}>
          {cell}
        </Table.Td>
      ))}
    </Table.Tr>
  );
}
