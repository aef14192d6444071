import { Group, Select, TextInput } from '@mantine/core';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { serverNowMs } from '../../lib/server-clock.ts';
import type { Side } from './compare-view.ts';

const HOURS_AGO = [24, 168, 720] as const;

/** A chip, and when. */
export function SidePicker({
  name,
  side,
  chips,
  onSide,
}: {
  readonly name: string;
  readonly side: Side;
  readonly chips: readonly string[];
  readonly onSide: (side: Side) => void;
}) {
  const { compare } = useWords();
  const today = new Date(serverNowMs()).toISOString().slice(0, 10);
  const day = typeof side.time === 'string' ? side.time : null;
  const choose = (key: string | null): void => {
    if (key === 'now') onSide({ ...side, time: null });
    else if (key === 'day') onSide({ ...side, time: today });
    else if (key !== null) onSide({ ...side, time: Number(key) });
  };
  const hours = HOURS_AGO.map((count) => ({ value: String(count), label: compare.hoursAgo(count) }));
  const own = typeof side.time === 'number' && !HOURS_AGO.some((count) => count === side.time);
  return (
    <Group gap="xs" role="group" aria-label={name}>
      <Select
        aria-label={compare.chipOf(name)}
        size="xs"
        w={170}
        searchable
        allowDeselect={false}
        data={chips.includes(side.chipId) ? [...chips] : [...chips, side.chipId]}
        value={side.chipId}
        onChange={(chipId) => chipId && onSide({ ...side, chipId })}
      />
      <Select
        aria-label={compare.timeOf(name)}
        size="xs"
        w={150}
        allowDeselect={false}
        data={[
          { value: 'now', label: compare.now },
          ...hours,
          ...(own ? [{ value: String(side.time), label: compare.hoursAgo(Number(side.time)) }] : []),
          { value: 'day', label: compare.onDay },
        ]}
        value={side.time === null ? 'now' : day === null ? String(side.time) : 'day'}
        onChange={choose}
      />
      {day !== null && (
        <TextInput
          type="date"
          size="xs"
          aria-label={compare.dayOf(name)}
          value={day}
          max={today}
          onChange={({ currentTarget: { value } }) => value && onSide({ ...side, time: value })}
        />
      )}
    </Group>
  );
}
