import { Anchor, Grid, Group, Stack, Text } from '@mantine/core';
import { Link, useParams, useSearchParams } from 'react-router';
import { PageLoadError } from '../../components/load-error.tsx';
import { NotesPanel } from '../../components/notes-panel.tsx';
import { PageGrid } from '../../components/page-grid.tsx';
import { PageSkeleton } from '../../components/page-skeleton.tsx';
import { PageTitle } from '../../components/page-title.tsx';
import { useSetPart } from '../../components/time-range/use-times-of-page.ts';
import { Panel } from '../../components/panel.tsx';
import {
  CouplingOverviewDocument,
  MetricCatalogueDocument,
  type EndOfCouplingFragment,
} from '../../gql/graphql.ts';
import { isNotFound } from '../../lib/graphql/not-found.ts';
import { useKeptQuery } from '../../lib/graphql/use-kept-query.ts';
import { useI18n } from '../../lib/i18n/i18n.tsx';
import { useTitledMetrics } from '../../lib/i18n/use-server-names.ts';
import { useSubjectOfPage } from '../../lib/page-subject.tsx';
import { partPath } from '../../lib/part-path.ts';
import { ChipUpdates, useChipQuery } from '../chips/chip-updates.tsx';
import { CouplingHistoryPanel } from './history-panel.tsx';
import { RatedValues } from './rated-values.tsx';
import { ParametersPanel, shownParameter } from './parameters-panel.tsx';
import { PartHeader, UnknownPart } from './part-header.tsx';
import { TaskResultsPanel } from './task-results-panel.tsx';

/** Everything about one coupling: `/chips/:chipId/couplings/:pair`. */
export function CouplingPage() {
  const { chipId = '', pair = '' } = useParams();
  return (
    <ChipUpdates key={`${chipId} ${pair}`} chipId={chipId}>
      <CouplingParts chipId={chipId} pair={pair} />
    </ChipUpdates>
  );
}

function CouplingParts({ chipId, pair }: { readonly chipId: string; readonly pair: string }) {
  const { words, format } = useI18n();
  useSubjectOfPage({ chipId });
  const [query] = useSearchParams();
  const setPart = useSetPart();
  const [catalogue, readCatalogue] = useKeptQuery({ query: MetricCatalogueDocument });
  const titled = useTitledMetrics(catalogue.data?.metrics);
  const { data, error, retry } = useChipQuery({
    query: CouplingOverviewDocument,
    variables: { chipId, pair },
  });
  const coupling = data?.coupling;
  if (isNotFound(error)) return <UnknownPart chipId={chipId} title={words.coupling.unknown(pair, chipId)} />;
  const failure = (!coupling && error) || (!catalogue.data && catalogue.error);
  if (failure) {
    const again = (): void => {
      retry();
      readCatalogue({ requestPolicy: 'network-only' });
    };
    return <PageLoadError title={chipId} error={failure} onRetry={again} />;
  }
  if (!coupling || !catalogue.data) return <PageSkeleton title={`${pair} · ${chipId}`} />;
  const { couplingId, control, target, lastSeenAt, parameters } = coupling;
  const label = `${control.label}-${target.label}`;
  const metrics = (titled ?? []).filter(({ scope }) => scope === 'COUPLING');
  const parameter = shownParameter(parameters, metrics, query.get('parameter'));
  return (
    <Stack p="md" gap="sm">
      <PageTitle>{`${label} · ${chipId}`}</PageTitle>
      <PartHeader chipId={chipId} label={label} />
      {lastSeenAt !== null && (
        <Text size="sm" c="dimmed">
          {words.qubit.pastCoupling(format.time(lastSeenAt))}
        </Text>
      )}
      <PageGrid>
        <Grid.Col span={{ base: 12, lg: 6 }}>
          <Stack gap="sm" h="100%">
            <ParametersPanel
              parameters={parameters}
              none={words.coupling.noParameters}
              chosen={parameter}
              onChoose={(name) => setPart('parameter', name)}
            />
            <Ends chipId={chipId} ends={[control, target]} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 6 }}>
          <Stack gap="sm" h="100%">
            {parameter !== null && (
              <CouplingHistoryPanel {...{ chipId, pair: couplingId, label, parameter, metrics }} />
            )}
            <NotesPanel
              title={words.qubit.notes}
              notes={coupling.chip.humanNotes}
              empty={words.coupling.noNotes}
            />
          </Stack>
        </Grid.Col>
        <Grid.Col span={12}>
          <TaskResultsPanel chipId={chipId} qid={couplingId} />
        </Grid.Col>
      </PageGrid>
    </Stack>
  );
}

type EndsProps = { readonly chipId: string; readonly ends: readonly EndOfCouplingFragment[] };

/** The two qubits, the driven one first, with those of their values that are rated. */
function Ends({ chipId, ends }: EndsProps) {
  const { coupling } = useI18n().words;
  return (
    <Panel title={coupling.ends}>
      <Stack gap={6}>
        {ends.map(({ id, qid, label, parameters }, index) => (
          <Group key={id} gap="md" wrap="nowrap" align="baseline">
            <Anchor component={Link} to={partPath(chipId, qid)} size="sm" fw={600} flex="none">
              {label}
            </Anchor>
            <Text size="xs" c="dimmed" flex="none">
              {index === 0 ? coupling.control : coupling.target}
            </Text>
            <RatedValues
              parameters={parameters.filter(({ rating }) => rating !== null && rating !== 'UNKNOWN')}
            />
          </Group>
        ))}
      </Stack>
    </Panel>
  );
}
