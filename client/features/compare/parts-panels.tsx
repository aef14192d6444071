import { Anchor, Grid, Text } from '@mantine/core';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { Plot } from '../../components/chart/plot.tsx';
import { DataTable, type Column } from '../../components/data-table/data-table.tsx';
import { PageGrid } from '../../components/page-grid.tsx';
import { Panel } from '../../components/panel.tsx';
import type { CompareSideQuery, MetricOfCatalogueFragment } from '../../gql/graphql.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { partPath } from '../../lib/part-path.ts';
import { comparedParts, valuesOf, type ComparedPart } from './compare-model.ts';
import { distributionsFigure } from './distributions-figure.ts';
import { numberOf } from './numbers.ts';

type Parts = NonNullable<CompareSideQuery['chip']>['asOf']['parts'];

/** One metric: both distributions over each other, and each qubit or coupling side by side. */
export function PartsPanels({
  metric,
  sideNames: [nameA, nameB],
  a,
  b,
  chipId,
  counted,
}: {
  readonly metric: MetricOfCatalogueFragment;
  readonly sideNames: readonly [string, string];
  readonly a: Parts;
  readonly b: Parts;
  /** Where names of parts lead. */
  readonly chipId: string;
  readonly counted: string;
}) {
  const { compare, chip } = useWords();
  const { title, unit, name, scope } = metric;
  const rows = useMemo(() => comparedParts(a, b, { name, scope }), [a, b, name, scope]);
  const figure = useMemo(() => {
    const sides = [
      { name: `A: ${nameA}`, values: [...valuesOf(a, scope, name).values()] },
      { name: `B: ${nameB}`, values: [...valuesOf(b, scope, name).values()] },
    ].filter(({ values }) => values.length > 0);
    return sides.length === 0 ? null : distributionsFigure({ title, unit }, sides, counted);
  }, [a, b, name, scope, title, unit, nameA, nameB, counted]);
  const columns = useMemo((): readonly Column<ComparedPart>[] => {
    const heading = (side: string): string => (unit === '' ? side : `${side} (${unit})`);
    return [
      {
        key: 'part',
        heading: counted,
        value: ({ label }) => label,
        cell: ({ partId, label }) => (
          <Anchor component={Link} to={partPath(chipId, partId, name)} size="xs" fw={600}>
            {label}
          </Anchor>
        ),
      },
      {
        key: 'a',
        heading: heading('A'),
        isNumber: true,
        value: (row) => row.a,
        cell: (row) => numberOf(row.a, unit),
      },
      {
        key: 'b',
        heading: heading('B'),
        isNumber: true,
        value: (row) => row.b,
        cell: (row) => numberOf(row.b, unit),
      },
      {
        key: 'difference',
        heading: heading('B − A'),
        isNumber: true,
        value: ({ difference }) => difference,
        cell: ({ difference }) =>
          difference === null
            ? '—'
            : `${difference > 0 ? '+' : difference < 0 ? '−' : ''}${numberOf(Math.abs(difference), unit)}`,
      },
    ];
  }, [unit, counted, chipId]);
  const both = rows.filter(({ difference }) => difference !== null);
  const moved = both.filter(({ difference }) => difference !== 0).length;
  return (
    <PageGrid>
      <Grid.Col span={{ base: 12, lg: 6 }}>
        <Panel title={`${title}: ${chip.distribution}`}>
          {figure === null ? (
            <Text c="dimmed">{compare.nothing}</Text>
          ) : (
            <Plot chart={figure} label={`${title}: A ${nameA}, B ${nameB}`} heightPx={280} />
          )}
        </Panel>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 6 }}>
        <Panel title={`${title}: ${compare.sideBySide}`}>
          <Text size="sm" mb="xs">
            {compare.moved(moved, both.length)}
          </Text>
          <DataTable
            label={`${title} A B`}
            columns={columns}
            rows={rows}
            rowKey={({ partId }) => partId}
            maxHeightPx={240}
          />
        </Panel>
      </Grid.Col>
    </PageGrid>
  );
}
