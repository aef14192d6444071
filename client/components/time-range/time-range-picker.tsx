import { Button, Group, NumberInput, Popover, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconClock } from '@tabler/icons-react';
import { useState } from 'react';
import { useI18n } from '../../lib/i18n/i18n.tsx';
import type { Format } from '../../lib/format/format.ts';
import type { Words } from '../../lib/i18n/words.ts';
import { fromLocalInput, lastHours, toLocalInput, type Times } from './time-range.ts';

const PRESETS_HOURS = [1, 24, 168, 720] as const;

type TimeRangePickerProps = {
  readonly times: Times;
  readonly onTimes: (times: Times) => void;
  /** What none means. */
  readonly none: string;
  /** Whether a cool-down can be asked for. */
  readonly hasCooldown: boolean;
};

/** Chooses times: the last hours or days, since the cool-down, or from a time to another. */
export function TimeRangePicker({ times, onTimes, none, hasCooldown }: TimeRangePickerProps) {
  const { words, format } = useI18n();
  const [isOpen, setOpen] = useState(false);
  const text = timesText(times, none, words.times, format);
  const choose = (chosen: Times): void => {
    setOpen(false);
    onTimes(chosen);
  };
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      width={300}
      position="bottom-end"
      trapFocus
      shadow="md"
      withArrow
    >
      <Popover.Target>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconClock size={14} aria-hidden />}
          aria-label={`${words.times.times}: ${text}`}
          onClick={() => setOpen(!isOpen)}
        >
          {text}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>{isOpen && <Choices {...{ times, none, hasCooldown, choose }} />}</Popover.Dropdown>
    </Popover>
  );
}

/** What times mean, in words. */
export function timesText(times: Times, none: string, words: Words['times'], format: Format): string {
  if (times === null) return none;
  if (times.kind === 'LAST') return words.last(times.hours);
  if (times.kind === 'COOLDOWN') return words.cooldown;
  const [from, to] = [times.from, times.to].map((at) => at && format.time(at));
  if (from && to) return words.between(from, to);
  return from ? words.since(from) : words.until(to ?? '');
}

type ChoicesProps = Pick<TimeRangePickerProps, 'times' | 'none' | 'hasCooldown'> & {
  readonly choose: (times: Times) => void;
};

function Choices({ times, none, hasCooldown, choose }: ChoicesProps) {
  const { times: words } = useI18n().words;
  const short = { size: 'compact-xs', variant: 'light' } as const;
  return (
    <Stack gap="sm">
      <Group gap={6}>
        <Button {...short} onClick={() => choose(null)}>
          {none}
        </Button>
        {PRESETS_HOURS.map((hours) => (
          <Button key={hours} {...short} onClick={() => choose({ kind: 'LAST', hours })}>
            {words.last(hours)}
          </Button>
        ))}
        {hasCooldown && (
          <Button {...short} onClick={() => choose({ kind: 'COOLDOWN' })}>
            {words.cooldown}
          </Button>
        )}
      </Group>
      <Last times={times} choose={choose} />
      <Between times={times} choose={choose} />
    </Stack>
  );
}

type FormProps = Pick<ChoicesProps, 'times' | 'choose'>;

const DAY = 24;

function Last({ times, choose }: FormProps) {
  const { times: words } = useI18n().words;
  const hours = times?.kind === 'LAST' ? times.hours : DAY * 3;
  const [unit, setUnit] = useState<'hours' | 'days'>(hours % DAY === 0 ? 'days' : 'hours');
  const [count, setCount] = useState<number | string>(hours % DAY === 0 ? hours / DAY : hours);
  const chosen = lastHours(Number(count) * (unit === 'days' ? DAY : 1));
  return (
    <Group gap="xs" align="end" wrap="nowrap">
      <NumberInput
        size="xs"
        label={words.lastCount}
        min={1}
        max={9_999}
        allowDecimal={false}
        w={80}
        value={count}
        onChange={setCount}
      />
      <Select
        size="xs"
        aria-label={words.unit}
        miw={0}
        flex={1}
        allowDeselect={false}
        data={(['hours', 'days'] as const).map((value) => ({ value, label: words.units[value] }))}
        value={unit}
        comboboxProps={{ withinPortal: false }}
        onChange={(value) => value && setUnit(value)}
      />
      <Button size="xs" flex="none" disabled={chosen === null} onClick={() => choose(chosen)}>
        {words.apply}
      </Button>
    </Group>
  );
}

function Between({ times, choose }: FormProps) {
  const { times: words } = useI18n().words;
  const given = times?.kind === 'BETWEEN' ? times : { from: null, to: null };
  const [from, setFrom] = useState(toLocalInput(given.from));
  const [to, setTo] = useState(toLocalInput(given.to));
  const chosen = { kind: 'BETWEEN', from: fromLocalInput(from), to: fromLocalInput(to) } as const;
  const isReversed = chosen.from !== null && chosen.to !== null && chosen.from >= chosen.to;
  const isNothing = chosen.from === null && chosen.to === null;
  return (
    <Stack gap={6}>
      <TextInput
        size="xs"
        type="datetime-local"
        label={words.from}
        value={from}
        onChange={(event) => setFrom(event.currentTarget.value)}
      />
      <TextInput
        size="xs"
        type="datetime-local"
        label={words.to}
        value={to}
        error={isReversed ? words.order : null}
        onChange={(event) => setTo(event.currentTarget.value)}
      />
      <Group justify="space-between" wrap="nowrap">
        <Text size="xs" c="dimmed">
          {isNothing ? words.noTime : ''}
        </Text>
        <Button size="xs" flex="none" disabled={isReversed || isNothing} onClick={() => choose(chosen)}>
          {words.apply}
        </Button>
      </Group>
    </Stack>
  );
}
