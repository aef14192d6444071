import { Badge, Grid, Group, Progress, Stack, Text } from '@mantine/core';
import { PageGrid } from '../../components/page-grid.tsx';
import { Panel } from '../../components/panel.tsx';
import { RatedValue } from '../../components/rated-value.tsx';
import { RATING_COLORS } from '../../components/rating-colors.ts';
import type {
  ChipOverviewQuery,
  HealthOfChipFragment,
  MetricOfCatalogueFragment,
} from '../../gql/graphql.ts';
import { useFormat, useWords } from '../../lib/i18n/i18n.tsx';
import { useMetricTitle } from '../../lib/i18n/use-server-names.ts';
import { PinButton } from '../pins/pin-button.tsx';
import { healthRead } from '../pins/reads.ts';
import classes from './chip.module.css';
import { Known } from './mutes/known.tsx';
import { MuteButton } from './mutes/mute-button.tsx';
import { useMutes, type ChipMutes } from './mutes/use-mutes.ts';
import { PartName } from './part-name.tsx';

type Overview = NonNullable<ChipOverviewQuery['chip']>;
type Summary = NonNullable<Overview['summary']>;

const SHOWN_PROBLEMS = 12;
/** Colour of each verdict on a chip. */
export const LABEL_COLORS = {
  EXCELLENT: 'teal',
  GOOD: 'indigo',
  FAIR: 'yellow',
  POOR: 'red',
  UNKNOWN: 'gray',
};

type HealthPanelProps = {
  readonly chipId: string;
  readonly summary: Summary;
  readonly layers: Overview['layerFidelities'];
  readonly metrics: readonly MetricOfCatalogueFragment[];
};

/** Health of the chip: its score and the score's parts, values that need attention, all medians, and layer fidelities. */
export function HealthPanel({ chipId, summary: { health, parameters }, layers, metrics }: HealthPanelProps) {
  const { chip } = useWords();
  const mutes = useMutes(chipId);
  const problems = health.partProblems.map((problem) => ({
    ...problem,
    mute: mutes.muteOf({ partId: problem.qid, parameter: problem.parameter }),
  }));
  const open = problems.filter(({ mute }) => mute === undefined);
  const known = problems.flatMap(({ label, title, mute }) => (mute ? [{ label, title, mute }] : []));
  return (
    <PageGrid>
      <Grid.Col span={{ base: 12, md: 4, lg: 3 }}>
        <Panel title={chip.health} aside={<PinButton title={chip.health} pinned={healthRead(chipId)} />}>
          <Score health={health} />
        </Panel>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 8, lg: 4 }}>
        <Panel title={chip.problems(open.length)}>
          <Problems chipId={chipId} problems={open} mutes={mutes} />
          <Known chipId={chipId} known={known} mutes={mutes} />
        </Panel>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 5 }}>
        <Panel title={chip.medians}>
          <Medians
            parameters={parameters.filter(({ name }) => metrics.some((metric) => metric.name === name))}
          />
          {layers.length > 0 && <Layers layers={layers} />}
        </Panel>
      </Grid.Col>
    </PageGrid>
  );
}

function Score({
  health: { score, label, excellent, good, poor, components },
}: {
  readonly health: HealthOfChipFragment;
}) {
  const { chip, common } = useWords();
  const total = excellent + good + poor;
  const parts = [
    { name: common.ratings.EXCELLENT, count: excellent, color: RATING_COLORS.EXCELLENT },
    { name: common.ratings.GOOD, count: good, color: RATING_COLORS.GOOD },
    { name: chip.poor, count: poor, color: RATING_COLORS.FAIR },
  ];
  return (
    <Stack gap="xs">
      <Group gap="xs" align="baseline">
        <Text fz={32} fw={650} lh={1}>
          {score === null ? '—' : score.toFixed(2)}
        </Text>
        <Text c="dimmed" size="sm">
          {chip.ofThree}
        </Text>
        <Badge variant="light" color={LABEL_COLORS[label]} className={classes['badge'] ?? ''}>
          {common.health[label]}
        </Badge>
      </Group>
      <Progress.Root size="sm" aria-hidden="true">
        {parts.map(({ name, count, color }) => (
          <Progress.Section key={name} value={total === 0 ? 0 : (100 * count) / total} color={color} />
        ))}
      </Progress.Root>
      <dl className={classes['counts']}>
        {parts.map(({ name, count, color }) => (
          <div key={name}>
            <dt>
              <span className={classes['dot']} style={{ background: color }} aria-hidden="true" />
              {name}
            </dt>
            <dd>{count}</dd>
          </div>
        ))}
      </dl>
      <Stack gap={0}>
        {components.map(({ name, contribution, count, title }) => (
          <Text key={name} size="xs" c="dimmed">
            {contribution < 0 ? '−' : '+'}
            {sizeOf(contribution)} {chip.healthPart(name, count, title)}
          </Text>
        ))}
      </Stack>
    </Stack>
  );
}

type Problem = HealthOfChipFragment['partProblems'][number];

function Problems({
  chipId,
  problems,
  mutes,
}: {
  readonly chipId: string;
  readonly problems: readonly Problem[];
  readonly mutes: ChipMutes;
}) {
  const { chip } = useWords();
  const titleOf = useMetricTitle();
  const format = useFormat();
  if (problems.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {chip.noProblems}
      </Text>
    );
  return (
    <ul className={classes['problems']} tabIndex={0} aria-label={chip.problems(problems.length)}>
      {problems
        .slice(0, SHOWN_PROBLEMS)
        .map(({ label, qid, parameter, title, value, unit, rating, threshold }) => (
          <li key={`${label} ${parameter}`}>
            <PartName chipId={chipId} label={label} partId={qid} parameter={parameter} />
            <Text span size="sm" className={classes['grow'] ?? ''}>
              {titleOf(title)}
            </Text>
            <Text span size="xs" c="dimmed" visibleFrom="xs">
              {chip.limit(format.quantity(threshold, unit))}
            </Text>
            <Text span size="sm">
              <RatedValue text={format.quantity(value, unit)} rating={rating} />
            </Text>
            <MuteButton name={`${label} ${titleOf(title)}`} of={{ partId: qid, parameter }} mutes={mutes} />
          </li>
        ))}
      {problems.length > SHOWN_PROBLEMS && (
        <li>
          <Text size="xs" c="dimmed">
            {chip.moreProblems(problems.length - SHOWN_PROBLEMS)}
          </Text>
        </li>
      )}
    </ul>
  );
}

function Medians({ parameters }: { readonly parameters: Summary['parameters'] }) {
  const { chip } = useWords();
  const titleOf = useMetricTitle();
  const format = useFormat();
  return (
    <dl className={classes['medians']}>
      {parameters.map(({ name, title, unit, median, missing }) => (
        <div key={name}>
          <dt>{titleOf(title)}</dt>
          <dd>
            {median === null ? '—' : format.quantity(median, unit)}
            {missing > 0 && (
              <Text span size="xs" c="dimmed" ml={6}>
                {chip.missing(missing)}
              </Text>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The shortest and the longest chain, and all others folded: a vendor gives up to a hundred. */
function Layers({ layers }: { readonly layers: Overview['layerFidelities'] }) {
  const { chip } = useWords();
  const ends = layers.length < 3 ? layers : layers.filter((_, at) => at === 0 || at === layers.length - 1);
  return (
    <>
      <Text size="sm" fw={600} mt="sm">
        {chip.layerFidelities}
      </Text>
      <Chains layers={ends} />
      {layers.length > ends.length && (
        <details>
          <Text component="summary" size="xs" c="dimmed">
            {chip.allChains(layers.length)}
          </Text>
          <Chains layers={layers} />
        </details>
      )}
    </>
  );
}

function Chains({ layers }: { readonly layers: Overview['layerFidelities'] }) {
  const { chip } = useWords();
  const format = useFormat();
  return (
    <dl className={classes['medians']}>
      {layers.map(({ length, value }) => (
        <div key={length}>
          <dt>{chip.chainOf(length)}</dt>
          <dd>{format.quantity(100 * value, '%')}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Two decimals, or one digit of what these would show as zero. */
function sizeOf(contribution: number): string {
  const size = Math.abs(contribution);
  return size < 0.005 ? size.toPrecision(1) : size.toFixed(2);
}
