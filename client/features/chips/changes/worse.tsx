import { Text } from '@mantine/core';
import { RatedValue } from '../../../components/rated-value.tsx';
import type { ChangeOfPartFragment } from '../../../gql/graphql.ts';
import { useI18n } from '../../../lib/i18n/i18n.tsx';
import { useMetricTitle } from '../../../lib/i18n/use-server-names.ts';
import classes from '../chip.module.css';
import { differenceText } from '../map/map-text.ts';
import { MuteButton } from '../mutes/mute-button.tsx';
import type { ChipMutes } from '../mutes/use-mutes.ts';
import { Explain, subjectOf } from './lines.tsx';
import { PartName } from '../part-name.tsx';
import type { Ranking } from './rank-changes.ts';
import type { Since } from './since-select.tsx';

/** A value that got worse: from what to what, and by how much. */
export function Worse({
  chipId,
  change,
  size,
  by,
  since,
  mutes,
}: {
  readonly chipId: string;
  readonly change: ChangeOfPartFragment;
  readonly size: number;
  readonly by: Ranking;
  readonly since: Since;
  readonly mutes: ChipMutes;
}) {
  const { words, format } = useI18n();
  const { changes } = words.chip;
  const titleOf = useMetricTitle();
  const unit = change.unit ?? '';
  const [before, after] = [change.before?.displayValue, change.after?.displayValue];
  const [from, to] = [before, after].map((value) => (value == null ? '—' : format.quantity(value, unit)));
  const title = change.title ?? '';
  return (
    <li>
      <PartName chipId={chipId} {...change} />
      <Text span size="sm" className={classes['grow'] ?? ''}>
        {titleOf(title)}
      </Text>
      <Text span size="sm">
        {from} → <RatedValue text={to ?? '—'} rating={change.after?.rating ?? null} />
      </Text>
      <Text span size="xs" c="dimmed" visibleFrom="xs">
        {change.difference !== null && differenceText(change.difference, unit, format)}
        {` · ${by === 'SIGMA' ? `${size.toFixed(1)} σ` : `${(100 * size).toFixed(1)} %`}`}
      </Text>
      <Explain
        name={changes.explainPart(change.label)}
        draft={changes.explain(change.label, title, from ?? '—', to ?? '—', format.time(since.from))}
        about={subjectOf(change)}
      />
      <MuteButton name={`${change.label} ${titleOf(title)}`} of={change} mutes={mutes} />
    </li>
  );
}
