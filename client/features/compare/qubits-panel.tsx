import { useMemo } from 'react';
import { DataTable, type Column } from '../../components/data-table/data-table.tsx';
import { Panel } from '../../components/panel.tsx';
import type { CompareSideQuery, MetricOfCatalogueFragment } from '../../gql/graphql.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { median, valuesOf } from './compare-model.ts';
import { numberOf } from './numbers.ts';

type Parts = NonNullable<CompareSideQuery['chip']>['asOf']['parts'];
type Row = {
  readonly metric: MetricOfCatalogueFragment;
  readonly values: ReadonlyMap<string, number>;
  /** Largest less smallest, as a part of the median. */
  readonly spread: number | null;
};

/** The chosen qubits beside each other on side B, a metric a row, those in which they differ most first. */
export function QubitsPanel({
  metrics,
  b,
  qids,
  sideNames: [, nameB],
}: {
  readonly metrics: readonly MetricOfCatalogueFragment[];
  readonly b: Parts;
  readonly qids: readonly string[];
  readonly sideNames: readonly [string, string];
}) {
  const { compare, chip } = useWords();
  const rows = useMemo(
    () =>
      metrics
        .map((metric): Row => {
          const values = valuesOf(b, 'QUBIT', metric.name);
          const own = qids.flatMap((qid) => values.get(qid) ?? []);
          const middle = median(own);
          const width = Math.max(...own) - Math.min(...own);
          return { metric, values, spread: own.length < 2 || !middle ? null : width / Math.abs(middle) };
        })
        .filter(({ values }) => values.size > 0)
        .toSorted((one, other) => (other.spread ?? -1) - (one.spread ?? -1)),
    [metrics, b, qids],
  );
  const columns = useMemo((): readonly Column<Row>[] => {
    const labels = new Map(b.map(({ partId, label }) => [partId, label]));
    return [
      {
        key: 'metric',
        heading: chip.metric,
        value: ({ metric: { title, unit } }) => (unit === '' ? title : `${title} (${unit})`),
      },
      ...qids.map((qid): Column<Row> => ({
        key: qid,
        heading: labels.get(qid) ?? qid,
        isNumber: true,
        value: ({ values }) => values.get(qid) ?? null,
        cell: ({ values, metric }) => numberOf(values.get(qid) ?? null, metric.unit),
      })),
      {
        key: 'spread',
        heading: compare.spread,
        isNumber: true,
        value: ({ spread }) => spread,
        cell: ({ spread }) => (spread === null ? '—' : `${(spread * 100).toFixed(1)} %`),
      },
    ];
  }, [b, qids, compare, chip]);
  const title = compare.qubitsOf(nameB);
  return (
    <Panel title={title}>
      <DataTable label={title} columns={columns} rows={rows} rowKey={({ metric }) => metric.name} />
    </Panel>
  );
}
