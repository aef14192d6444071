import { Grid, Stack } from '@mantine/core';
import { useParams, useSearchParams } from 'react-router';
import { PageLoadError } from '../../components/load-error.tsx';
import { NotesPanel } from '../../components/notes-panel.tsx';
import { PageGrid } from '../../components/page-grid.tsx';
import { PageSkeleton } from '../../components/page-skeleton.tsx';
import { PageTitle } from '../../components/page-title.tsx';
import { useSetPart } from '../../components/time-range/use-times-of-page.ts';
import { MetricCatalogueDocument, QubitOverviewDocument } from '../../gql/graphql.ts';
import { isNotFound } from '../../lib/graphql/not-found.ts';
import { useKeptQuery } from '../../lib/graphql/use-kept-query.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { useTitledMetrics } from '../../lib/i18n/use-server-names.ts';
import { useSubjectOfPage } from '../../lib/page-subject.tsx';
import { ChipUpdates, useChipQuery } from '../chips/chip-updates.tsx';
import { QubitHistoryPanel } from './history-panel.tsx';
import { LineagePanel } from './lineage-panel.tsx';
import { NeighboursPanel } from './neighbours.tsx';
import { ParametersPanel, shownParameter } from './parameters-panel.tsx';
import { PartHeader, UnknownPart } from './part-header.tsx';
import { TaskResultsPanel } from './task-results-panel.tsx';

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
  const [query] = useSearchParams();
  const setPart = useSetPart();
  const [catalogue, readCatalogue] = useKeptQuery({ query: MetricCatalogueDocument });
  const titled = useTitledMetrics(catalogue.data?.metrics);
  const { data, error, retry } = useChipQuery({ query: QubitOverviewDocument, variables: { chipId, qid } });
  const qubit = data?.qubit;
  if (isNotFound(error)) return <UnknownPart chipId={chipId} title={words.unknown(qid, chipId)} />;
  const failure = (!qubit && error) || (!catalogue.data && catalogue.error);
  if (failure) {
    const again = (): void => {
      retry();
      readCatalogue({ requestPolicy: 'network-only' });
    };
    return <PageLoadError title={chipId} error={failure} onRetry={again} />;
  }
  if (!qubit || !catalogue.data) return <PageSkeleton title={`${qid} · ${chipId}`} />;
  const metrics = (titled ?? []).filter(({ scope }) => scope === 'QUBIT');
  const parameter = shownParameter(qubit.parameters, metrics, query.get('parameter'));
  const where = { chipId, qid: qubit.qid };
  return (
    <Stack p="md" gap="sm">
      <PageTitle>{`${qubit.label} · ${chipId}`}</PageTitle>
      <PartHeader chipId={chipId} label={qubit.label} />
      <PageGrid>
        <Grid.Col span={{ base: 12, lg: 6 }}>
          <ParametersPanel
            parameters={qubit.parameters}
            none={words.noParameters}
            chosen={parameter}
            onChoose={(name) => setPart('parameter', name)}
          />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 6 }}>
          <Stack gap="sm" h="100%">
            {parameter !== null && (
              <QubitHistoryPanel {...where} label={qubit.label} parameter={parameter} metrics={metrics} />
            )}
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
