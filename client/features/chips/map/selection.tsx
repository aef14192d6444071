import { Button, Group, Text } from '@mantine/core';
import { Link } from 'react-router';
import { useI18n } from '../../../lib/i18n/i18n.tsx';
import { useAsk } from '../../../lib/use-ask.ts';
import type { LogbookEntry } from '../../logbook/entry.ts';
import { LogbookMenu } from '../../logbook/logbook-menu.tsx';
import { MAX_PICKED, type ChipView } from '../chip-view.ts';
import type { MapMetric, MapPart } from './map-model.ts';

/** What can be done with the selected parts: ask about them, plan a job on them, draw their trend, keep them. */
export function Selection({
  chipId,
  chosen,
  metric,
  entry,
  onView,
  onClear,
}: {
  readonly chipId: string;
  readonly chosen: readonly MapPart[];
  readonly metric: MapMetric;
  readonly entry: () => LogbookEntry;
  readonly onView?: (change: Partial<ChipView>) => void;
  readonly onClear: () => void;
}) {
  const { words } = useI18n();
  const { map } = words.chip;
  const ask = useAsk();
  const qids = chosen.filter(({ kind }) => kind === 'QUBIT').map(({ id }) => id);
  const names = chosen.map(({ label }) => label).join(', ');
  const look = { size: 'compact-xs', variant: 'light' } as const;
  return (
    <Group gap="xs" role="group" aria-label={map.selection}>
      <Text size="xs" role="status">
        {map.selected(qids.length, chosen.length - qids.length)}
      </Text>
      <Button {...look} onClick={() => ask(map.askDraft(names))}>
        {map.ask}
      </Button>
      <Button {...look} onClick={() => ask(map.planDraft(names))}>
        {map.plan}
      </Button>
      {qids.length > 1 && (
        <Button
          {...look}
          component={Link}
          to={`/compare?${new URLSearchParams({ b: chipId, qubits: qids.join(',') })}`}
        >
          {words.compare.title}
        </Button>
      )}
      {onView && qids.length > 0 && qids.length <= MAX_PICKED && (
        <Button {...look} onClick={() => onView({ picked: qids })}>
          {words.chip.trend(metric.title)}
        </Button>
      )}
      <LogbookMenu entry={entry} wordsOf={() => null} />
      <Button {...look} variant="subtle" color="gray" onClick={onClear}>
        {map.clear}
      </Button>
    </Group>
  );
}
