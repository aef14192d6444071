import { Skeleton, Text } from '@mantine/core';
import { useMemo } from 'react';
import { Plot } from '../../components/chart/plot.tsx';
import { LoadError } from '../../components/load-error.tsx';
import { Panel } from '../../components/panel.tsx';
import { QubitLineageDocument } from '../../gql/graphql.ts';
import { useFormat, useWords } from '../../lib/i18n/i18n.tsx';
import { useOpenRecord } from '../../lib/use-open-record.ts';
import { useChipQuery } from '../chips/chip-updates.tsx';
import { lineageFigure } from './lineage-figure.ts';

type LineagePanelProps = { readonly chipId: string; readonly qid: string; readonly parameter: string };

/** What the newest version of a parameter was made from. */
export function LineagePanel({ chipId, qid, parameter }: LineagePanelProps) {
  const { qubit } = useWords();
  const format = useFormat();
  const openRecord = useOpenRecord();
  const { data, error, retry } = useChipQuery({
    query: QubitLineageDocument,
    variables: { chipId, qid, parameter },
  });
  const version = data?.qubit?.lineage[0];
  const figure = useMemo(() => version && lineageFigure(version.provenance), [version]);
  return (
    <Panel
      title={qubit.lineage}
      aside={
        version && (
          <Text size="xs" c="dimmed">
            {qubit.versionOf(version.version, version.taskName, format.time(version.validFrom))}
          </Text>
        )
      }
    >
      {figure ? (
        <Plot chart={figure} label={qubit.lineage} expectedHeightPx={140} onPoint={openRecord} />
      ) : data ? (
        <Text c="dimmed">{qubit.noLineage}</Text>
      ) : error ? (
        <LoadError error={error} onRetry={retry} />
      ) : (
        <Skeleton height={140} />
      )}
      {version?.provenance.hasMore && (
        <Text size="xs" c="dimmed">
          {qubit.lineageGoesOn}
        </Text>
      )}
    </Panel>
  );
}
