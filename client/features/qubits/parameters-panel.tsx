import { Anchor, Text, UnstyledButton } from '@mantine/core';
import { Link } from 'react-router';
import { Age } from '../../components/age.tsx';
import { DataTable, type Column } from '../../components/data-table/data-table.tsx';
import { Panel } from '../../components/panel.tsx';
import { RatedValue } from '../../components/rated-value.tsx';
import type { MetricOfCatalogueFragment, ParameterOfQubitFragment } from '../../gql/graphql.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { useMetricTitle, useServerText } from '../../lib/i18n/use-server-names.ts';
import { recordPath } from '../../lib/part-path.ts';
import type { Words } from '../../lib/i18n/words.ts';
import { stateOf } from '../chips/map/map-model.ts';
import { displayError, parameterErrorText, parameterText } from './parameter-text.ts';
import classes from './qubit.module.css';

type ParametersPanelProps = {
  readonly parameters: readonly ParameterOfQubitFragment[];
  /** What is shown where there are none. */
  readonly none: string;
  readonly chosen: string | null;
  readonly onChoose: (name: string) => void;
};

/**
 * The parameter that the address names if the part has it, else the first of which more is better, which is what one
 * looks at first.
 */
export function shownParameter(
  parameters: readonly ParameterOfQubitFragment[],
  metrics: readonly MetricOfCatalogueFragment[],
  named: string | null,
): string | null {
  const isQuality = (of: string): boolean =>
    metrics.some(({ name, direction }) => name === of && direction === 'HIGHER_IS_BETTER');
  const found =
    parameters.find(({ name }) => name === named) ??
    parameters.find(({ name }) => isQuality(name)) ??
    parameters[0];
  return found?.name ?? null;
}

/** Current values with unit, error, age and rating; the name of one chooses it for the history beside it. */
export function ParametersPanel({ parameters, none, chosen, onChoose }: ParametersPanelProps) {
  const { qubit, common, chip } = useWords();
  const titleOf = useMetricTitle();
  const textOf = useServerText();
  const columns = [
    nameColumn(qubit, titleOf, chosen, onChoose),
    ...valueColumns(qubit, common, { states: chip.map.states, textOf }),
  ];
  return (
    <Panel title={qubit.parameters}>
      {parameters.length === 0 ? (
        <Text c="dimmed">{none}</Text>
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
  titleOf: (title: string) => string,
  chosen: string | null,
  onChoose: (name: string) => void,
): Column<ParameterOfQubitFragment> => ({
  key: 'name',
  heading: qubit.parameter,
  value: ({ title }) => titleOf(title),
  cell: ({ name, title }) => (
    <UnstyledButton
      className={classes['choice'] ?? ''}
      aria-pressed={name === chosen}
      onClick={() => onChoose(name)}
    >
      {titleOf(title)}
    </UnstyledButton>
  ),
});

const valueColumns = (
  qubit: Words['qubit'],
  common: Words['common'],
  {
    states,
    textOf,
  }: {
    readonly states: Words['chip']['map']['states'];
    readonly textOf: (text: string) => string;
  },
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
    cell: ({ rating, state, stateReason, isStale }) =>
      // A value that is not to be relied on is not rated, and says why.
      state === 'DISABLED' || state === 'DOUBTFUL' ? (
        <Text span inherit title={stateReason === null ? undefined : textOf(stateReason)}>
          {states[stateOf({ state, stateReason, isStale })]}
        </Text>
      ) : rating === null ? (
        <Faint>—</Faint>
      ) : (
        common.ratings[rating]
      ),
  },
  {
    key: 'age',
    heading: qubit.age,
    value: ({ calibratedAt }) => calibratedAt,
    cell: ({ title, calibratedAt, taskId }) =>
      calibratedAt === null ? (
        <Faint>—</Faint>
      ) : taskId ? (
        <Anchor component={Link} to={recordPath(taskId)} inherit aria-description={qubit.recordOf(title)}>
          <Age at={calibratedAt} />
        </Anchor>
      ) : (
        <Age at={calibratedAt} />
      ),
  },
];

const Faint = ({ children }: { readonly children: string }) => (
  <Text span inherit c="dimmed">
    {children}
  </Text>
);
