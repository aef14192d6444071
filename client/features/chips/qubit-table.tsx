import { Anchor, Checkbox, Skeleton, Text } from '@mantine/core';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { DataTable, type Column } from '../../components/data-table/data-table.tsx';
import { LoadError } from '../../components/load-error.tsx';
import { Panel } from '../../components/panel.tsx';
import { RatedValue } from '../../components/rated-value.tsx';
import { ChipTableDocument, type ChipTableQuery, type MetricOfCatalogueFragment } from '../../gql/graphql.ts';
import { quantityText } from '../../lib/format/quantity.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { PinButton } from '../pins/pin-button.tsx';
import { summaryRead } from '../pins/reads.ts';
import classes from './chip.module.css';
import { useChipQuery } from './chip-updates.tsx';

type QubitRow = NonNullable<ChipTableQuery['chip']>['qubits'][number];

/** Metrics that the table has columns for; more do not fit a screen, and each is a cell of each of 1,000 qubits. */
const MAX_METRICS = 10;

type QubitTableProps = {
  readonly chipId: string;
  readonly metrics: readonly MetricOfCatalogueFragment[];
  readonly picked: readonly string[];
  readonly onPick: (qid: string) => void;
};

/** Current values of all qubits with their ratings. */
export function QubitTable({ chipId, metrics, picked, onPick }: QubitTableProps) {
  const { chip } = useWords();
  const shown = useMemo(() => metrics.slice(0, MAX_METRICS), [metrics]);
  const { data, error, retry } = useChipQuery({
    query: ChipTableDocument,
    variables: { chipId, names: shown.map(({ name }) => name) },
  });
  const columns = useMemo(
    () => [labelColumn(chipId, chip.qubit), ...shown.map(metricColumn)],
    [chipId, chip, shown],
  );
  const rows = data?.chip?.qubits;
  return (
    <Panel title={chip.allQubits} aside={<PinButton title={chip.allQubits} pinned={summaryRead(chipId)} />}>
      {error && !rows ? (
        <LoadError error={error} onRetry={retry} />
      ) : !rows ? (
        <Skeleton height={480} />
      ) : rows.length === 0 ? (
        <Text c="dimmed">{chip.noQubits}</Text>
      ) : (
        <DataTable
          label={`${chipId} ${chip.allQubits}`}
          lead={pickColumn({ heading: chip.pick, label: chip.pickQubit, picked, onPick })}
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id}
        />
      )}
    </Panel>
  );
}

const labelColumn = (chipId: string, heading: string): Column<QubitRow> => ({
  key: 'label',
  heading,
  value: ({ label }) => label,
  cell: ({ qid, label }) => (
    <Anchor component={Link} to={`/chips/${encodeURIComponent(chipId)}/qubits/${qid}`} size="xs" fw={600}>
      {label}
    </Anchor>
  ),
});

type PickColumn = Pick<QubitTableProps, 'picked' | 'onPick'> & {
  readonly heading: string;
  readonly label: (qubit: string) => string;
};

const pickColumn = ({ heading, label: nameOf, picked, onPick }: PickColumn): Column<QubitRow> => ({
  key: 'picked',
  heading,
  value: ({ qid }) => (picked.includes(qid) ? 1 : 0),
  cell: ({ qid, label }) => (
    <Checkbox
      size="xs"
      aria-label={nameOf(label)}
      checked={picked.includes(qid)}
      onChange={() => onPick(qid)}
    />
  ),
});

function metricColumn({ name, title, unit }: MetricOfCatalogueFragment): Column<QubitRow> {
  const valueOf = ({ parameters }: QubitRow) => parameters.find((parameter) => parameter.name === name);
  return {
    key: name,
    heading: unit === '' ? title : `${title} (${unit})`,
    isNumber: true,
    value: (row) => valueOf(row)?.displayValue ?? null,
    cell: (row) => {
      const found = valueOf(row);
      if (found === undefined || found.displayValue === null)
        return <span className={classes['noValue']}>—</span>;
      const text = quantityText(found.displayValue, unit).replace(unit, '').trim();
      return <RatedValue text={text} rating={found.rating} isStale={found.isStale} />;
    },
  };
}
