import { Button, Checkbox, Group, Select, Stack, TagsInput, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useUnsaved } from '../../lib/unsaved.tsx';
import type {
  AlertDestinationEvent,
  AlertDestinationKind,
  AlertsPageQuery,
  SaveAlertDestinationInput,
} from '../../gql/graphql.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';

const KINDS = [
  'SLACK',
  'TEAMS',
  'MATTERMOST',
  'WEBHOOK',
  'EMAIL',
] as const satisfies readonly AlertDestinationKind[];

/** Events that each kind of destination can subscribe to: turns would flood a chat. */
const eventsOf = (kind: AlertDestinationKind): readonly AlertDestinationEvent[] =>
  kind === 'WEBHOOK' ? ['JOB_ENDED', 'TURN_ENDED'] : ['JOB_ENDED'];

type DestinationFormProps = {
  readonly destination: AlertsPageQuery['alertDestinations'][number] | null;
  readonly onSave: (input: SaveAlertDestinationInput) => Promise<void>;
  readonly onCancel: () => void;
};

/** A destination; the address of one that is there stays unless another one is typed. */
export function DestinationForm({ destination, onSave, onCancel }: DestinationFormProps) {
  const { alerts } = useWords();
  const [name, setName] = useState(destination?.name ?? '');
  const [kind, setKind] = useState<AlertDestinationKind>(destination?.kind ?? 'SLACK');
  const [url, setUrl] = useState('');
  const [addresses, setAddresses] = useState<string[]>([]);
  const [isQuiet, setQuiet] = useState(destination?.quietHours != null);
  const [hours, setHours] = useState({
    from: destination?.quietHours?.from ?? '22:00',
    to: destination?.quietHours?.to ?? '07:00',
    timeZone: destination?.quietHours?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    weekends: destination?.quietHours?.weekends ?? false,
  });
  const [sendsRecoveries, setSendsRecoveries] = useState(destination?.sendsRecoveries ?? true);
  const [events, setEvents] = useState<readonly AlertDestinationEvent[]>(destination?.events ?? []);
  const [isBusy, setBusy] = useState(false);
  const isKept = destination?.kind === kind;
  const isTyped = name !== (destination?.name ?? '') || url !== '' || addresses.length > 0;
  useUnsaved(isTyped ? `${alerts.destination}: ${name}` : null);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    await onSave({
      destinationId: destination?.destinationId ?? null,
      name,
      kind,
      url: kind === 'EMAIL' || url === '' ? null : url,
      addresses: kind === 'EMAIL' && addresses.length > 0 ? addresses : null,
      quietHours: isQuiet ? hours : null,
      sendsRecoveries,
      events: events.filter((event) => eventsOf(kind).includes(event)),
    }).finally(() => setBusy(false));
  };
  return (
    <form onSubmit={(event) => void submit(event)} aria-label={alerts.destination}>
      <Stack gap="xs" mb="sm">
        <Group gap="xs" align="flex-end">
          <TextInput
            size="xs"
            label={alerts.name}
            required
            maxLength={80}
            data-autofocus
            value={name}
            onChange={({ currentTarget: { value } }) => setName(value)}
          />
          <Select
            size="xs"
            label={alerts.kind}
            allowDeselect={false}
            data={KINDS.map((value) => ({ value, label: alerts.kinds[value] }))}
            value={kind}
            onChange={(value) => value !== null && setKind(value)}
          />
        </Group>
        {kind === 'EMAIL' ? (
          <TagsInput
            size="xs"
            label={alerts.addresses}
            description={isKept ? alerts.kept : undefined}
            value={addresses}
            onChange={setAddresses}
            splitChars={[',', ' ']}
          />
        ) : (
          <TextInput
            size="xs"
            type="url"
            label={alerts.url}
            description={isKept ? alerts.kept : alerts.urlHint}
            required={!isKept}
            autoComplete="off"
            value={url}
            onChange={({ currentTarget: { value } }) => setUrl(value)}
          />
        )}
        <Checkbox
          size="xs"
          label={alerts.sendsRecoveries}
          checked={sendsRecoveries}
          onChange={({ currentTarget: { checked } }) => setSendsRecoveries(checked)}
        />
        {eventsOf(kind).map((event) => (
          <Checkbox
            key={event}
            size="xs"
            label={alerts.tells[event]}
            checked={events.includes(event)}
            onChange={({ currentTarget: { checked } }) =>
              setEvents([...events.filter((each) => each !== event), ...(checked ? [event] : [])])
            }
          />
        ))}
        <Checkbox
          size="xs"
          label={alerts.quietHours}
          checked={isQuiet}
          onChange={({ currentTarget: { checked } }) => setQuiet(checked)}
        />
        {isQuiet && (
          <Group gap="xs" align="flex-end">
            {(['from', 'to'] as const).map((end) => (
              <TextInput
                key={end}
                size="xs"
                type="time"
                label={alerts[end]}
                required
                value={hours[end]}
                onChange={({ currentTarget: { value } }) => setHours({ ...hours, [end]: value })}
              />
            ))}
            <Select
              size="xs"
              searchable
              label={alerts.timeZone}
              allowDeselect={false}
              limit={50}
              data={[...new Set(['UTC', hours.timeZone, ...Intl.supportedValuesOf('timeZone')])]}
              value={hours.timeZone}
              onChange={(timeZone) => timeZone !== null && setHours({ ...hours, timeZone })}
            />
            <Checkbox
              size="xs"
              label={alerts.weekends}
              checked={hours.weekends}
              onChange={({ currentTarget: { checked } }) => setHours({ ...hours, weekends: checked })}
            />
          </Group>
        )}
        <Group gap="xs">
          <Button type="submit" size="xs" loading={isBusy} disabled={name.trim() === ''}>
            {alerts.saveDestination}
          </Button>
          <Button size="xs" variant="default" onClick={onCancel}>
            {alerts.cancel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
