import { Anchor } from '@mantine/core';
import { useMemo } from 'react';
import { DataTable, type Column } from '../../components/data-table/data-table.tsx';
import { Panel } from '../../components/panel.tsx';
import type { MetricOfCatalogueFragment } from '../../gql/graphql.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import type { ComparedMetric } from './compare-model.ts';
import { numberOf, signed } from './numbers.ts';

/** All metrics of both sides by their medians, those that differ most first; one opens it above. */
export function MetricsPanel({
  rows,
  metrics,
  sideNames: [nameA, nameB],
  chosen,
  onMetric,
}: {
  readonly rows: readonly ComparedMetric[];
  readonly metrics: readonly MetricOfCatalogueFragment[];
  readonly sideNames: readonly [string, string];
  readonly chosen: string;
  readonly onMetric: (name: string) => void;
}) {
  const { compare, chip } = useWords();
  const columns = useMemo(() => {
    const of = (name: string) => metrics.find((metric) => metric.name === name);
    const titleOf = ({ name }: ComparedMetric): string => {
      const metric = of(name);
      return metric === undefined
        ? name
        : metric.unit === ''
          ? metric.title
          : `${metric.title} (${metric.unit})`;
    };
    const number = (key: 'a' | 'b', heading: string): Column<ComparedMetric> => ({
      key,
      heading,
      isNumber: true,
      value: (row) => row[key],
      cell: (row) => numberOf(row[key], of(row.name)?.unit ?? ''),
    });
    const all: readonly Column<ComparedMetric>[] = [
      {
        key: 'metric',
        heading: chip.metric,
        value: titleOf,
        cell: (row) => (
          <Anchor component="button" type="button" size="xs" fw={600} onClick={() => onMetric(row.name)}>
            {titleOf(row)}
          </Anchor>
        ),
      },
      number('a', compare.medianOf(`A: ${nameA}`)),
      number('b', compare.medianOf(`B: ${nameB}`)),
      {
        key: 'share',
        heading: compare.share,
        isNumber: true,
        value: ({ share }) => share,
        cell: ({ share }) => (share === null ? '—' : `${signed(share * 100, 2)} %`),
      },
      { key: 'countA', heading: compare.countOf('A'), isNumber: true, value: ({ countA }) => countA },
      { key: 'countB', heading: compare.countOf('B'), isNumber: true, value: ({ countB }) => countB },
    ];
    return all;
  }, [metrics, nameA, nameB, compare, chip, onMetric]);
  return (
    <Panel title={compare.metrics}>
      <DataTable
        label={compare.metrics}
        columns={columns}
        rows={rows}
        rowKey={({ name }) => (name === chosen ? `${name} chosen` : name)}
      />
    </Panel>
  );
}
