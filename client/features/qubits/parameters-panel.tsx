import { Text, UnstyledButton } from '@mantine/core';
import { Age } from '../../components/age.tsx';
import { DataTable, type Column } from '../../components/data-table/data-table.tsx';
import { Panel } from '../../components/panel.tsx';
import { RatedValue } from '../../components/rated-value.tsx';
import type { ParameterOfQubitFragment } from '../../gql/graphql.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import type { Words } from '../../lib/i18n/words.ts';
import { displayError, parameterErrorText, parameterText } from './parameter-text.ts';
import classes from './qubit.module.css';

type ParametersPanelProps = {
  readonly parameters: readonly ParameterOfQubitFragment[];
  readonly chosen: string | null;
  readonly onChoose: (name: string) => void;
};

/** Current values with unit, error, age and rating; the name of one chooses it for the history beside it. */
export function ParametersPanel({ parameters, chosen, onChoose }: ParametersPanelProps) {
  const { qubit, common } = useWords();
  const columns = [nameColumn(qubit, chosen, onChoose), ...valueColumns(qubit, common)];
  return (
    <Panel title={qubit.parameters}>
      {parameters.length === 0 ? (
        <Text c="dimmed">{qubit.noParameters}</Text>
      ) : (
        <DataTable
          label={qubit.parameters}
          columns={columns}
          rows={parameters}
          rowKey={({ name }) => name}
          maxHeightPx={640}
        />
      )}
    </Panel>
  );
}

const nameColumn = (
  qubit: Words['qubit'],
  chosen: string | null,
  onChoose: (name: string) => void,
): Column<ParameterOfQubitFragment> => ({
  key: 'name',
  heading: qubit.parameter,
  value: ({ title }) => title,
  cell: ({ name, title }) => (
    <UnstyledButton
      className={classes['choice'] ?? ''}
      aria-pressed={name === chosen}
      onClick={() => onChoose(name)}
    >
      {title}
    </UnstyledButton>
  ),
});

const valueColumns = (
  qubit: Words['qubit'],
  common: Words['common'],
): readonly Column<ParameterOfQubitFragment>[] => [
  {
    key: 'value',
    heading: qubit.value,
    isNumber: true,
    value: ({ displayValue, text }) => displayValue ?? text,
    cell: (parameter) => (
      <RatedValue
        text={parameterText(parameter) ?? '—'}
        rating={parameter.rating}
        isStale={parameter.isStale}
      />
    ),
  },
  {
    key: 'error',
    heading: qubit.error,
    isNumber: true,
    value: displayError,
    cell: (parameter) => {
      const text = parameterErrorText(parameter);
      return text === null ? <Faint>—</Faint> : `± ${text}`;
    },
  },
  {
    key: 'rating',
    heading: qubit.rating,
    value: ({ rating }) => rating,
    cell: ({ rating }) => (rating === null ? <Faint>—</Faint> : common.ratings[rating]),
  },
  {
    key: 'age',
    heading: qubit.age,
    value: ({ calibratedAt }) => calibratedAt,
    cell: ({ calibratedAt }) => (calibratedAt === null ? <Faint>—</Faint> : <Age at={calibratedAt} />),
  },
];

const Faint = ({ children }: { readonly children: string }) => (
  <Text span inherit c="dimmed">
    {children}
  </Text>
);
