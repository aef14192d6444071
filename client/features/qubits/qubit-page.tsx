import { Anchor, Button, Container, Grid, Group, Stack, Text, Title } from '@mantine/core';
import { IconMessageQuestion } from '@tabler/icons-react';
import { Link, useParams, useSearchParams } from 'react-router';
import { PageLoadError } from '../../components/load-error.tsx';
import { NotesPanel } from '../../components/notes-panel.tsx';
import { PageGrid } from '../../components/page-grid.tsx';
import { PageSkeleton } from '../../components/page-skeleton.tsx';
import { PageTitle } from '../../components/page-title.tsx';
import {
  MetricCatalogueDocument,
  QubitOverviewDocument,
  type MetricOfCatalogueFragment,
  type QubitOverviewQuery,
} from '../../gql/graphql.ts';
import { isNotFound } from '../../lib/graphql/not-found.ts';
import { useKeptQuery } from '../../lib/graphql/use-kept-query.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { useSubjectOfPage } from '../../lib/page-subject.tsx';
import { useAsk } from '../../lib/use-ask.ts';
import { ChipUpdates, useChipQuery } from '../chips/chip-updates.tsx';
import { HistoryPanel } from './history-panel.tsx';
import { LineagePanel } from './lineage-panel.tsx';
import { NeighboursPanel } from './neighbours.tsx';
import { ParametersPanel } from './parameters-panel.tsx';
import { TaskResultsPanel } from './task-results-panel.tsx';

type Qubit = NonNullable<QubitOverviewQuery['qubit']>;

/** Everything about one qubit: `/chips/:chipId/qubits/:qid`. */
export function QubitPage() {
  const { chipId = '', qid = '' } = useParams();
  return (
    <ChipUpdates key={`${chipId} ${qid}`} chipId={chipId}>
      <QubitParts chipId={chipId} qid={qid} />
    </ChipUpdates>
  );
}

function QubitParts({ chipId, qid }: { readonly chipId: string; readonly qid: string }) {
  const { qubit: words } = useWords();
  useSubjectOfPage({ chipId, qid });
  const [query, setQuery] = useSearchParams();
  const [catalogue, readCatalogue] = useKeptQuery({ query: MetricCatalogueDocument });
  const { data, error, retry } = useChipQuery({ query: QubitOverviewDocument, variables: { chipId, qid } });
  const qubit = data?.qubit;
  if (isNotFound(error)) return <UnknownQubit chipId={chipId} qid={qid} />;
  const failure = (!qubit && error) || (!catalogue.data && catalogue.error);
  if (failure) {
    const again = (): void => {
      retry();
      readCatalogue({ requestPolicy: 'network-only' });
    };
    return <PageLoadError title={chipId} error={failure} onRetry={again} />;
  }
  if (!qubit || !catalogue.data) return <PageSkeleton title={`${qid} · ${chipId}`} />;
  const metrics = catalogue.data.metrics.filter(({ scope }) => scope === 'QUBIT');
  const parameter = shownParameter(qubit, metrics, query.get('parameter'));
  const where = { chipId, qid: qubit.qid };
  return (
    <Stack p="md" gap="sm">
      <PageTitle>{`${qubit.label} · ${chipId}`}</PageTitle>
      <QubitHeader chipId={chipId} qubit={qubit} />
      <PageGrid>
        <Grid.Col span={{ base: 12, lg: 6 }}>
          <ParametersPanel
            parameters={qubit.parameters}
            chosen={parameter}
            onChoose={(name) => setQuery({ parameter: name }, { replace: true, preventScrollReset: true })}
          />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 6 }}>
          <Stack gap="sm" h="100%">
            {parameter !== null && <HistoryPanel {...where} parameter={parameter} metrics={metrics} />}
            {parameter !== null && <LineagePanel {...where} parameter={parameter} />}
          </Stack>
        </Grid.Col>
        <Grid.Col span={12}>
          <TaskResultsPanel {...where} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <NeighboursPanel chipId={chipId} qubit={qubit} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <NotesPanel title={words.notes} notes={qubit.chip.humanNotes} empty={words.noNotes} />
        </Grid.Col>
      </PageGrid>
    </Stack>
  );
}

/** The parameter that the address names if the qubit has it, else the one that the chip page begins with. */
function shownParameter(
  { parameters }: Qubit,
  metrics: readonly MetricOfCatalogueFragment[],
  named: string | null,
): string | null {
  const found =
    parameters.find(({ name }) => name === named) ??
    parameters.find(({ name }) => metrics.some((metric) => metric.name === name && isQuality(metric))) ??
    parameters[0];
  return found?.name ?? null;
}

/** Of what more is better, which is what one looks at first. */
const isQuality = ({ direction }: MetricOfCatalogueFragment): boolean => direction === 'HIGHER_IS_BETTER';

function QubitHeader({ chipId, qubit: { label } }: { readonly chipId: string; readonly qubit: Qubit }) {
  const { qubit } = useWords();
  const ask = useAsk();
  return (
    <Group justify="space-between">
      <Group gap="xs" align="baseline">
        <Anchor component={Link} to={`/chips/${encodeURIComponent(chipId)}`} size="sm">
          {chipId}
        </Anchor>
        <Text span c="dimmed" aria-hidden="true">
          /
        </Text>
        <Title order={1}>{label}</Title>
      </Group>
      <Button
        size="xs"
        variant="light"
        leftSection={<IconMessageQuestion size={16} />}
        onClick={() => ask(qubit.askDraft(label))}
      >
        {qubit.ask}
      </Button>
    </Group>
  );
}

/** Stands where an address names a qubit that the chip does not have. */
function UnknownQubit({ chipId, qid }: { readonly chipId: string; readonly qid: string }) {
  const { qubit } = useWords();
  return (
    <Container size="sm" py="xl">
      <PageTitle>{qubit.unknown(qid, chipId)}</PageTitle>
      <Stack align="flex-start">
        <Title order={1}>{qubit.unknown(qid, chipId)}</Title>
        <Button component={Link} to={`/chips/${encodeURIComponent(chipId)}`}>
          {qubit.toChip(chipId)}
        </Button>
      </Stack>
    </Container>
  );
}
