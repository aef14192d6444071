import { ActionIcon, Group, MultiSelect, Select, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconArrowsExchange } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import { PageLoadError, LoadError } from '../../components/load-error.tsx';
import { PageSkeleton } from '../../components/page-skeleton.tsx';
import { PageTitle } from '../../components/page-title.tsx';
import {
  CompareChipsDocument,
  CompareNamesDocument,
  CompareSideDocument,
  type CompareChipsQuery,
} from '../../gql/graphql.ts';
import { useKeptQuery } from '../../lib/graphql/use-kept-query.ts';
import { useI18n } from '../../lib/i18n/i18n.tsx';
import { useTitledMetrics } from '../../lib/i18n/use-server-names.ts';
import { comparedMetrics, type ComparedMetric } from './compare-model.ts';
import {
  readCompareView,
  timeOfSide,
  writeCompareView,
  type CompareView,
  type Side,
} from './compare-view.ts';
import { MetricsPanel } from './metrics-panel.tsx';
import { PartsPanels } from './parts-panels.tsx';
import { QubitsPanel } from './qubits-panel.tsx';
import { SidePicker } from './side-picker.tsx';

/** Two chips, two dates of one, or several qubits beside each other: `/compare`. */
export function ComparePage() {
  const { compare, common } = useI18n().words;
  const [{ data, error }, execute] = useKeptQuery({ query: CompareChipsDocument });
  const again = (): void => execute({ requestPolicy: 'network-only' });
  if (error && !data) return <PageLoadError title={compare.title} error={error} onRetry={again} />;
  if (!data) return <PageSkeleton title={compare.title} />;
  const [first] = data.chips;
  return (
    <Stack p="md" gap="sm">
      <PageTitle>{compare.title}</PageTitle>
      <Title order={1}>{compare.title}</Title>
      {first === undefined ? <Text>{common.none}</Text> : <Comparison data={data} firstId={first.chipId} />}
    </Stack>
  );
}

function Comparison({ data, firstId }: { readonly data: CompareChipsQuery; readonly firstId: string }) {
  const { words, format } = useI18n();
  const { compare, chip: chipWords } = words;
  const [query, setQuery] = useSearchParams();
  const view = useMemo(() => readCompareView(query, firstId), [query, firstId]);
  const change = (changed: Partial<CompareView>): void =>
    setQuery(writeCompareView({ ...view, ...changed }), { replace: true, preventScrollReset: true });
  const metrics = useTitledMetrics(data.metrics);
  // As the server stated it, which refuses what is later: a newer one would ask again for the same.
  const [now] = useState(() => Date.parse(data.viewer.serverTime));
  const inScope = useMemo(
    () => metrics?.filter(({ scope }) => scope === view.scope) ?? [],
    [metrics, view.scope],
  );
  const qids = view.scope === 'QUBIT' && view.qubits.length > 0 ? view.qubits : null;
  const names = inScope.map(({ name }) => name);
  const a = useSide(view.a, now, qids, names);
  const b = useSide(view.b, now, qids, names);
  const everyQubit = useMemo(
    () =>
      [...new Map([...(a.parts ?? []), ...(b.parts ?? [])].map(({ partId, label }) => [partId, label]))].map(
        ([value, label]) => ({ value, label }),
      ),
    [a.parts, b.parts],
  );
  const rows = useMemo(
    () => (a.parts && b.parts ? comparedMetrics(a.parts, b.parts, inScope) : null),
    [a.parts, b.parts, inScope],
  );
  const nameOf = (side: Side, at: string): string =>
    `${side.chipId} · ${side.time === null ? compare.now : format.time(at)}`;
  const sideNames = [nameOf(view.a, a.at), nameOf(view.b, b.at)] as const;
  const metric = metricOf(inScope, rows, view.metric);
  const failed = [a, b].find(({ error }) => error !== undefined);
  const chips = data.chips.map(({ chipId }) => chipId);
  const picked = view.qubits.filter((qid) => !everyQubit.some(({ value }) => value === qid));
  return (
    <>
      <Group gap="sm">
        <SidePicker name="A" side={view.a} chips={chips} onSide={(side) => change({ a: side })} />
        <ActionIcon
          variant="default"
          aria-label={compare.swap}
          onClick={() => change({ a: view.b, b: view.a })}
        >
          <IconArrowsExchange size={16} />
        </ActionIcon>
        <SidePicker name="B" side={view.b} chips={chips} onSide={(side) => change({ b: side })} />
        <Select
          aria-label={compare.of}
          size="xs"
          w={140}
          allowDeselect={false}
          data={[
            { value: 'QUBIT', label: compare.qubits },
            { value: 'COUPLING', label: compare.couplings },
          ]}
          value={view.scope}
          onChange={(scope) => change({ scope: scope === 'COUPLING' ? 'COUPLING' : 'QUBIT', metric: null })}
        />
        {view.scope === 'QUBIT' && (
          <MultiSelect
            aria-label={compare.onlyQubits}
            placeholder={view.qubits.length === 0 ? compare.onlyQubits : ''}
            size="xs"
            miw={180}
            searchable
            clearable
            clearButtonProps={{ 'aria-label': compare.allQubits }}
            data={[...everyQubit, ...picked.map((qid) => ({ value: qid, label: qid }))]}
            value={[...view.qubits]}
            onChange={(qubits) => change({ qubits })}
          />
        )}
      </Group>
      {view.a.chipId !== view.b.chipId && (
        <Text size="sm" c="dimmed">
          {compare.byNumber}
        </Text>
      )}
      {failed?.error && <LoadError error={failed.error} onRetry={failed.retry} />}
      {rows === null || !a.parts || !b.parts ? (
        !failed && <Skeleton height={420} />
      ) : rows.length === 0 || metric === undefined ? (
        <Text>{compare.nothing}</Text>
      ) : (
        <div aria-busy={a.isStale || b.isStale}>
          <Stack gap="sm">
            <PartsPanels
              {...{ metric, sideNames, a: a.parts, b: b.parts }}
              chipId={view.b.chipId}
              counted={view.scope === 'QUBIT' ? chipWords.qubitsAxis : compare.couplings}
            />
            {view.qubits.length > 1 && (
              <QubitsPanel {...{ sideNames, metrics: inScope, b: b.parts, qids: view.qubits }} />
            )}
            <MetricsPanel
              {...{ rows, metrics: inScope, sideNames }}
              chosen={metric.name}
              onMetric={(name) => change({ metric: name })}
            />
          </Stack>
        </div>
      )}
    </>
  );
}

/** The chosen metric, else the one whose medians differ most. */
function metricOf<Metric extends { readonly name: string }>(
  metrics: readonly Metric[],
  rows: readonly ComparedMetric[] | null,
  chosen: string | null,
): Metric | undefined {
  const named = (name: string | undefined) => metrics.find((metric) => metric.name === name);
  return named(chosen ?? undefined) ?? named(rows?.[0]?.name);
}

/** Values of one side. */
function useSide(side: Side, now: number, qids: readonly string[] | null, names: readonly string[]) {
  const { chipId } = side;
  const at = timeOfSide(side, now);
  const [known, readKnown] = useKeptQuery({ query: CompareNamesDocument, variables: { chipId } });
  const own = known.data?.chip?.parameterNames;
  const [{ data, error, stale }, execute] = useKeptQuery({
    query: CompareSideDocument,
    variables: {
      chipId,
      at,
      qids: qids && [...qids],
      // A parameter that a chip does not have is refused.
      names: own?.filter((name) => names.includes(name)) ?? [],
    },
    pause: own === undefined,
  });
  return {
    at,
    parts: data?.chip?.asOf.parts ?? null,
    error: data?.chip ? undefined : (known.error ?? error),
    isStale: stale,
    retry: (): void => {
      readKnown({ requestPolicy: 'network-only' });
      execute({ requestPolicy: 'network-only' });
    },
  };
}
