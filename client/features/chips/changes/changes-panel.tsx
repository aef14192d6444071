import { Group, SegmentedControl, Skeleton, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import { LoadError } from '../../../components/load-error.tsx';
import { Panel } from '../../../components/panel.tsx';
import { useSetPart } from '../../../components/time-range/use-times-of-page.ts';
import {
  ChipChangesDocument,
  type ChangeOfPartFragment,
  type ChipChangesQuery,
} from '../../../gql/graphql.ts';
import { isInvalid } from '../../../lib/graphql/not-found.ts';
import { useI18n } from '../../../lib/i18n/i18n.tsx';
import { useMetricTitle, useServerText } from '../../../lib/i18n/use-server-names.ts';
import { serverNowMs } from '../../../lib/server-clock.ts';
import classes from '../chip.module.css';
import { useChipQuery } from '../chip-updates.tsx';
import { Known } from '../mutes/known.tsx';
import { useMutes } from '../mutes/use-mutes.ts';
import { Happened } from './happened.tsx';
import { Old, type OldValues } from './old.tsx';
import { lastVisit } from './last-visit.ts';
import { Explain, Lines, subjectOf } from './lines.tsx';
import { PartName } from '../part-name.tsx';
import { RANKINGS, sizeOf } from './rank-changes.ts';
import { readSince, SinceSelect, writeSince } from './since-select.tsx';
import { Worse } from './worse.tsx';

/** What is hardly by chance, also among some hundred values. */
const CLEAR_SIGMA = 3;
/** As many as the query asks for. */
const MOST_WORSE = 300;

/** What changed on a chip since a point in time: values that got worse, parts that were lost, failures, notes, jobs. */
export function ChangesPanel({
  chipId,
  newestAt,
  cooldownAt,
  old,
}: {
  readonly chipId: string;
  /** When the newest value of the chip was measured. */
  readonly newestAt: string | null;
  /** When its cool-down began; null where that is unknown. */
  readonly cooldownAt: string | null;
  readonly old: OldValues;
}) {
  const { words } = useI18n();
  const { changes } = words.chip;
  const titleOf = useMetricTitle();
  const textOf = useServerText();
  // As they were when the page was opened: what is shown does not change below the reader.
  const [known] = useState(() => ({ visit: lastVisit(chipId, serverNowMs()), newestAt, cooldownAt }));
  const [query] = useSearchParams();
  const setPart = useSetPart();
  const changed = query.get('changed');
  const since = useMemo(() => readSince(changed, known), [changed, known]);
  const ranking = RANKINGS.find((each) => each === query.get('rank')) ?? null;
  const { data, error, stale, retry } = useChipQuery({
    query: ChipChangesDocument,
    variables: { chipId, from: since.from },
  });
  const chip = data?.chip;
  const by = ranking ?? (chip?.changes.worseBySigma.length === 0 ? 'SHARE' : 'SIGMA');
  const worse = by === 'SIGMA' ? chip?.changes.worseBySigma : chip?.changes.worseByShare;
  const mutes = useMutes(chipId);
  const { muteOf } = mutes;
  const [worst, muted] = useMemo(() => {
    const all = worse ?? [];
    const of = all.flatMap(({ label, title, ...value }) => {
      const mute = muteOf(value);
      return mute ? [{ label, title: title ?? '', mute }] : [];
    });
    return [all.filter((change) => !muteOf(change)), of];
  }, [worse, muteOf]);
  const clear = worst.filter((change) => Math.abs(change.sigma ?? 0) >= CLEAR_SIGMA).length;
  return (
    <Panel
      tour="changes"
      title={changes.title}
      aside={
        <Group gap="xs">
          <SinceSelect
            since={since}
            known={known}
            onSince={(chosen) => setPart('changed', writeSince(chosen))}
          />
          <SegmentedControl
            aria-label={changes.rankBy}
            size="xs"
            data={RANKINGS.map((value) => ({ value, label: changes.rankings[value] }))}
            value={by}
            onChange={(value) => setPart('rank', value)}
          />
        </Group>
      }
    >
      {error && !chip && isInvalid(error) ? (
        <Text size="sm" c="dimmed">
          {textOf(error.graphQLErrors[0]?.message ?? '').replace(/^from: /u, '')}
        </Text>
      ) : error && !chip ? (
        <LoadError error={error} onRetry={retry} />
      ) : !chip ? (
        <Skeleton height={160} />
      ) : (
        <div aria-busy={stale} style={{ opacity: stale ? 0.6 : 1 }}>
          <Counts changes={chip.changes} />
          <Lines of={worst} text={(count) => changes.worse(count, clear)}>
            {(change) => (
              <Worse
                key={keyOf(change)}
                size={sizeOf(change, by) ?? 0}
                {...{ chipId, change, by, since, mutes }}
              />
            )}
          </Lines>
          <Known chipId={chipId} known={muted} mutes={mutes} />
          {worse?.length === MOST_WORSE && (
            <Text size="xs" c="dimmed">
              {changes.cut(MOST_WORSE)}
            </Text>
          )}
          <Lines of={chip.changes.turned} text={changes.turned}>
            {(change) => (
              <li key={keyOf(change)}>
                <PartName chipId={chipId} {...change} />
                <Text span size="sm">
                  {changes.kinds[change.kind]}
                </Text>
                <Text span size="sm" className={classes['grow'] ?? ''}>
                  {titleOf(change.title ?? '')}
                </Text>
                <Explain
                  name={changes.explainPart(change.label)}
                  draft={changes.explainTurned(change.label, change.title ?? '', changes.kinds[change.kind])}
                  about={subjectOf(change)}
                />
              </li>
            )}
          </Lines>
        </div>
      )}
      <Happened chipId={chipId} from={since.from} />
      <Old of={old} />
    </Panel>
  );
}

type Chip = NonNullable<ChipChangesQuery['chip']>;

const keyOf = ({ kind, partId, parameter }: ChangeOfPartFragment): string => `${kind} ${partId} ${parameter}`;

/** How many values moved, and which way. */
function Counts({ changes: { parameters } }: { readonly changes: Chip['changes'] }) {
  const { changes } = useI18n().words.chip;
  const sum = (count: (of: Chip['changes']['parameters'][number]) => number): number =>
    parameters.reduce((total, of) => total + count(of), 0);
  const moved = sum((of) => of.moved);
  return (
    <Text size="sm" mb={4}>
      {moved === 0
        ? changes.nothing
        : changes.counts(
            moved,
            sum((of) => of.worse),
            sum((of) => of.better),
            moved - sum((of) => of.worse + of.better),
          )}
    </Text>
  );
}
